#include "forerun/predict/shared_scans.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::predict {
namespace {

constexpr std::size_t kScans = 128;
constexpr double kStep = 0.06;         // between corners [m] …
constexpr double kStepOfRadius = 0.2;  // … and for small robots this share of their radius
constexpr int kHeadings = 32;          // in a turn: a laser's field of view ends somewhere

}  // namespace

SharedScans::SharedScans(const ReplicaModel& model)
    : step_(std::min(kStep, kStepOfRadius * model.robot.footprint.radius)), scans_(kScans) {
  for (Scan& scan : scans_) scan.readings = sense::make_readings(model.robot);
}

double SharedScans::bytes_for(const robot::Description& robot) noexcept {
  std::size_t bytes = sizeof(Scan);
  for (const robot::Sensor& sensor : robot.sensors) {
    bytes += sizeof(sense::Reading) + static_cast<std::size_t>(robot::reading_size(sensor)) * sizeof(float);
  }
  return static_cast<double>(kScans * bytes);
}

const sense::Readings& SharedScans::near(const Pose2& pose, double reach, const sense::Sensors& sensors) noexcept {
  const double heading_step = kTwoPi / kHeadings;
  const auto index = [](double x) { return static_cast<std::int32_t>(std::floor(x + 0.5)); };
  const std::int32_t x = index(pose.x / step_), y = index(pose.y / step_), heading = index(pose.theta / heading_step);
  // neighbours have different places
  const auto place = static_cast<std::uint32_t>(x + 11 * y + 37 * heading) % kScans;
  Scan& scan = scans_[place];
  if (scan.x == x && scan.y == y && scan.heading == heading && scan.reach == reach && scan.sensors == &sensors)
    return scan.readings;

  scan.x = x;
  scan.y = y;
  scan.heading = heading;
  scan.reach = reach;
  scan.sensors = &sensors;
  const Pose2 corner{x * step_, y * step_, normalize_angle(heading * heading_step)};
  Random unused(0);  // these sensors measure exactly
  for (std::size_t i = 0; i < scan.readings.sensors.size(); ++i) {
    scan.readings.sensors[i].odometry = corner;
    sensors.read(i, {.pose = corner, .movers = {}, .reach = reach + step_}, unused, scan.readings.sensors[i]);
  }
  return scan.readings;
}

}  // namespace forerun::predict
