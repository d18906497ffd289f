#include "forerun/respond/network.hpp"

#include <array>

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::respond {
namespace {

// The weighted sums of all rows.
void multiply(std::span<const double> weights, std::span<const double> values, std::span<double> sums) noexcept {
  const double* row = weights.data();
  for (double& sum : sums) {
    double total = row[values.size()];
    for (std::size_t i = 0; i < values.size(); ++i) total += row[i] * values[i];
    sum = total;
    row += values.size() + 1;
  }
}

}  // namespace

double sigmoid(double x) noexcept { return 1 / (1 + exp(-x)); }

Pose2 pose_of(std::span<const double> outputs) noexcept {
  return {outputs[0], outputs[1], atan2(outputs[2], outputs[3])};
}

Pose2 LinearModel::predict(std::span<const double> values) const noexcept {
  FORERUN_CHECK(values.size() == inputs);
  std::array<double, kOutputs> outputs{};
  multiply(weights, values, outputs);
  return pose_of(outputs);
}

Pose2 Network::predict(std::span<const double> values) const noexcept {
  FORERUN_CHECK(values.size() == inputs && hidden <= kMostHidden);
  std::array<double, kMostHidden> units{};
  const std::span<double> used(units.data(), hidden);
  multiply(in_weights, values, used);
  for (double& unit : used) unit = sigmoid(unit);
  std::array<double, kOutputs> outputs{};
  multiply(out_weights, used, outputs);
  return pose_of(outputs);
}

}  // namespace forerun::respond
