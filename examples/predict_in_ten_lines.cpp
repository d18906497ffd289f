// A program that has reports of a robot, and asks where it is in the seconds after the last one.
#include <cstdio>

#include "forerun/atlas/live_robot.hpp"

int main() {
  auto robot = forerun::atlas::load_live_robot("bonn-office", "rhino");
  if (!robot) return std::fprintf(stderr, "%s\n", robot.error().message.c_str()), 2;

  // normally it comes from the robot: under way, on the corridor, to the office at the far end
  forerun::robot::Report report;
  report.time = forerun::RobotTime{} + forerun::from_seconds(100);
  report.state.pose = {0.6, 1.25, 0};
  report.goal = forerun::Vec2{25.1, 5.4};
  report.task = forerun::robot::TaskState::driving;
  report.limits = {0.5, 1.0};
  robot->take(report);

  for (double gap = 0; gap <= 18; gap += 3) {
    const auto prediction = robot->at(report.time + forerun::from_seconds(gap));
    const auto& pose = prediction.state.pose;
    std::printf("after %4.1f s: x %5.2f m, y %5.2f m, %s\n", gap, pose.x, pose.y, to_string(prediction.status));
  }
}
