// How far off each way of predicting is on recorded drives, at each horizon.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/learn/commanded_drive.hpp"
#include "forerun/learn/response_model.hpp"

namespace forerun::learn {

// In the order of their names.
enum class Method { hold, velocity, commands, response, linear, network, best };
inline constexpr std::array<const char*, 7> kMethodNames{"hold",   "velocity", "commands", "response",
                                                         "linear", "network",  "best"};
inline constexpr std::size_t kMethods = kMethodNames.size();

struct MethodErrors {
  std::vector<double> place;    // of each moment [m]
  std::vector<double> heading;  // [rad]

  [[nodiscard]] double place_rms() const;
  [[nodiscard]] double heading_rms() const;
  [[nodiscard]] double place_p95() const;
  [[nodiscard]] double heading_p95() const;
};

struct HorizonErrors {
  double horizon = 0;  // [s]
  std::array<MethodErrors, kMethods> methods;

  [[nodiscard]] const MethodErrors& of(Method method) const { return methods[static_cast<std::size_t>(method)]; }
};

// Every method knows what is seen up to a moment, and the commands up to the horizon. Refuses drives that are seen too
// seldom for the model, and commands sideways of which it knows nothing.
[[nodiscard]] Result<std::vector<HorizonErrors>> evaluate_response(const LearnedModel& model,
                                                                   std::span<const CommandedDrive> drives);

}  // namespace forerun::learn
