// Tracked robots on a terrain, in a physics engine: commands in, where they are and how they stand out. Steps of 2 ms,
// the same result for the same commands.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/base/hash.hpp"
#include "forerun/base/result.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/physics/belts.hpp"
#include "forerun/physics/engine.hpp"
#include "forerun/robot/posture.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::physics {

// The belts' speeds over the wheels [m/s], and where the flippers shall go.
struct CrawlerCommand {
  double left = 0;
  double right = 0;
  robot::FlipperAngles flippers{};
};

struct CrawlerState {
  Vec3 position;  // of the robot's frame [m]
  Attitude attitude;
  Vec3 velocity;      // in the world [m/s]
  Vec3 turning;       // about the robot's own axes [rad/s]
  Vec3 acceleration;  // that an inertial sensor in the frame feels, in its axes [m/s²]
  Vec3 center_of_gravity;
  double left_angle = 0, right_angle = 0;    // of the belts' wheels since the start [rad]
  double left_speed = 0, right_speed = 0;    // of the belts [m/s]
  double left_torque = 0, right_torque = 0;  // of their motors [N·m]
  robot::FlipperAngles flippers{};
  robot::FlipperAngles flipper_speeds{};  // [rad/s]
};

using robot::Standing;
// Upright up to 75 degrees of lean. From there to 105 degrees on its side where a side is down; on its end, nose or
// tail down, it has tipped over and is `upside_down`, as it is beyond.
[[nodiscard]] Standing standing(const CrawlerState& state) noexcept;

class Scene {
 public:
  [[nodiscard]] static Result<Scene> make(const world::Terrain& terrain);

  // Sets a robot there, its flippers as told, and gives its number. Refused where it would stand inside something, or
  // where there is no ground below it.
  [[nodiscard]] Result<std::size_t> add(const robot::Crawler& robot, Vec3 position, const Attitude& attitude,
                                        const robot::FlipperAngles& flippers = {});
  // On the ground at this place.
  [[nodiscard]] Result<std::size_t> put_down(const robot::Crawler& robot, const Pose2& place,
                                             const robot::FlipperAngles& flippers = {});
  // High above everything, until it is set somewhere.
  [[nodiscard]] Result<std::size_t> add_aloft(const robot::Crawler& robot);
  // Robots after it move up by one.
  void remove(std::size_t robot);
  [[nodiscard]] std::size_t size() const noexcept { return robots_.size(); }
  [[nodiscard]] const robot::Crawler& robot(std::size_t robot) const noexcept { return robots_[robot]; }

  // Sets a robot that is there to this state: where it is, how it moves, its flippers and belts. What its motors have
  // settled at stays. Nobody looks whether it fits there.
  void set(std::size_t robot, const CrawlerState& state) noexcept;
  // Holds until the next one; cut to what the robot can do.
  void command(std::size_t robot, const CrawlerCommand& command) noexcept;
  // Moves on by kStep.
  void step() noexcept;

  [[nodiscard]] CrawlerState state(std::size_t robot) const noexcept;
  [[nodiscard]] double time() const noexcept;  // since it was made [s]
  [[nodiscard]] int n_contacts() const noexcept;
  // Whether a flipper touches anything.
  [[nodiscard]] bool flippers_touch(std::size_t robot) const noexcept;
  // The highest surface below this point; minus infinity: none.
  [[nodiscard]] double ground_below(Vec3 point) const noexcept;

  // All that its future depends on.
  struct Snapshot {
    std::vector<double> numbers;
  };
  [[nodiscard]] Snapshot save() const;
  // Of a scene with the same robots.
  void restore(const Snapshot& snapshot) noexcept;
  void add_to(Hash& hash) const noexcept;

  [[nodiscard]] const mjModel_& model() const noexcept { return *model_; }
  [[nodiscard]] const mjData_& data() const noexcept { return *data_; }

 private:
  // What a robot's motors are doing.
  struct Drives {
    CrawlerCommand command;
    std::array<double, 2> held{};    // torque that the track motors have settled at [N·m]
    std::array<double, 2> torque{};  // [N·m]
    robot::FlipperAngles wanted{};   // where the flippers' servos are, on their way [rad]
  };
  // A robot as it stands, to be put into another model.
  struct Placed {
    robot::Crawler robot;
    Drives drives;
    std::vector<double> position, velocity;  // in the engine's order
  };

  Scene() = default;
  [[nodiscard]] static Result<Scene> build(const world::Terrain& terrain, std::span<const Placed> placed, double time);
  [[nodiscard]] std::vector<Placed> take_out() const;
  [[nodiscard]] Result<Scene> with(const robot::Crawler& robot, Vec3 position, const Attitude& attitude,
                                   const robot::FlipperAngles& flippers) const;
  void fill_height_maps();
  void find_contacts() noexcept;
  [[nodiscard]] Result<void> check_place(std::size_t robot) const;
  void drive_tracks(std::size_t robot) noexcept;
  void drive_flippers(std::size_t robot) noexcept;

  world::Terrain terrain_;
  std::vector<robot::Crawler> robots_;
  ModelPointer model_;
  DataPointer data_;
  Belts belts_;
  std::vector<Drives> drives_;
};

}  // namespace forerun::physics
