// Localization for a robot of ours: its lasers, or its sonars if it has no laser, on the map of its world.
#pragma once

#include <memory>

#include "forerun/base/result.hpp"
#include "forerun/localize/monte_carlo.hpp"
#include "forerun/navigate/localizer.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::localize {

class RobotLocalizer final : public navigate::Localizer {
 public:
  // It stands at `start`. An error where the robot has nothing to see walls with, or the world none to see.
  [[nodiscard]] static Result<std::unique_ptr<RobotLocalizer>> make(const world::World& world,
                                                                    const robot::Description& robot, const Pose2& start,
                                                                    std::uint64_t seed,
                                                                    const LocalizeParams& params = {});

  void observe(const navigate::Observation& observation) noexcept override;
  [[nodiscard]] Pose2 pose() const noexcept override { return filter_.pose_at(odometry_); }

  [[nodiscard]] std::optional<robot::PoseError> error() const noexcept override;
  [[nodiscard]] const MonteCarlo& filter() const noexcept { return filter_; }

 private:
  // A sensor that is looked at, and its number in the robot's list.
  struct Eye {
    std::size_t number;
    robot::Sensor sensor;
  };
  RobotLocalizer(const OccupancyMap& map, const LocalizeParams& params, std::uint64_t seed)
      : filter_(map, params, seed) {}

  void add_reading(const robot::Sensor& sensor, const sense::Reading& reading) noexcept;

  MonteCarlo filter_;
  std::vector<Eye> eyes_;
  RobotTime newest_{-1};  // that was looked at
  Echoes echoes_;
  Pose2 odometry_;
};

}  // namespace forerun::localize
