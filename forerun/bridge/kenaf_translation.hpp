// Between Kenaf's frames and USARSim's lines: commands one way, what the simulator says the other way. Units and axes
// change here, and nowhere else (KEN-4).
#pragma once

#include <optional>
#include <string>

#include "forerun/bridge/usarsim_message.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/kenaf/can_frames.hpp"

namespace forerun::bridge {

// Where the simulator says that the robot truly is: x ahead, y to the left, z up.
struct GroundTruth {
  Vec3 place;      // of the centre of gravity [m]
  double yaw = 0;  // [rad], to the left
};

// What is known of a robot in the simulator.
class SimulatedKenaf {
 public:
  // What brings it into the world. Nothing: where the simulator likes; else on the ground there.
  [[nodiscard]] static std::string spawn_lines(const std::string& name, const std::optional<Pose2>& at);
  [[nodiscard]] std::string drive_line(const kenaf::TrackSpeeds& speeds) const;
  [[nodiscard]] static std::string flipper_line(const kenaf::FlipperAngles& angles);

  // Takes a line in. True: it tells something new for a status.
  bool read(std::string_view line);

  // Counters and the watchdog's flag are the caller's.
  [[nodiscard]] const kenaf::Status& status() const noexcept { return status_; }
  [[nodiscard]] bool has_spoken() const noexcept { return has_spoken_; }  // of its sensors: it is in the world
  [[nodiscard]] const std::optional<GroundTruth>& truth() const noexcept { return truth_; }
  // Why it refused something, in printable letters; empty: it has not.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

 private:
  bool read_sensor(const UsarsimMessage& message);
  bool read_encoders(const UsarsimMessage& message);
  void set_encoder(std::string_view name, double ticks);
  void set_posture(Vec3 orientation);

  kenaf::Status status_;
  std::optional<GroundTruth> truth_;
  std::string refusal_;
  bool has_inertial_ = false, has_spoken_ = false;
  double wheel_radius_ = kenaf::kTrackRadius_mm / 1000;                    // [m]
  double resolution_ = 2 * 3.14159265358979323846 / kenaf::kTicksPerTurn;  // of an encoder [rad]
};

}  // namespace forerun::bridge
