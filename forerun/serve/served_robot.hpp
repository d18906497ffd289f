// The robots that `forerun serve` can stand before: a simulated one, or a real one's control system.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "forerun/atlas/setting.hpp"
#include "forerun/base/result.hpp"
#include "forerun/navigate/localizer.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/serve/mission_desk.hpp"
#include "forerun/serve/robot_camera.hpp"
#include "forerun/sync/command_gate.hpp"

namespace forerun::serve {

// An image that is to be taken.
struct ShotWish {
  std::uint8_t camera = 0;  // in the order of robot::cameras
  std::size_t largest = 0;  // so many bytes, about, at most
};

class ServedRobot : public sync::RobotSide {
 public:
  // What there is to say at this time; nothing when nothing has been heard of the robot since the last call. A planned
  // path, where there is one, is the one in force: which reports carry it is decided later.
  [[nodiscard]] virtual std::optional<robot::Report> look(RobotTime now) = 0;
  // Deals with what has come in; called whenever one of `descriptors` can be read.
  virtual void listen(RobotTime now) = 0;
  [[nodiscard]] virtual std::span<const int> descriptors() = 0;
  // Where it takes missions; null: it takes none.
  [[nodiscard]] virtual const MissionDesk* missions() const { return nullptr; }
  // What its camera sees now; nothing: it has none of this number. May take some milliseconds.
  [[nodiscard]] virtual std::optional<Shot> photograph(RobotTime, const ShotWish&) { return std::nullopt; }
  // For the status line.
  [[nodiscard]] virtual std::string describe() const = 0;
};

// Who says where a simulated robot is.
enum class PoseSource { given, localized };  // the truth with the level's error, or its own localization
[[nodiscard]] constexpr PoseSource pose_source_of(bool localize) noexcept {
  return localize ? PoseSource::localized : PoseSource::given;
}

// How a simulated robot is served.
struct SimulatedSetup {
  PoseSource pose_source = PoseSource::given;
  bool live_scan = false;   // each report has what its lasers see
  bool guards_hand = true;  // an operator's velocities do not lead it into anything that it sees
};

// Whether this robot can be served so.
[[nodiscard]] Result<void> check(const SimulatedSetup& setup, const robot::Description& robot);

// Drives through the scenario in real time, beginning at `start`. `inputs` must outlive it.
[[nodiscard]] Result<std::unique_ptr<ServedRobot>> make_simulated_robot(const sim::Setting& inputs, std::uint64_t seed,
                                                                        RobotTime start,
                                                                        const SimulatedSetup& setup = {});

// None where the pose is given. It stands at `start`.
[[nodiscard]] Result<std::unique_ptr<navigate::Localizer>> make_localizer(PoseSource pose_source,
                                                                          const sim::Setting& inputs,
                                                                          const Pose2& start, std::uint64_t seed);

// Waits for a control system at `where` (docs/robot-interface.md). `setting`, of which world and robot count, must
// outlive it.
[[nodiscard]] Result<std::unique_ptr<ServedRobot>> make_controlled_robot(const std::string& where,
                                                                         const sim::Setting& setting);

}  // namespace forerun::serve
