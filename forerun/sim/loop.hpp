// A robot in its world in virtual time: body, sensors and control system in closed loop (PSS-7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/hash.hpp"
#include "forerun/base/random.hpp"
#include "forerun/base/time.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/executive.hpp"
#include "forerun/navigate/localizer.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/sim/back_out.hpp"
#include "forerun/sim/body.hpp"
#include "forerun/sim/contact_watch.hpp"
#include "forerun/sim/given_pose.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/sim/planar_body.hpp"
#include "forerun/sim/surroundings.hpp"

namespace forerun::sim {

inline constexpr Duration kTick = from_seconds(0.01);  // longest simulation step

struct Statistics {
  int collisions = 0;         // contacts while the robot itself moved
  double driving_time = 0;    // spent on the way to goals [s]
  double driving_length = 0;  // path driven in that time [m]
};

// Who says where the robot goes.
enum class Helm : std::uint8_t {
  goals,    // the control system, from goal to goal; at rest when there is none
  hand,     // an operator's velocities
  stopped,  // nobody, until the next goal, drive or start command
  program,  // another control system, which needs no goals: a mission
};

enum class CommandOutcome : std::uint8_t {
  accepted,
  not_a_number,      // a coordinate or velocity is infinite or NaN
  cannot_stand,      // the goal lies in a wall or too near to one, or outside the world
  cannot_get_there,  // no way leads to the goal
  not_able,          // it has no missions: who has some starts them by `drive_by`
};

// What the caller brings instead of the loop's own.
struct Parts {
  Body* body = nullptr;                      // else a planar one
  navigate::Localizer* localizer = nullptr;  // else the truth with the level's error
  bool guards_hand = false;                  // velocities that would lead into something are held back
};

class Loop {
 public:
  // `model`, `control` and what is in `parts` must outlive the loop.
  Loop(const Model& model, navigate::ControlSystem& control, const Parts& parts = {});
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Moves on to the next event: a tick, a sensor reading or a decision. Allocates nothing.
  void step() noexcept;
  // Takes effect at once, between two decisions. A goal that is refused leaves the robot on its way. Velocities are cut
  // to the limits and held until the next command: the caller must end them (with zeros or `cancel`) when
  // the operator falls silent. No command brings back goals that another one has ended.
  CommandOutcome command(const robot::Command& command) noexcept;
  // From now on `program` decides, every `period_s`, and goals are given up; until the next command. It must outlive
  // that.
  void drive_by(navigate::ControlSystem& program, double period_s) noexcept;
  // All goals reached, cancelled or given up.
  [[nodiscard]] bool finished() const noexcept;

  [[nodiscard]] RobotTime time() const noexcept { return time_; }
  [[nodiscard]] RobotTime next_decision() const noexcept { return next_decision_; }
  [[nodiscard]] Helm helm() const noexcept { return helm_; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] const robot::State& truth() const noexcept { return plant_.state(); }
  [[nodiscard]] const Body& plant() const noexcept { return plant_; }
  // Where the robot side believes it is.
  [[nodiscard]] Pose2 reported_pose() const noexcept { return localizer_.pose(); }
  // How sure it says it is of that.
  [[nodiscard]] robot::PoseError reported_error() const noexcept;
  [[nodiscard]] const navigate::Executive& executive() const noexcept { return executive_; }
  [[nodiscard]] const navigate::Decision& decision() const noexcept { return decision_; }
  [[nodiscard]] const sense::Readings& readings() const noexcept { return readings_; }
  [[nodiscard]] const Surroundings& surroundings() const noexcept { return surroundings_; }
  [[nodiscard]] const Statistics& statistics() const noexcept { return statistics_; }
  // What holds the hand back, or touches; for a second after that it says that nothing does, then nothing at all.
  [[nodiscard]] std::optional<robot::Hindrance> hindrance() const noexcept;
  // Of everything that happened so far, to the last bit.
  [[nodiscard]] std::uint64_t state_hash() const noexcept { return hash_.value(); }

 private:
  // A sensor's next reading and its own random numbers.
  struct Schedule {
    RobotTime next;
    Duration period;
    Random random;
  };
  void schedule_sensors();
  [[nodiscard]] RobotTime next_event() const noexcept;
  void move_to(RobotTime time) noexcept;
  void sense() noexcept;
  void decide() noexcept;
  [[nodiscard]] navigate::Percept percept() const noexcept;
  void pursue_goal() noexcept;
  CommandOutcome go_to(Vec2 goal) noexcept;
  CommandOutcome drive_by_hand(const robot::Command& command) noexcept;
  void obey_hand() noexcept;
  void pursue_by_itself() noexcept;
  void come_to_rest() noexcept;
  void detect_collision(const Pose2& before) noexcept;
  void remember() noexcept;

  const Model& model_;
  navigate::ControlSystem& control_;
  RobotTime time_;
  RobotTime next_tick_;
  RobotTime next_decision_;
  PlanarBody planar_body_;
  Body& plant_;
  GivenPose given_pose_;
  navigate::Localizer& localizer_;
  Surroundings surroundings_;
  sense::Readings readings_;
  navigate::Executive executive_;
  navigate::Decision decision_;
  std::optional<Vec2> goal_;  // given to the control system
  Helm helm_ = Helm::goals;
  navigate::ControlSystem* program_ = nullptr;
  double program_period_ = 0;  // [s]
  Random control_random_;
  std::vector<Schedule> schedules_;  // one a sensor
  Statistics statistics_;
  RobotTime last_contact_{INT64_MIN / 2};  // that stopped it while it moved
  bool guards_hand_;
  std::unique_ptr<navigate::HandWatch> hand_watch_;  // null: nothing to look with
  robot::Twist hand_;                                // what the hand asks for
  navigate::AllowedHand allowed_;
  ContactWatch contacts_;
  BackOut back_out_;
  RobotTime hindered_{INT64_MIN / 2};  // lately
  Hash hash_;
};

}  // namespace forerun::sim
