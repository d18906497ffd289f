// What is believed of experts before any report has shown who is right.
#pragma once

#include <span>

#include "forerun/predict/driver.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

// What a robot does, as far as it matters for whom to believe.
enum class Activity : std::uint8_t {
  driving,  // by itself, at some speed
  slow,     // it has somewhere to go and hardly moves: it turns, starts or is about to arrive
  held_up,  // so for a while now, or slower than it should be
  waiting,  // it has nowhere to go
  by_hand,  // somebody else drives it
  mission,  // it follows the path of a mission that is known
};
static_assert(ExpertWeights::kActivities == 6);

// `slow` [m/s]: slower than this it hardly moves.
[[nodiscard]] Activity activity_of(const robot::Report& report, double slow, bool held_up) noexcept;

// With which power of the gap each expert's errors grow.
[[nodiscard]] ExpertRow error_growth(std::size_t n_drivers) noexcept;

// Of a robot whose reports speak for the first driver, or of a stranger: that one goes on at first, and does then what
// the other drivers have it do.
[[nodiscard]] ExpertWeights::Table prior_weights(std::span<const Driver> drivers, bool is_known) noexcept;

}  // namespace forerun::predict
