#include "forerun/mobility/flipper_programme.hpp"

#include <array>

namespace forerun::mobility {
namespace {

// Noses up by these angles [rad] …
constexpr double kLeans = 0.25;    // … the front flippers are on the edge
constexpr double kPushes = 0.6;    // … the body is on it
constexpr double kTipped = 0.45;   // … it tips over the edge, after pushing
constexpr double kFellBack = 0.1;  // … it was no step, after leaning

struct Posture {
  double front, rear;  // [rad]
};
constexpr std::array<Posture, 4> kPostures{{{1.0, 0}, {0, -0.6}, {-0.8, -0.7}, {0, 0}}};

}  // namespace

robot::FlipperAngles FlipperProgramme::next(double nose_up) noexcept {
  if (phase_ == Phase::reach && nose_up > kLeans) phase_ = Phase::lean;
  if (phase_ == Phase::lean && nose_up > kPushes) phase_ = Phase::push;
  if (phase_ == Phase::lean && nose_up < kFellBack) phase_ = Phase::level;
  if (phase_ == Phase::push && nose_up < kTipped) phase_ = Phase::level;
  const Posture& posture = kPostures[static_cast<std::size_t>(phase_)];
  return {posture.front, posture.front, posture.rear, posture.rear};
}

}  // namespace forerun::mobility
