#include "forerun/mission/recorded_path.hpp"

#include <algorithm>

namespace forerun::mission {
namespace {

// The least range of a reading, or whether one of its switches is pressed.
float digest(const robot::Sensor& sensor, const sense::Reading& reading) noexcept {
  if (reading.values.empty()) return 0;
  const auto [least, most] = std::minmax_element(reading.values.begin(), reading.values.end());
  return std::holds_alternative<robot::BumperRing>(sensor) ? *most : *least;
}

bool is_pressed(const sim::Loop& loop) noexcept {
  const auto& sensors = loop.model().robot.sensors;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (std::holds_alternative<robot::BumperRing>(sensors[i]) && digest(sensors[i], loop.readings().sensors[i]) > 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<double> lengths_along(std::span<const PathPoint> path) {
  std::vector<double> lengths(path.size(), 0);
  for (std::size_t i = 1; i < path.size(); ++i) {
    lengths[i] = lengths[i - 1] + distance(path[i - 1].pose.position(), path[i].pose.position());
  }
  return lengths;
}

int count_bumps(std::span<const PathPoint> path) noexcept {
  int n = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].bumped && (i == 0 || !path[i - 1].bumped)) ++n;
  }
  return n;
}

bool PathRecorder::is_at_waypoint(const navigate::Executive& executive) noexcept {
  const bool arrived = executive.n_reached() != n_reached_;
  n_reached_ = executive.n_reached();
  return arrived || executive.state() == navigate::TaskState::waiting;
}

// What is done at a goal belongs to the last point there: the robot has waited, and stands.
void PathRecorder::note_action() {
  for (; n_acted_ < n_reached_; ++n_acted_) {
    if (n_acted_ < actions_.size() && !path_.empty()) path_.back().action = actions_[n_acted_];
  }
}

void PathRecorder::take(const sim::Loop& loop) {
  bumped_ = bumped_ || is_pressed(loop);
  if (loop.time() < next_) return;
  next_ = loop.time() + period_;
  if (loop.executive().state() != navigate::TaskState::waiting) note_action();
  const robot::Description& robot = loop.model().robot;
  PathPoint point{.time = to_seconds(loop.time()),
                  .pose = loop.truth().pose,
                  .velocity = loop.truth().velocity,
                  .wheels = robot::wheel_speeds(robot.drive, loop.truth().velocity),
                  .ticks = loop.readings().ticks,
                  .nearest = {},
                  .bumped = bumped_,
                  .waypoint = is_at_waypoint(loop.executive())};
  for (std::size_t i = 0; i < std::min(robot.sensors.size(), kMaxSensors); ++i) {
    point.nearest.push_back(digest(robot.sensors[i], loop.readings().sensors[i]));
  }
  path_.push_back(point);
  bumped_ = false;
}

}  // namespace forerun::mission
