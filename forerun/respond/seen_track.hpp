// Where the robot was seen lately, and where it was expected meanwhile.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/geom/pose.hpp"
#include "forerun/respond/response.hpp"

namespace forerun::respond {

struct Seen {
  double time = 0;  // [s]
  Pose2 pose;       // the heading counts whole turns
  Expected expected;
};

// Where `other` is, seen from `origin`; the heading counts whole turns.
[[nodiscard]] Pose2 seen_from(const Pose2& origin, const Pose2& other) noexcept;

class SeenTrack {
 public:
  static constexpr std::size_t kPoses = 256;  // that it remembers

  // Poses that come faster than two a period are thinned out.
  explicit SeenTrack(double period) noexcept : period_(period) {}

  // A time not after the newest one's is ignored. The first pose begins at the velocity `begin`.
  void see(double time, const Pose2& pose, const robot::Twist& begin, const Response& response,
           const CommandTrack& commands) noexcept;
  void forget() noexcept { n_ = 0; }

  [[nodiscard]] bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] const Seen& newest() const noexcept { return seen_[(first_ + n_ - 1) % kPoses]; }
  [[nodiscard]] const Seen& oldest() const noexcept { return seen_[first_]; }
  // Between the two poses around this time, or the nearest one. `hint` is a place to begin looking, for times that fall
  // from one call to the next; begin with 0.
  [[nodiscard]] Seen at(double time, std::size_t& hint) const noexcept;

 private:
  // `back` before the newest.
  [[nodiscard]] const Seen& back(std::size_t i) const noexcept { return seen_[(first_ + n_ - 1 - i) % kPoses]; }

  double period_;
  std::array<Seen, kPoses> seen_{};
  std::size_t first_ = 0;
  std::size_t n_ = 0;
};

}  // namespace forerun::respond
