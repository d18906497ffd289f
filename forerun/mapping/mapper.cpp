#include "forerun/mapping/mapper.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "forerun/mapping/closure.hpp"
#include "forerun/mapping/find_ways.hpp"
#include "forerun/mapping/tracking.hpp"

namespace forerun::mapping {
namespace {

constexpr int kLoopEvery = 2;                // scans: known places are looked for at each second one
constexpr double kLeastLoop = 6;             // a place is seen again after so much way [m]
constexpr double kTurnAsWay = 0.1;           // turning on the spot spoils poses like driving [m/rad]
constexpr double kSight = 3;                 // views from places nearer than this see the same [m]
constexpr int kApart = 8;                    // candidates nearer in the sequence show the same view
constexpr std::size_t kCandidates = 2;       // tried for each scan while driving
constexpr std::size_t kMoreCandidates = 4;   // and afterwards
constexpr int kRounds = 2;                   // of looking again
constexpr double kSurprise = 12;             // a closure with a larger squared error changes the map at once
constexpr double kWitnessWay = 12;           // a second witness must come within so much way [m]
constexpr double kOtherView = 0.3;           // and from another place [m]
constexpr double kSameCorrection = 0.5;      // and say the same [m]
constexpr double kSameCorrectionTurn = 0.1;  // [rad]

// World corrections that put a pose in the same place.
bool say_the_same(const Pose2& a, const Pose2& b, const Pose2& at) {
  const Pose2 off = inverse(a * at) * (b * at);
  return length(off.position()) < kSameCorrection && std::fabs(off.theta) < kSameCorrectionTurn;
}

}  // namespace

void Mapper::add(Sweep sweep) {
  const int newest = static_cast<int>(sweeps_.size());
  sweeps_.push_back(std::move(sweep));
  if (newest == 0) {
    graph_.add_node({});
    driven_.push_back(0);
    return;
  }
  const PoseLink step = link_by_odometry(placed(), newest);
  driven_.push_back(driven_.back() + length(step.from_from_to.position()) +
                    kTurnAsWay * std::fabs(step.from_from_to.theta));
  const Pose2 last = graph_.nodes().back();
  graph_.add_node(last * step.from_from_to);
  graph_.add_link(step);
  if (const auto match = link_by_matching(placed(), newest, params_.n_recent, params_.reach_m)) {
    graph_.add_link(*match);
    graph_.move(newest, last * match->from_from_to);
  }
  if (newest % kLoopEvery == 0) close_loops(newest);
}

// Earlier scans near the newest one, the nearest first, each of another view.
std::vector<int> Mapper::find_candidates(int newest, std::span<const double> ways, std::size_t most) const {
  struct Near {
    double distance = 0;
    int node = 0;
  };
  std::vector<Near> near;
  const Vec2 here = graph_.nodes()[static_cast<std::size_t>(newest)].position();
  for (int old = 0; old <= newest - 2 * params_.n_recent; ++old) {
    const auto i = static_cast<std::size_t>(old);
    if (driven_[static_cast<std::size_t>(newest)] - driven_[i] < kLeastLoop) break;
    const double off = distance(here, graph_.nodes()[i].position());
    if (off < kSight + std::min(params_.widest_m, params_.drift * ways[i])) near.push_back({off, old});
  }
  std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.distance < b.distance; });
  std::vector<int> chosen;
  for (const Near& candidate : near) {
    const auto same_view = [&](int other) { return std::abs(other - candidate.node) <= kApart; };
    if (std::none_of(chosen.begin(), chosen.end(), same_view)) chosen.push_back(candidate.node);
    if (chosen.size() == most) break;
  }
  return chosen;
}

void Mapper::close_loops(int newest) {
  const std::vector<double> ways = find_ways(graph_, driven_, newest);
  bool changed = false;
  for (const int old : find_candidates(newest, ways, kCandidates)) {
    const double way = ways[static_cast<std::size_t>(old)];
    const ClosureGuess guess{old, newest, std::min(params_.widest_m, 0.4 + params_.drift * way),
                             std::min(0.7, 0.1 + params_.turn_radpm * way)};
    const auto link = find_closure(placed(), guess, {params_.reach_m, params_.agreement});
    if (link && take(*link, way)) changed = true;
  }
  if (changed) graph_.optimize();
}

// True where the map has to change for it.
bool Mapper::take(const PoseLink& link, double way) {
  const Pose2 old = graph_.nodes()[static_cast<std::size_t>(link.from)],
              here = graph_.nodes()[static_cast<std::size_t>(link.to)];
  const Pose2 off = inverse(here) * (old * link.from_from_to);
  const bool expected = length(off.position()) < 0.3 + 0.01 * way && std::fabs(off.theta) < 0.06 + 0.002 * way;
  if (!expected) return confirm(link);
  graph_.add_link(link);
  return square_error(link, old, here) > kSurprise;
}

// What would move the map a lot must be seen twice.
bool Mapper::confirm(const PoseLink& link) {
  const Pose2 here = graph_.nodes()[static_cast<std::size_t>(link.to)];
  const Pose2 correction = graph_.nodes()[static_cast<std::size_t>(link.from)] * link.from_from_to * inverse(here);
  const double now = driven_[static_cast<std::size_t>(link.to)];
  std::erase_if(witnesses_, [&](const Witness& w) { return now - w.driven > kWitnessWay; });
  bool confirmed = false;
  for (const Witness& w : witnesses_) {
    if (now - w.driven < kOtherView || !say_the_same(correction, w.correction, here)) continue;
    graph_.add_link(w.link);
    confirmed = true;
  }
  if (confirmed) {
    graph_.add_link(link);
    witnesses_.clear();
  } else {
    witnesses_.push_back({link, correction, now});
  }
  return confirmed;
}

bool Mapper::is_linked(int old, int newest) const {
  return std::any_of(graph_.links().begin(), graph_.links().end(),
                     [&](const PoseLink& link) { return link.from == old && link.to == newest && link.weight > 0.3; });
}

// Views of one place that are not linked yet.
bool Mapper::look_again(int newest) {
  bool found = false;
  for (const int old : find_candidates(newest, find_ways(graph_, driven_, newest), kMoreCandidates)) {
    const Vec2 there = graph_.nodes()[static_cast<std::size_t>(old)].position();
    const double off = distance(there, graph_.nodes()[static_cast<std::size_t>(newest)].position());
    if (off > kSight || is_linked(old, newest)) continue;
    const auto link = find_closure(placed(), {old, newest, 0.5, 0.15, 5}, {params_.reach_m, params_.agreement});
    if (link) graph_.add_link(*link);
    found = found || link;
  }
  return found;
}

void Mapper::finish(const std::function<bool(double)>& go_on) {
  graph_.optimize();
  const int n = static_cast<int>(sweeps_.size());
  for (int round = 0; round < kRounds; ++round) {
    for (int newest = 0; newest < n; ++newest) {
      if (go_on && !go_on((round + static_cast<double>(newest) / n) / kRounds)) return;
      (void)look_again(newest);
    }
    graph_.optimize();
  }
}

int Mapper::n_closures() const {
  return static_cast<int>(std::count_if(graph_.links().begin(), graph_.links().end(), [](const PoseLink& link) {
    return std::abs(link.to - link.from) > 1 && link.weight > 0.1;
  }));
}

}  // namespace forerun::mapping
