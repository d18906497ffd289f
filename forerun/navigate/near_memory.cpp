#include "forerun/navigate/near_memory.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/navigate/unmapped.hpp"

namespace forerun::navigate {
namespace {

constexpr double kOffMap = 0.2;      // what is met so far from everything on the map is not on it [m]
constexpr double kSamePlace = 0.03;  // a point so near to a trace renews it [m]
constexpr double kSurely = 0.5;      // seen there for longer, it is something that stands [s]
constexpr double kShort = 3.0;       // what was seen once is remembered for so long, …
constexpr double kLong = 15.0;       // what stands for so long, …
constexpr double kHunch = 1.0;       // and what is only suspected for so long [s]
constexpr double kAlone = 20.0;  // after so long without anything unmapped the robot is on its planned way again [s]
constexpr double kClose = 0.02;  // nothing is suspected nearer than this to the footprint [m]
constexpr double kBeamWidth = 0.03;  // a beam that passes nearer than this to a trace shows that nothing is there [m]
constexpr double kBefore = 0.08;     // but not so near before what it meets [m]

}  // namespace

void NearMemory::update(const robot::Description& robot, const PlanningModel& model, const sense::Readings& readings,
                        const Pose2& odometry, const Transform2& world_from_robot, RobotTime now) noexcept {
  points_.clear();
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    const sense::Reading& reading = readings.sensors[i];
    const View view{.model = model,
                    .world_from_robot = world_from_robot,
                    .robot_from_then = Transform2(inverse(odometry) * reading.odometry),
                    .odometry_from_then = Transform2(reading.odometry),
                    .time = reading.time,
                    .rim = robot.footprint.radius};
    const std::span<const float> values(reading.values);
    const auto see = [&](const auto& ring) {
      if constexpr (
          requires { ring.first_bearing + ring.ring_radius + ring.max_range; } && !requires { ring.cone_angle; }) {
        look({ring.first_bearing, ring.ring_radius, ring.max_range}, values, view);
      }
    };
    std::visit(see, robot.sensors[i]);
    if (const auto* ring = std::get_if<robot::BumperRing>(&robot.sensors[i])) {
      feel(*ring, values, view);
    }
  }
  fade(now);
  const Transform2 odometry_from_robot(odometry);
  const bool is_alone = to_seconds(now - met_unmapped_) > kAlone;
  for (const Trace& trace : traces_) {
    if (trace.kind == Kind::known && is_alone) continue;
    points_.push_back(odometry_from_robot.to_local(trace.place));
  }
}

void NearMemory::forget() noexcept {
  traces_.clear();
  met_unmapped_ = RobotTime{INT64_MIN / 2};
}

void NearMemory::look(const Beams& ring, std::span<const float> ranges, const View& view) noexcept {
  const auto ray = [&](std::size_t i) {
    return unit_vector(ring.first_bearing + static_cast<double>(i) * kTwoPi / static_cast<double>(ranges.size()));
  };
  const auto end = [&](std::size_t i, double range) { return ray(i) * (ring.ring_radius + std::max(0.0, range)); };
  const auto range_of = [&](std::size_t i) { return std::min(static_cast<double>(ranges[i]), ring.max_range); };
  const auto meets = [&](std::size_t i) { return static_cast<double>(ranges[i]) <= ring.max_range; };
  const auto meets_unmapped = [&](std::size_t i) {
    return meets(i) &&
           is_off_map(view.model, view.world_from_robot * (view.robot_from_then * end(i, range_of(i))), kOffMap);
  };
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (range_of(i) > kBefore) clear_along(ray(i) * ring.ring_radius, end(i, range_of(i) - kBefore), view);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t next = i + 1 < ranges.size() ? i + 1 : 0;
    const bool unmapped = meets_unmapped(i);
    if (meets(i)) remember(end(i, range_of(i)), view, unmapped ? Kind::unmapped : Kind::known);
    if (unmapped || meets_unmapped(next)) suspect(end(i, range_of(i)), end(next, range_of(next)), view);
  }
}

// A right-angled corner of what two neighbouring beams show may stand out between them, as far as Thales' circle.
void NearMemory::suspect(Vec2 first, Vec2 second, const View& view) noexcept {
  const Vec2 middle = (first + second) * 0.5;
  const double out = 0.5 * distance(first, second), far = length(middle);
  if (far <= 0) return;
  remember(middle * (std::max(view.rim + kClose, far - out) / far), view, Kind::suspected);
}

void NearMemory::feel(const robot::BumperRing& ring, std::span<const float> pressed, const View& view) noexcept {
  for (std::size_t i = 0; i < pressed.size(); ++i) {
    if (pressed[i] == 0) continue;
    const double bearing = static_cast<double>(i) * kTwoPi / static_cast<double>(ring.count);
    remember(unit_vector(bearing) * view.rim, view, Kind::unmapped);
  }
}

void NearMemory::remember(Vec2 point_in_then, const View& view, Kind kind) noexcept {
  if (kind == Kind::unmapped) met_unmapped_ = view.time;
  const Vec2 place = view.odometry_from_then * point_in_then;
  for (Trace& trace : traces_) {
    if (distance(trace.place, place) >= kSamePlace) continue;
    if (kind == Kind::suspected) return;
    trace = {place, trace.kind == Kind::suspected ? view.time : trace.first, view.time, kind};
    return;
  }
  if (traces_.push_back({place, view.time, view.time, kind})) return;
  const auto older = [](const Trace& a, const Trace& b) { return a.last < b.last; };
  *std::min_element(traces_.begin(), traces_.end(), older) = {place, view.time, view.time, kind};
}

void NearMemory::clear_along(Vec2 from_in_then, Vec2 to_in_then, const View& view) noexcept {
  const Segment2 beam{view.odometry_from_then * from_in_then, view.odometry_from_then * to_in_then};
  std::size_t kept = 0;
  for (const Trace& trace : traces_) {
    const bool shines_through = distance(nearest_point(beam, trace.place), trace.place) < kBeamWidth;
    if (!shines_through || trace.last >= view.time) traces_[kept++] = trace;
  }
  traces_.resize(kept);
}

void NearMemory::fade(RobotTime now) noexcept {
  std::size_t kept = 0;
  for (const Trace& trace : traces_) {
    const bool stands = to_seconds(trace.last - trace.first) > kSurely;
    const double lasts =
        trace.kind == Kind::suspected ? kHunch : (stands || trace.kind == Kind::known ? kLong : kShort);
    if (to_seconds(now - trace.last) <= lasts) traces_[kept++] = trace;
  }
  traces_.resize(kept);
}

}  // namespace forerun::navigate
