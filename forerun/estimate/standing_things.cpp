#include "forerun/estimate/standing_things.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/world/mover.hpp"

namespace forerun::estimate {
namespace {

using robot::Change;

constexpr double kReach = 6;        // what is farther off is not judged [m]
constexpr double kThrough = 0.12;   // a beam that ends so much farther has gone through [m]
constexpr int kMisses = 4;          // so many times in a row: there is nothing any more
constexpr int kCrossing = 3;        // so many beams go into its middle …
constexpr double kFarInto = 0.25;   // … and on for so far: it is not there [m]
constexpr double kEdge = 0.1;       // of a box, where its place is not sure [m]
constexpr double kApart = 0.04;     // spots that are nearer are one [m]
constexpr double kTogether = 0.15;  // things that are nearer may be one [m] …
constexpr double kLongest = 1.25;   // … of a box with halves up to this [m] …
constexpr double kInside = 0.15;    // … that no beam comes so far into [m]
constexpr double kMargin = 0.1;     // echoes so near to a box are its own [m]
constexpr double kThinnest = 0.05;  // half of a box that was seen from one side [m]
constexpr double kWidest = 2.5;     // half [m]
constexpr int kHeadings = 30;       // a box may have, in a quarter turn

// A rectangle around points, along a heading.
struct Frame {
  double heading = 0;
  Vec2 low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};

  void add(Vec2 p) noexcept {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  [[nodiscard]] Vec2 half() const noexcept {
    return {clamp(0.5 * (high.x - low.x), kThinnest, kWidest), clamp(0.5 * (high.y - low.y), kThinnest, kWidest)};
  }
  // From the nearest of its sides.
  [[nodiscard]] double off_sides(Vec2 p) const noexcept {
    return std::min({p.x - low.x, high.x - p.x, p.y - low.y, high.y - p.y});
  }
};

// Of many headings the one at which the points lie on the sides: of a box one sees two sides or three, and the smallest
// rectangle around these may well be a slanted one. `visit(see)` calls see(point) for each point.
template <class VisitPoints>
Frame best_frame(VisitPoints&& visit) noexcept {
  Frame best;
  double least = kInfinity;
  for (int i = 0; i < kHeadings; ++i) {
    Frame frame{.heading = 0.5 * kPi * i / kHeadings};
    const SinCos turn = sincos(frame.heading);
    const auto along = [&](Vec2 p) { return Vec2{p.x * turn.cos + p.y * turn.sin, p.y * turn.cos - p.x * turn.sin}; };
    visit([&](Vec2 p) { frame.add(along(p)); });
    double off = 0;
    visit([&](Vec2 p) { off += frame.off_sides(along(p)); });
    if (!(off < least)) continue;
    least = off;
    best = frame;
  }
  return best;
}

void fit(Change& box, const Frame& frame) noexcept {
  const Vec2 middle = Transform2(Pose2{0, 0, frame.heading}).rotate((frame.low + frame.high) * 0.5);
  box.pose = {middle.x, middle.y, frame.heading};
  box.half_length = frame.half().x;
  box.half_width = frame.half().y;
}

world::Mover mover_of(const Change& box) noexcept {
  return world::make_box(box.pose, {2 * box.half_length, 2 * box.half_width}, 1, 0);
}

// False: something is there. Nothing where nobody can tell: the place is hidden, or beside the edge of what hides it.
std::optional<bool> goes_through(const Fan& fan, Vec2 place) noexcept {
  const double far = distance(fan.from, place);
  const auto number = far < kReach ? fan.towards(place) : std::nullopt;
  if (!number) return std::nullopt;
  // beside an edge one beam goes past and the next one meets it: both must go through
  const std::size_t first = *number > 0 ? *number - 1 : 0, last = std::min(*number + 1, fan.beams.size() - 1);
  bool through = true, ends = false;
  for (std::size_t b = first; b <= last; ++b) {
    const Beam& beam = fan.beams[b];
    through = through && beam.valid && beam.range > far + kThrough;
    ends = ends || (beam.valid && std::fabs(beam.range - far) <= kThrough);
  }
  return through || ends ? std::optional(through) : std::nullopt;
}

// The middle of a box, where beams that cross it do not only pass its edge.
world::Mover core_of(const Change& box) noexcept {
  const auto inner = [](double half) { return 2 * (half - std::min(kEdge, 0.4 * half)); };
  return world::make_box(box.pose, {inner(box.half_length), inner(box.half_width)}, 1, -1);
}

// How many beams go far into it.
int n_into(const world::Mover& core, std::span<const Fan> fans) noexcept {
  int n = 0;
  for (const Fan& fan : fans) {
    if (distance(fan.from, core.pose.position()) > kReach) continue;
    for (const Beam& beam : fan.beams) {
      const double farthest = beam.range - kFarInto;
      if (!beam.valid || farthest <= 0) continue;
      world::Hit hit{.distance = farthest};
      cast_on(core, {{fan.from.x, fan.from.y, 0}, {beam.direction.x, beam.direction.y, 0}, farthest}, hit);
      n += hit.distance < farthest ? 1 : 0;
    }
  }
  return n;
}

}  // namespace

bool StandingThings::may_be_part(Vec2 place) const noexcept {
  return std::any_of(boxes_.begin(), boxes_.end(),
                     [&](const Change& box) { return world::comes_within(mover_of(box), place, kMargin); });
}

void StandingThings::remove(std::size_t i) noexcept {
  std::move(boxes_.begin() + i + 1, boxes_.end(), boxes_.begin() + i);
  std::move(evidence_.begin() + i + 1, evidence_.end(), evidence_.begin() + i);
  boxes_.pop_back();
  evidence_.pop_back();
}

std::uint16_t StandingThings::number_anew(std::uint16_t first) noexcept {
  for (Change& box : boxes_) box.number = first++;
  return first;
}

void StandingThings::look(std::span<const Fan> fans) noexcept {
  for (std::size_t i = boxes_.size(); i-- > 0;) {
    if (!look_at(boxes_[i], evidence_[i], fans)) remove(i);
  }
}

bool StandingThings::look_at(Change& box, Evidence& evidence, std::span<const Fan> fans) noexcept {
  Spots& spots = evidence.spots;
  const std::size_t before = spots.size();
  bool is_there = false;
  for (Spot& spot : spots) {
    for (const Fan& fan : fans) {
      const auto through = goes_through(fan, spot.place);
      if (!through) continue;
      spot.missed = *through ? spot.missed + 1 : 0;
      is_there = is_there || !*through;
    }
  }
  // what of it was seen may be out of sight now
  const bool is_crossed = !is_there && n_into(core_of(box), fans) >= kCrossing;
  evidence.crossed = is_there ? 0 : evidence.crossed + (is_crossed ? 1 : 0);
  const auto end = std::remove_if(spots.begin(), spots.end(), [](const Spot& spot) { return spot.missed >= kMisses; });
  spots.resize(static_cast<std::size_t>(end - spots.begin()));
  // things go as a whole: what of it is out of sight has gone too
  if (spots.size() < 2 || evidence.crossed >= kMisses || (spots.size() < before && !is_there)) return false;
  if (spots.size() < before) {
    fit(box, best_frame([&](auto&& add) {
          for (const Spot& spot : spots) add(spot.place);
        }));
  }
  return true;
}

// Some beam comes far into the box before it ends.
bool is_looked_into(const Change& box, std::span<const Fan> fans) noexcept {
  const Vec2 inside{2 * (box.half_length - kInside), 2 * (box.half_width - kInside)};
  if (!(inside.x > 0 && inside.y > 0)) return false;
  const world::Mover core = world::make_box(box.pose, inside, 1, -1);
  return std::any_of(fans.begin(), fans.end(), [&](const Fan& fan) {
    return std::any_of(fan.beams.begin(), fan.beams.end(), [&](const Beam& beam) {
      if (!beam.valid) return false;
      world::Hit hit{.distance = beam.range};
      cast_on(core, {{fan.from.x, fan.from.y, 0}, {beam.direction.x, beam.direction.y, 0}, beam.range}, hit);
      return hit.distance < beam.range;
    });
  });
}

// The box that these points may be part of; all boxes' number where there is none.
std::size_t StandingThings::find(const Points& points, std::span<const Fan> fans) const noexcept {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const world::Mover box = mover_of(boxes_[i]);
    const bool near =
        std::any_of(points.begin(), points.end(), [&](Vec2 p) { return world::comes_within(box, p, kTogether); });
    if (!near) continue;
    Change both;
    fit(both, best_frame([&](auto&& add) {
          for (const Spot& spot : evidence_[i].spots) add(spot.place);
          std::for_each(points.begin(), points.end(), add);
        }));
    if (std::max(both.half_length, both.half_width) <= kLongest && !is_looked_into(both, fans)) return i;
  }
  return boxes_.size();
}

bool StandingThings::take(const Points& points, std::span<const Fan> fans, std::uint16_t number) noexcept {
  const std::size_t i = find(points, fans);
  const bool is_new = i == boxes_.size();
  if (is_new && (!boxes_.push_back({.number = number}) || !evidence_.push_back({}))) return false;
  Spots& spots = evidence_[i].spots;
  for (const Vec2 p : points) {
    const bool known =
        std::any_of(spots.begin(), spots.end(), [&](const Spot& s) { return distance(s.place, p) < kApart; });
    if (!known) (void)spots.push_back({p, 0});
  }
  fit(boxes_[i], best_frame([&](auto&& add) {
        for (const Spot& spot : spots) add(spot.place);
      }));
  return is_new;
}

}  // namespace forerun::estimate
