// The mission that a robot was given, and who drives by it: between an operator's commands and the robot (DEC-10).
//
//   pilot.give(number, mission);                                   // brought by an operator
//   pilot.start(command, pose);                                    // the operator starts it
//   decision = pilot.executor()->decide(percept);                  // again and again, while it runs
//   pilot.hold();                                                  // somebody else drives from now on
#pragma once

#include <memory>
#include <optional>

#include "forerun/mission/executor.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/reply.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::mission {

class Pilot {
 public:
  // `world` and `robot` as they are believed to be; both must outlive it.
  Pilot(const world::World& world, const robot::Description& robot) : world_(world), robot_(robot) {}

  // A mission under this number, in place of the one before. Refused while that one is under way, where it is for
  // another robot, or where its path leads through something.
  robot::Reply give(std::uint64_t number, Mission mission);
  // Begins the mission that the command names, or goes on with it, from where the robot believes that it is. A start
  // that was given before another one is refused: somebody may have stopped the robot since.
  robot::Reply start(const robot::Command& command, const Pose2& pose) noexcept;
  // Somebody else drives: the mission waits until it is started again.
  void hold(Departure departure = Departure::none) noexcept;

  // What a report says of it: how far it is, and, while it drives, where to.
  void apply(robot::Report& report) const noexcept;
  // Nothing: it has none.
  [[nodiscard]] std::optional<robot::MissionStatus> status() const noexcept;
  // Why it handed back, in a sentence; empty where it did not.
  [[nodiscard]] std::string describe() const { return given_ ? given_->executor.describe() : ""; }
  [[nodiscard]] bool is_running() const noexcept;
  // Decides while the mission runs; null while there is none.
  [[nodiscard]] MissionExecutor* executor() noexcept { return given_ ? &given_->executor : nullptr; }
  [[nodiscard]] const MissionExecutor* executor() const noexcept { return given_ ? &given_->executor : nullptr; }

 private:
  struct Given {
    Given(std::uint64_t its_number, Mission its_mission, const RehearsedWorld& world);

    std::uint64_t number;
    Mission mission;
    robot::PlannedPath outline;  // a few points of the path, for those who do not have it
    std::uint16_t starts = 0;
    MissionExecutor executor;
  };

  const world::World& world_;
  const robot::Description& robot_;
  std::optional<RehearsedWorld> rehearsed_;  // made for the first mission
  std::unique_ptr<Given> given_;
};

}  // namespace forerun::mission
