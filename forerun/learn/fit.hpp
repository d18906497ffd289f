// Fitting the replica to a robot: limits, weights and lag of its control system from recorded drives (BEY-5).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "forerun/learn/motors.hpp"
#include "forerun/learn/search.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::learn {

// The parameters that are fitted, by their names in robot files.
[[nodiscard]] std::span<const char* const> fitted_names() noexcept;
[[nodiscard]] double fitted_value(const robot::Description& robot, std::size_t i);

// What recordings say of motors and top speeds at first sight, without any replica. Logs without commands tell of top
// speeds only. `robot` is what is believed so far.
[[nodiscard]] robot::Description estimate_directly(const robot::Description& robot, std::span<const MotorLog> logs);

// How badly a robot with such parameters explains each part of the drives; nothing: the user wants to stop.
using Judge = std::function<std::optional<Costs>(const robot::Description&)>;

struct Fit {
  robot::Description robot;
  int n_costs = 0;
  bool stopped = false;
};

// Begins with the better one of `believed` and `direct`, and steps on from there as long as every part of the drives
// agrees. Parameters are rounded to four digits.
[[nodiscard]] Fit refine(const robot::Description& believed, const robot::Description& direct, const Judge& judge,
                         const SearchParams& params = {});

// A mean of errors [m] in which those of a metre and more hardly count: a robot that decided the other way says nothing
// about its speed.
[[nodiscard]] double robust_mean(std::span<const double> errors) noexcept;
// The same of consecutive parts.
[[nodiscard]] Costs robust_means(std::span<const double> errors, std::size_t n_parts);

}  // namespace forerun::learn
