#include "forerun/estimate/standing_things.hpp"

#include <algorithm>
#include <array>

#include "forerun/world/mover.hpp"

namespace forerun::estimate {
namespace {

using robot::Change;

constexpr double kReach = 6;         // what is farther off is not judged [m]
constexpr double kThrough = 0.12;    // a beam that ends so much farther has gone through [m]
constexpr int kMisses = 4;           // so many times in a row: there is nothing any more
constexpr double kApart = 0.04;      // spots that are nearer are one [m]
constexpr double kTogether = 0.15;   // things that are nearer may be one [m] …
constexpr double kMostLonger = 1.3;  // … unless their box would have more than this times their area
constexpr double kLeastArea = 0.12;  // [m²]
constexpr double kMargin = 0.1;      // echoes so near to a box are its own [m]
constexpr double kThinnest = 0.05;   // half of a box that was seen from one side [m]
constexpr double kWidest = 2.5;      // half [m]
constexpr int kHeadings = 30;        // a box may have, in a quarter turn

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
  [[nodiscard]] double area() const noexcept { return 4 * half().x * half().y; }
};

// The smallest of many headings. `visit(add)` calls add(point) for each point.
template <class VisitPoints>
Frame smallest_frame(VisitPoints&& visit) noexcept {
  Frame best;
  for (int i = 0; i < kHeadings; ++i) {
    Frame frame{.heading = 0.5 * kPi * i / kHeadings};
    const SinCos turn = sincos(frame.heading);
    visit([&](Vec2 p) { frame.add({p.x * turn.cos + p.y * turn.sin, p.y * turn.cos - p.x * turn.sin}); });
    if (i == 0 || frame.area() < best.area()) best = frame;
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

// Nothing where the place is out of sight.
std::optional<bool> goes_through(const Fan& fan, Vec2 place) noexcept {
  const double far = distance(fan.from, place);
  const auto number = far < kReach ? fan.towards(place) : std::nullopt;
  if (!number) return std::nullopt;
  // beside an edge one beam goes past and the next one meets it: both must go through
  const std::size_t first = *number > 0 ? *number - 1 : 0, last = std::min(*number + 1, fan.beams.size() - 1);
  bool through = true, hidden = true;
  for (std::size_t b = first; b <= last; ++b) {
    const Beam& beam = fan.beams[b];
    through = through && beam.valid && beam.range > far + kThrough;
    hidden = hidden && (!beam.valid || beam.range < far - kThrough);
  }
  return hidden ? std::nullopt : std::optional(through);
}

}  // namespace

bool StandingThings::may_be_part(Vec2 place) const noexcept {
  return std::any_of(boxes_.begin(), boxes_.end(),
                     [&](const Change& box) { return world::comes_within(mover_of(box), place, kMargin); });
}

void StandingThings::remove(std::size_t i) noexcept {
  std::move(boxes_.begin() + i + 1, boxes_.end(), boxes_.begin() + i);
  std::move(spots_.begin() + i + 1, spots_.end(), spots_.begin() + i);
  boxes_.pop_back();
  spots_.pop_back();
}

void StandingThings::look(std::span<const Fan> fans) noexcept {
  for (std::size_t i = boxes_.size(); i-- > 0;) {
    Spots& spots = spots_[i];
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
    const auto end =
        std::remove_if(spots.begin(), spots.end(), [](const Spot& spot) { return spot.missed >= kMisses; });
    spots.resize(static_cast<std::size_t>(end - spots.begin()));
    // things go as a whole: what of it is out of sight has gone too
    if (spots.size() < 2 || (spots.size() < before && !is_there)) {
      remove(i);
    } else if (spots.size() < before) {
      fit(boxes_[i], smallest_frame([&](auto&& add) {
            for (const Spot& spot : spots) add(spot.place);
          }));
    }
  }
}

// The box that these points may be part of; all boxes' number where there is none.
std::size_t StandingThings::find(const Points& points) const noexcept {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const world::Mover box = mover_of(boxes_[i]);
    const bool near =
        std::any_of(points.begin(), points.end(), [&](Vec2 p) { return world::comes_within(box, p, kTogether); });
    if (!near) continue;
    const double alone = smallest_frame([&](auto&& add) { std::for_each(points.begin(), points.end(), add); }).area();
    const double together = smallest_frame([&](auto&& add) {
                              for (const Spot& spot : spots_[i]) add(spot.place);
                              std::for_each(points.begin(), points.end(), add);
                            }).area();
    const double both = 4 * boxes_[i].half_length * boxes_[i].half_width + alone;
    if (together <= kMostLonger * both + kLeastArea) return i;
  }
  return boxes_.size();
}

bool StandingThings::take(const Points& points, std::uint16_t number) noexcept {
  const std::size_t i = find(points);
  const bool is_new = i == boxes_.size();
  if (is_new && (!boxes_.push_back({.number = number}) || !spots_.push_back({}))) return false;
  Spots& spots = spots_[i];
  for (const Vec2 p : points) {
    const bool known =
        std::any_of(spots.begin(), spots.end(), [&](const Spot& s) { return distance(s.place, p) < kApart; });
    if (!known) (void)spots.push_back({p, 0});
  }
  fit(boxes_[i], smallest_frame([&](auto&& add) {
        for (const Spot& spot : spots) add(spot.place);
      }));
  return is_new;
}

}  // namespace forerun::estimate
