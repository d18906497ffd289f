// The beams of a fan are cast in sweeps: neighbours walk through the tiles together, and a segment that they come
// across is drawn over all the beams that it covers, where it is the nearest so far. Nearest means the largest
// 1/distance, which needs no division a beam.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "forerun/base/check.hpp"
#include "forerun/world/cut.hpp"
#include "forerun/world/face.hpp"
#include "forerun/world/fan.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::world {
namespace {

constexpr double kOpening = 0.8;        // of a sweep [rad]: wider ones look behind walls, narrower ones look twice
constexpr double kSmallestStep = 1e-7;  // beams nearer to each other than this are cast one by one [rad]
constexpr double kFarthest = 1e12;      // [m]
constexpr std::size_t kWaiting = 16;    // segments whose beams are found before the first of them is drawn
constexpr double kNothing = -1;

// Two numbers at once; compilers turn these into vector instructions where there are any.
using Two = double __attribute__((vector_size(16)));

Two load(const double* from) noexcept {
  Two two;
  std::memcpy(&two, from, sizeof two);
  return two;
}
void store(double* to, Two two) noexcept { std::memcpy(to, &two, sizeof two); }
Two both(double x) noexcept { return Two{x, x}; }

// What has to be exceeded; what stands exactly at the maximum distance counts, in spite of rounding.
double to_nearness(double max_distance) noexcept {
  return max_distance > 0 ? std::max((1 - 1e-15) / max_distance, 1 / kFarthest) : kInfinity;
}

// A segment seen from an origin. A beam meets it where the ends lie on different sides of the beam, or on it.
struct Seen {
  Vec2 a;
  Vec2 b;
  Vec2 along;         // unit vector from a to b, divided by the height; zero: edge on, never met
  double height = 0;  // of the origin over the segment's line; positive where b is to the left of a
};

Seen see(Vec2 a, Vec2 b, Vec2 along, Vec2 origin) noexcept {
  Seen seen;
  seen.a = a - origin;
  seen.b = b - origin;
  seen.height = cross(seen.a, along);
  seen.along = along * (std::fabs(seen.height) > kTouching ? 1 / seen.height : 0);
  return seen;
}

// A segment and the beams that it may cover.
struct Drawing {
  Seen seen;
  double number = 0;
  std::int32_t low = 0;
  std::int32_t high = 0;
};

// The beams of one block of a fan.
struct Beams {
  // two more than the block, because beams go in pairs
  std::array<double, kFanBlock + 2> x;  // directions
  std::array<double, kFanBlock + 2> y;
  std::array<double, kFanBlock + 2> nearness;  // of what has been met [1/m]
  std::array<double, kFanBlock + 2> segment;   // its number
  // finding the beams takes long, but several segments at a time do not take longer
  std::array<Drawing, kWaiting + 1> waiting;
  std::size_t n_waiting = 0;

  Beams(const Fan& fan, std::size_t first_beam, std::size_t n_beams) noexcept {
    fan_directions(fan, first_beam, {x.data(), n_beams}, {y.data(), n_beams});
    x[n_beams] = y[n_beams] = 0;
    std::fill_n(nearness.begin(), n_beams + 1, to_nearness(fan.max_distance));
    std::fill_n(segment.begin(), n_beams + 1, kNothing);
  }

  void draw_waiting() noexcept {
    for (std::size_t i = 0; i < n_waiting; ++i) draw(waiting[i]);
    n_waiting = 0;
  }

  void draw(const Drawing& drawing) noexcept {
    const Seen& seen = drawing.seen;
    const Two a_x = both(seen.a.x), a_y = both(seen.a.y), b_x = both(seen.b.x), b_y = both(seen.b.y);
    const Two along_x = both(seen.along.x), along_y = both(seen.along.y);
    const Two zero = both(0), number = both(drawing.number);
    for (auto i = static_cast<std::size_t>(drawing.low & ~1); i <= static_cast<std::size_t>(drawing.high); i += 2) {
      const Two beam_x = load(&x[i]);
      const Two beam_y = load(&y[i]);
      const Two before = load(&nearness[i]);
      const Two sides = (a_x * beam_y - a_y * beam_x) * (beam_x * b_y - beam_y * b_x);
      const Two near = beam_x * along_y - beam_y * along_x;
      const Two met = sides >= zero ? near : zero;
      store(&segment[i], met > before ? number : load(&segment[i]));
      store(&nearness[i], met > before ? met : before);
    }
  }
};

}  // namespace

struct Slice::Nearest {
  double nearness;  // 1 / distance [1/m]
  double segment = kNothing;
};

// Neighbouring beams on their way through the tiles.
struct Slice::Sweep {
  Beams& beams;
  Vec2 origin;
  std::size_t first;  // the beams that have not been stopped yet lie between these
  std::size_t last;
  bool along_x;
  Vec2 middle;         // direction of the beam in the middle
  double middle_beam;  // its number
  double beams_per_rad;
  double slack;  // by which beam numbers may be wrong
  Remembered<64> remembered;

  Sweep(Beams& all, const Fan& fan, std::size_t from, std::size_t to) noexcept
      : beams(all), origin(fan.origin), first(from), last(to) {
    const std::size_t center = (first + last) / 2;
    middle = {beams.x[center], beams.y[center]};
    middle_beam = static_cast<double>(center);
    along_x = std::fabs(middle.x) >= std::fabs(middle.y);
    beams_per_rad = first == last ? 0 : 1 / fan.angle_step;
    slack = 0.01 + 1e-4 * std::fabs(beams_per_rad);
  }

  [[nodiscard]] Vec2 direction(std::size_t beam) const noexcept { return {beams.x[beam], beams.y[beam]}; }
  [[nodiscard]] Wedge wedge(Vec2 origin_in_tiles) const noexcept {
    return {origin_in_tiles, direction(first), direction(last), along_x};
  }

  // Forgets outer beams that are stopped before `distance` along the axis; false when none is left.
  bool stop_before(double distance, Wedge& wedge) noexcept {
    const auto& along = along_x ? beams.x : beams.y;
    const auto stopped = [&](std::size_t i) { return beams.nearness[i] * distance >= std::fabs(along[i]); };
    const std::size_t n = last - first;
    while (stopped(first)) {
      if (first == last) return false;
      ++first;
    }
    while (last > first && stopped(last)) --last;
    if (last - first != n) wedge.aim(direction(first), direction(last), along_x);
    return true;
  }

  // Finds the beams that a segment may cover.
  void add(const Seen& seen, std::uint32_t number) noexcept {
    // tangents of the angles from the middle; an end behind the origin counts as far out on its own side
    constexpr double kWidest = 0.5;  // more than tan(kOpening / 2)
    const Two x = {seen.a.x, seen.b.x}, y = {seen.a.y, seen.b.y};
    const Two ahead = x * middle.x + y * middle.y;
    const Two aside = y * middle.x - x * middle.y;
    const double side = std::copysign(kWidest, seen.height);
    Two t = aside / ahead;
    t = t < both(kWidest) ? t : both(kWidest);
    t = t > both(-kWidest) ? t : both(-kWidest);
    t = ahead > both(0) ? t : Two{-side, side};
    // the series of the arc tangent, wrong by less than 1e-4 within the sweep
    const Two t2 = t * t;
    const Two angle = t - t * t2 * (1.0 / 3 - t2 * (1.0 / 5 - t2 * (1.0 / 7)));
    const Two beam = angle * beams_per_rad + middle_beam;
    const double low = std::max(std::min(beam[0], beam[1]) - slack, static_cast<double>(first));
    const double high = std::min(std::max(beam[0], beam[1]) + slack, static_cast<double>(last));
    // no branch: whether it covers any is hard to guess
    beams.waiting[beams.n_waiting] = {seen, static_cast<double>(number), static_cast<std::int32_t>(low),
                                      static_cast<std::int32_t>(high)};
    beams.n_waiting += low <= high ? 1 : 0;
    if (beams.n_waiting == kWaiting) beams.draw_waiting();
  }
};

Slice::Slice(const World& world, double height) : height_(height) {
  std::vector<TiledItem> items;
  for (const CutSegment& s : join(cut(world, height))) {
    const Vec2 d = s.line.b - s.line.a;
    segments_.push_back({s.line.a, s.line.b, d * (1 / length(d))});
    surfaces_.push_back({s.normal, s.material});
    items.push_back({s.line.a, s.line.b, s.line.b, s.line.b});
  }
  tiling_ = Tiling(items, {.tiles_per_item = 3});
}

Hit Slice::hit_of(const Nearest& nearest, Vec2 direction) const noexcept {
  if (nearest.segment == kNothing) return {};
  const Surface& surface = surfaces_[static_cast<std::size_t>(nearest.segment)];
  return {1 / nearest.nearness, turn_against(surface.normal, {direction.x, direction.y, 0}), surface.material};
}

Hit Slice::cast(Vec2 origin, Vec2 direction, double max_distance) const noexcept {
  Nearest nearest{to_nearness(max_distance)};
  const Vec2 size = {std::fabs(direction.x), std::fabs(direction.y)};
  const bool along_x = size.x >= size.y;
  const double speed = along_x ? size.x : size.y;
  Wedge wedge(tiling_.to_tiles(origin), direction, direction, along_x);
  const Strips& strips = along_x ? tiling_.along_x() : tiling_.along_y();
  walk(strips, wedge, [&](const Crossing& at) {
    for (const std::uint32_t item : strips.tiles(at.strip, at.low_tile, at.high_tile)) {
      const Segment& s = segments_[item];
      const Seen seen = see(s.a, s.b, s.along, origin);
      const double near = cross(direction, seen.along);
      if (!(near > nearest.nearness)) continue;
      if (cross(seen.a, direction) * cross(direction, seen.b) >= 0) nearest = {near, static_cast<double>(item)};
    }
    return nearest.nearness * (at.far * tiling_.tile() - tiling_.margin()) < speed;
  });
  return hit_of(nearest, direction);
}

void Slice::cast_together(Sweep& sweep) const noexcept {
  Wedge wedge = sweep.wedge(tiling_.to_tiles(sweep.origin));
  const Strips& strips = sweep.along_x ? tiling_.along_x() : tiling_.along_y();
  walk(strips, wedge, [&](const Crossing& at) {
    for (const std::uint32_t item : strips.tiles(at.strip, at.low_tile, at.high_tile)) {
      if (!sweep.remembered.add(item)) continue;
      const Segment& s = segments_[item];
      sweep.add(see(s.a, s.b, s.along, sweep.origin), item);
    }
    sweep.beams.draw_waiting();
    return sweep.stop_before(at.far * tiling_.tile() - tiling_.margin(), wedge);
  });
}

// Calls `take(beam, nearest, direction)` for each beam.
template <class Take>
void Slice::cast_fan(const Fan& fan, std::size_t n_beams, Take&& take) const noexcept {
  const double step = std::fabs(fan.angle_step);
  const auto n_together = static_cast<std::size_t>(step > kSmallestStep ? std::max(kOpening / step, 1.0) : 1.0);
  for (std::size_t start = 0; start < n_beams; start += kFanBlock) {
    const std::size_t n = std::min(kFanBlock, n_beams - start);
    Beams beams(fan, start, n);
    for (std::size_t i = 0; i < n; i += n_together) {
      Sweep sweep(beams, fan, i, std::min(i + n_together, n) - 1);
      cast_together(sweep);
    }
    for (std::size_t i = 0; i < n; ++i)
      take(start + i, Nearest{beams.nearness[i], beams.segment[i]}, Vec2{beams.x[i], beams.y[i]});
  }
}

void Slice::cast_fan(const Fan& fan, std::span<Hit> hits) const noexcept {
  cast_fan(fan, hits.size(),
           [&](std::size_t i, const Nearest& nearest, Vec2 direction) { hits[i] = hit_of(nearest, direction); });
}

void Slice::cast_fan(const Fan& fan, std::span<double> distances) const noexcept {
  cast_fan(fan, distances.size(), [&](std::size_t i, const Nearest& nearest, Vec2) {
    distances[i] = nearest.segment == kNothing ? kInfinity : 1 / nearest.nearness;
  });
}

}  // namespace forerun::world
