#include "forerun/mission/pilot.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "forerun/mission/rehearsal.hpp"
#include "forerun/robot/planned_path.hpp"

namespace forerun::mission {
namespace {

using robot::Refusal;

robot::PlannedPath outline_of(const TimedPath& path) {
  std::vector<Vec2> places;
  places.reserve(path.size());
  for (const TimedPoint& point : path) places.push_back(point.pose.position());
  return robot::thin_path(places);
}

robot::Reply refuse_obstructed(const Obstruction& found) noexcept {
  char text[robot::Words::kLongest];
  std::snprintf(text, sizeof text, "its path leads through something at (%.1f, %.1f)", found.place.x, found.place.y);
  return robot::refuse(Refusal::other, text);
}

}  // namespace

Pilot::Given::Given(std::uint64_t its_number, Mission its_mission, const RehearsedWorld& world)
    : number(its_number),
      mission(std::move(its_mission)),
      outline(outline_of(mission.path)),
      executor(mission, world) {}

robot::Reply Pilot::give(std::uint64_t number, Mission mission) {
  if (given_ && given_->number == number) return robot::accept();
  if (is_running()) {
    return robot::refuse(Refusal::busy, "another mission is under way");
  }
  if (mission.robot != robot_.name || mission.fingerprint != fingerprint_of(robot_)) {
    return robot::refuse(Refusal::not_able, "the mission was made for another robot");
  }
  if (mission.path.back().time > kLongestMission) {
    return robot::refuse(Refusal::not_able, "the mission takes longer than an hour");
  }
  if (find_leap(mission, robot_))
    return robot::refuse(Refusal::not_able, "the mission asks for more speed than it has");
  if (!rehearsed_) {
    auto made = make_rehearsed_world(world_, for_missions(robot_));
    if (!made) return robot::refuse(Refusal::not_able, made.error().message);
    rehearsed_ = std::move(*made);
  }
  if (const auto found = find_obstruction(mission, *rehearsed_)) return refuse_obstructed(*found);
  given_ = std::make_unique<Given>(number, std::move(mission), *rehearsed_);
  return robot::accept();
}

robot::Reply Pilot::start(const robot::Command& command, const Pose2& pose) noexcept {
  if (!given_ || given_->number != command.mission) {
    return robot::refuse(Refusal::absent, "it does not have this mission");
  }
  const bool any = command.starts == robot::kAnyStart;
  // who wants it to drive, and it does
  const bool known = any || command.starts == given_->starts || command.starts + 1 == given_->starts;
  if (is_running() && known) return robot::accept();
  if (!any && command.starts != given_->starts) return robot::refuse(Refusal::other, "it has been started since");
  MissionExecutor& executor = given_->executor;
  if (executor.state() == MissionState::done) return robot::refuse(Refusal::other, "the mission is done");
  const TimedPoint from = executor.nearest_start(pose);
  const double apart = distance(from.pose.position(), pose.position());
  char text[robot::Words::kLongest];
  if (apart > ExecutorParams{}.off_path_m) {
    std::snprintf(text, sizeof text, "it stands %.1f m from where the mission %s", apart,
                  executor.tracker().time() > 0 ? "goes on" : "begins");
    return robot::refuse(Refusal::other, text);
  }
  const double turned = std::fabs(normalize_angle(from.pose.theta - pose.theta));
  if (!robot_.drive.can_turn_on_the_spot() && turned > ExecutorParams{}.off_heading_rad) {
    return robot::refuse(Refusal::other, "it looks elsewhere than the mission leads, and cannot turn on the spot");
  }
  if (!executor.start(pose)) return robot::refuse(Refusal::other, "the mission is done");
  ++given_->starts;
  return robot::accept();
}

void Pilot::hold(Departure departure) noexcept {
  if (given_) given_->executor.hold(departure);
}

bool Pilot::is_running() const noexcept { return given_ && given_->executor.state() == MissionState::running; }

std::optional<robot::MissionStatus> Pilot::status() const noexcept {
  if (!given_) return std::nullopt;
  const MissionExecutor& executor = given_->executor;
  return robot::MissionStatus{given_->number, executor.state(), executor.departure(), executor.tracker().time(),
                              given_->starts};
}

void Pilot::apply(robot::Report& report) const noexcept {
  report.mission = status();
  if (!report.mission || report.mission->state != MissionState::running) return;
  report.task = robot::TaskState::driving;
  report.hand_driven = false;
  report.goal = given_->mission.path.back().pose.position();
  report.target = given_->executor.tracker().reference().pose.position();
  report.planned_path = given_->outline;
}

}  // namespace forerun::mission
