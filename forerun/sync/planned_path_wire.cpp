#include "forerun/sync/planned_path_wire.hpp"

#include <algorithm>

#include "forerun/base/fixed_point.hpp"
#include "forerun/sync/units.hpp"

namespace forerun::sync {
namespace {

constexpr double kPositionUnit = 1e-4;          // in which reports say where the robot is [m]
constexpr double kFinestStep = 1e-3;            // [m]
constexpr std::int64_t kFarthestPoint = 32767;  // from the robot, and …
constexpr std::int64_t kWidestPath = 24575;     // … across the path, so that a robot beside it reaches it all [steps]

double step_of(int exponent) noexcept { return kFinestStep * static_cast<double>(1 << exponent); }

bool is_place(Vec2 p) noexcept {
  return p.x >= -kFarthest && p.x <= kFarthest && p.y >= -kFarthest && p.y <= kFarthest;
}

struct Steps {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

Steps in_steps(Vec2 p, double step) noexcept {
  return {static_cast<std::int64_t>(std::floor(p.x / step + 0.5)),
          static_cast<std::int64_t>(std::floor(p.y / step + 0.5))};
}

// Where points are counted from. Both sides find the same, because they begin with the numbers that travel.
Steps origin_of(Vec2 here, int exponent) noexcept {
  const std::int64_t per_step = std::int64_t{10} << exponent;
  const auto floor_of = [&](std::int64_t n) { return (n - (n < 0 ? per_step - 1 : 0)) / per_step; };
  const Steps units = in_steps(here, kPositionUnit);
  return {floor_of(units.x), floor_of(units.y)};
}

// Goes by how wide the path is, not by where on it the robot is: else the step would become another one on the way,
// and a path that is repeated would not be quite the same.
bool fits(const robot::PlannedPath& path, Vec2 here, int exponent) noexcept {
  const Steps origin = origin_of(here, exponent);
  Steps low{}, high{};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Steps at = in_steps(path[i], step_of(exponent));
    low = i == 0 ? at : Steps{std::min(low.x, at.x), std::min(low.y, at.y)};
    high = i == 0 ? at : Steps{std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  const auto fits_along = [](std::int64_t from, std::int64_t to, std::int64_t robot) {
    return to - from <= kWidestPath && robot - from <= kFarthestPoint && to - robot <= kFarthestPoint;
  };
  return path.empty() || (fits_along(low.x, high.x, origin.x) && fits_along(low.y, high.y, origin.y));
}

}  // namespace

std::optional<PlannedPathContent> encode_planned_path(const robot::PlannedPath& path, Vec2 here) noexcept {
  if (!is_place(here) || !std::all_of(path.begin(), path.end(), is_place)) return std::nullopt;
  int exponent = 0;
  while (exponent < kLargestPlanExponent && !fits(path, here, exponent)) ++exponent;
  const Steps origin = origin_of(here, exponent);
  PlannedPathContent content;
  content.resize(kPlannedPathHeaderSize + path.size() * kPlannedPointSize);
  ByteWriter out(MutableBytes(content.data(), content.size()));
  out.u8(static_cast<std::uint8_t>(exponent));
  out.u8(static_cast<std::uint8_t>(path.size()));
  for (const Vec2 point : path) {
    const Steps at = in_steps(point, step_of(exponent));
    out.i16(static_cast<std::int16_t>(at.x - origin.x));
    out.i16(static_cast<std::int16_t>(at.y - origin.y));
  }
  return content;
}

std::optional<robot::PlannedPath> decode_planned_path(Bytes content, Vec2 here) noexcept {
  ByteReader in(content);
  const int exponent = in.u8();
  const std::size_t count = in.u8();
  if (exponent > kLargestPlanExponent || count > robot::PlannedPath::capacity()) return std::nullopt;
  const Steps origin = origin_of(here, exponent);
  robot::PlannedPath path;
  for (std::size_t i = 0; i < count; ++i) {
    // two statements: the order matters
    const std::int64_t x = (origin.x + in.i16()) * (std::int64_t{1} << exponent);
    const std::int64_t y = (origin.y + in.i16()) * (std::int64_t{1} << exponent);
    // divided, so that a millimetre is written with three digits
    path.push_back({static_cast<double>(x) / 1e3, static_cast<double>(y) / 1e3});
    if (!is_place(path.back())) return std::nullopt;
  }
  return in.ok() ? std::optional(path) : std::nullopt;
}

}  // namespace forerun::sync
