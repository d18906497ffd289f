// Where a robot is that was seen a moment ago and has its commands: the learned model at work, on-line (LAT-4). Each
// new pose shows which way of predicting was right.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "forerun/respond/command_track.hpp"
#include "forerun/respond/model.hpp"
#include "forerun/respond/trust.hpp"

namespace forerun::respond {

class Responder {
 public:
  static constexpr double kLongestGap = 0.4;  // between two poses; after a longer one all begins anew [s]

  // `model` must outlive it.
  explicit Responder(const Model& model) noexcept;

  // Given at this time [s]. Times rise.
  void give(double time, const robot::Twist& command) noexcept { commands_.give(time, command); }
  // Seen at this time. Times rise. Allocates nothing, as all of this.
  void see(double time, const Pose2& pose) noexcept {
    see(time, pose, commands_.at(time - model_.response.forward.delay));
  }
  // `measured`: its velocity, from which all begins where nothing was seen before.
  void see(double time, const Pose2& pose, const robot::Twist& measured) noexcept;
  // What was seen so far is no beginning of what will be seen.
  void forget() noexcept;

  // Where it is at this time, after the newest pose; nothing before the first pose, and beyond what the model was made
  // for. Commands that were not given yet count as the newest one.
  [[nodiscard]] std::optional<Pose2> at(double time) const noexcept;

  [[nodiscard]] const CommandTrack& commands() const noexcept { return commands_; }
  [[nodiscard]] const SeenTrack& track() const noexcept { return track_; }
  // Of the newest pose.
  [[nodiscard]] const Origin& origin() const noexcept { return origin_; }

 private:
  static constexpr std::size_t kPast = 32;  // origins to be looked back at
  struct Past {
    Origin origin;
    std::size_t next = 0;  // horizon at which it was not yet looked back at
  };
  void remember() noexcept;
  void look_back() noexcept;
  void score(Past& past) noexcept;

  const Model& model_;
  CommandTrack commands_;
  SeenTrack track_;
  Origin origin_;
  Trust trust_;
  std::array<Past, kPast> past_{};
  std::size_t first_ = 0;
  std::size_t n_past_ = 0;
  std::array<double, kMostHorizons> learned_{};  // when [s]
};

}  // namespace forerun::respond
