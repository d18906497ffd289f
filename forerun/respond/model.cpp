#include "forerun/respond/model.hpp"

#include <cmath>

namespace forerun::respond {
namespace {

constexpr double kLargestWeight = 1e6;

bool is_within(double value, double low, double high) noexcept { return value >= low && value <= high; }

bool is_good(const AxisResponse& axis) noexcept {
  return is_within(axis.delay, 0, 2) && is_within(axis.lag, 0, 5) && is_within(axis.gain, 0, 10) &&
         is_within(axis.acceleration, 0, 1000);
}

template <class Rows>
bool are_good(const Rows& rows) noexcept {
  for (const auto& row : rows) {
    for (const double weight : row) {
      if (!is_within(weight, -kLargestWeight, kLargestWeight)) return false;
    }
  }
  return true;
}

bool is_good(const HorizonModel& horizon) noexcept {
  if (!are_good(horizon.residual) || !are_good(horizon.network.in) || !are_good(horizon.network.out)) return false;
  for (const Squares& squares : horizon.squares) {
    if (!is_within(squares.place, 0, kLargestWeight) || !is_within(squares.heading, 0, 10)) return false;
  }
  return true;
}

}  // namespace

Result<void> check_model(const Model& model) {
  if (!is_within(model.period, 0.002, 0.5)) return Error{"its period is not between 0.002 and 0.5 s"};
  for (const Response& response : {model.response, model.delays}) {
    if (is_good(response.forward) && is_good(response.sideways) && is_good(response.turn)) continue;
    return Error{
        "a delay is not between 0 and 2 s, a lag not between 0 and 5 s, a gain not between 0 and 10, or an "
        "acceleration not below 1000"};
  }
  if (model.horizons.empty()) return Error{"it has no horizon"};
  double before = 0;
  for (const HorizonModel& horizon : model.horizons) {
    if (!(horizon.horizon > before) || !is_within(horizon.horizon, 0.01, 5)) {
      return Error{"its horizons do not rise from at least 0.01 to at most 5 s"};
    }
    if (!is_good(horizon)) return Error{"a weight is not a number, or beyond a million"};
    before = horizon.horizon;
  }
  return {};
}

}  // namespace forerun::respond
