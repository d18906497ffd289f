// Beams are cast in packets: eight neighbours walk through the tiles together, and each segment they come across is
// tested against all of them at once. Nearest means largest 1/distance, which needs no division per beam.
#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/world/cut.hpp"
#include "forerun/world/face.hpp"
#include "forerun/world/fan.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::world {
namespace {

constexpr std::size_t kWidth = 8;           // beams in a packet
constexpr double kMaxOpening = 0.3;         // of a packet [rad]; wider fans go beam by beam
constexpr double kFarthest = 1e12;          // [m]
constexpr std::size_t kRemembered = 16;     // segments, so that one in several tiles is tested once
constexpr std::int64_t kNothing = -1;

// two beams at once; compilers turn these into vector instructions where there are any
using Two = double __attribute__((vector_size(16)));
using TwoIds = long long __attribute__((vector_size(16)));

// `yes` where all bits of the mask are set, `no` where none is.
Two select(TwoIds mask, Two yes, Two no) noexcept {
  return reinterpret_cast<Two>((mask & reinterpret_cast<TwoIds>(yes)) | (~mask & reinterpret_cast<TwoIds>(no)));
}

double to_nearness(double max_distance) noexcept {
  return max_distance > 0 ? std::max(1 / max_distance, 1 / kFarthest) : kInfinity;
}

// A segment seen from an origin, turned so that its end `b` is to the left of `a`.
struct Seen {
  Vec2 a;
  Vec2 b;
  Vec2 along;
  double inverse_height;  // 1 / distance of the origin from the segment's line; 0: edge on, not seen

  Seen(Vec2 from_a, Vec2 from_b, Vec2 direction, Vec2 origin) noexcept {
    const Vec2 to_a = from_a - origin;
    const Vec2 to_b = from_b - origin;
    const double height = cross(to_a, direction);
    const double side = std::copysign(1.0, height);
    a = to_a * side;
    b = to_b * side;
    along = direction * side;
    inverse_height = std::fabs(height) > kTouching ? side / height : 0;
  }
};

}  // namespace

struct Slice::Nearest {
  double nearness;  // 1 / distance [1/m]
  std::int64_t segment = kNothing;
};

// Beams that are cast together, two in each vector.
struct Slice::Packet {
  std::array<Two, kWidth / 2> x;  // directions
  std::array<Two, kWidth / 2> y;
  std::array<Two, kWidth / 2> nearness;
  std::array<TwoIds, kWidth / 2> segment;
  Vec2 first;  // the outermost directions
  Vec2 last;

  // Takes the segment where it is the nearest so far; false where it is for no beam.
  bool test(const Seen& seen, long long id) noexcept {
    const Two a_x = {seen.a.x, seen.a.x}, a_y = {seen.a.y, seen.a.y};
    const Two b_x = {seen.b.x, seen.b.x}, b_y = {seen.b.y, seen.b.y};
    const Two u_x = {seen.along.x, seen.along.x}, u_y = {seen.along.y, seen.along.y};
    const Two scale = {seen.inverse_height, seen.inverse_height};
    const TwoIds ids = {id, id};
    TwoIds any = {0, 0};
    for (std::size_t i = 0; i < kWidth / 2; ++i) {
      const Two left_of_a = a_x * y[i] - a_y * x[i];
      const Two right_of_b = x[i] * b_y - y[i] * b_x;
      const Two near = (x[i] * u_y - y[i] * u_x) * scale;
      const TwoIds met = (left_of_a >= 0) & (right_of_b >= 0) & (near > nearness[i]);
      nearness[i] = select(met, near, nearness[i]);
      segment[i] = (met & ids) | (~met & segment[i]);
      any |= met;
    }
    return (any[0] | any[1]) != 0;
  }

  // How far along an axis the beams still have to be followed; `along` holds their parts on that axis [m].
  [[nodiscard]] double reach(const std::array<Two, kWidth / 2>& along) const noexcept {
    double farthest = 0;
    for (std::size_t i = 0; i < kWidth / 2; ++i) {
      const Two part = along[i] / nearness[i];
      farthest = std::max({farthest, std::fabs(part[0]), std::fabs(part[1])});
    }
    return farthest;
  }
};

Slice::Slice(const World& world, double height) : height_(height) {
  std::vector<Vec2> corners;
  for (const CutSegment& s : join(cut(world, height))) {
    const Vec2 d = s.line.b - s.line.a;
    segments_.push_back({s.line.a, s.line.b, d * (1 / length(d))});
    surfaces_.push_back({s.normal, s.material});
    corners.push_back(s.line.a);
    corners.push_back(s.line.b);
  }
  tiling_ = Tiling(corners, 2, {});
}

void Slice::cast_packet(Vec2 origin, Packet& packet) const noexcept {
  const Vec2 middle = packet.first + packet.last;
  const bool along_x = std::fabs(middle.x) >= std::fabs(middle.y);
  const Vec2 start = tiling_.to_tiles(origin);
  const double slope_1 = along_x ? packet.first.y / std::fabs(packet.first.x) : packet.first.x / std::fabs(packet.first.y);
  const double slope_2 = along_x ? packet.last.y / std::fabs(packet.last.x) : packet.last.x / std::fabs(packet.last.y);
  const Wedge wedge{.along = along_x ? start.x : start.y,
                    .across = along_x ? start.y : start.x,
                    .slope_right = std::min(slope_1, slope_2),
                    .slope_left = std::max(slope_1, slope_2),
                    .forward = (along_x ? middle.x : middle.y) > 0};
  const auto& parts = along_x ? packet.x : packet.y;
  std::array<std::uint32_t, kRemembered> remembered;
  remembered.fill(~0u);
  double reach = tiling_.to_tiles(packet.reach(parts) + tiling_.margin());
  walk(along_x ? tiling_.along_x() : tiling_.along_y(), wedge, reach, [&](auto items, double, double) {
    bool changed = false;
    for (const std::uint32_t item : items) {
      if (remembered[item % kRemembered] == item) continue;
      remembered[item % kRemembered] = item;
      const Segment& s = segments_[item];
      changed |= packet.test(Seen(s.a, s.b, s.along, origin), item);
    }
    if (changed) reach = tiling_.to_tiles(packet.reach(parts) + tiling_.margin());
    return reach;
  });
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
  const Vec2 start = tiling_.to_tiles(origin);
  const double slope = along_x ? direction.y / size.x : direction.x / size.y;
  const Wedge wedge{.along = along_x ? start.x : start.y,
                    .across = along_x ? start.y : start.x,
                    .slope_right = slope,
                    .slope_left = slope,
                    .forward = (along_x ? direction.x : direction.y) > 0};
  const auto reach = [&] { return tiling_.to_tiles(speed / nearest.nearness + tiling_.margin()); };
  walk(along_x ? tiling_.along_x() : tiling_.along_y(), wedge, reach(), [&](auto items, double, double) {
    for (const std::uint32_t item : items) {
      const Segment& s = segments_[item];
      const Seen seen(s.a, s.b, s.along, origin);
      const double near = cross(direction, seen.along) * seen.inverse_height;
      if (!(near > nearest.nearness)) continue;
      if (cross(seen.a, direction) >= 0 && cross(direction, seen.b) >= 0) nearest = {near, item};
    }
    return reach();
  });
  return hit_of(nearest, direction);
}

void Slice::cast_fan(const Fan& fan, std::span<Hit> hits) const noexcept {
  std::array<double, kFanBlock> x;
  std::array<double, kFanBlock> y;
  const bool narrow = std::fabs(fan.angle_step) * kWidth <= kMaxOpening;
  for (std::size_t block = 0; block < hits.size(); block += kFanBlock) {
    const std::size_t n = std::min(kFanBlock, hits.size() - block);
    fan_directions(fan, block, {x.data(), n}, {y.data(), n});
    for (std::size_t i = 0; i < n; i += kWidth) {
      Packet packet;
      for (std::size_t j = 0; j < kWidth; ++j) {
        const std::size_t beam = std::min(i + j, n - 1);
        packet.x[j / 2][j % 2] = x[beam];
        packet.y[j / 2][j % 2] = y[beam];
      }
      packet.nearness.fill(Two{to_nearness(fan.max_distance), to_nearness(fan.max_distance)});
      packet.segment.fill(TwoIds{kNothing, kNothing});
      packet.first = {x[i], y[i]};
      packet.last = {x[std::min(i + kWidth, n) - 1], y[std::min(i + kWidth, n) - 1]};
      if (narrow) cast_packet(fan.origin, packet);
      for (std::size_t j = 0; j < kWidth && i + j < n; ++j) {
        const Vec2 d = {x[i + j], y[i + j]};
        hits[block + i + j] = hit_of({packet.nearness[j / 2][j % 2], packet.segment[j / 2][j % 2]}, d);
      }
    }
  }
}

}  // namespace forerun::world
