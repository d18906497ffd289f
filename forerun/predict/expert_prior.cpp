#include "forerun/predict/expert_prior.hpp"

#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/predict/experiment.hpp"

namespace forerun::predict {
namespace {

using robot::TaskState;

// Measured on recorded robots: extrapolation errs with the turns that it does not take, and so with nearly the square
// of the gap; replicas err in speed and in where they drive, and so about with the gap.
constexpr double kExtrapolationGrowth = 1.75;
constexpr double kReplicaGrowth = 1.2;

// At these gaps as much speaks for it as against it [s].
constexpr double kRolls = 0.7;   // that it does not stop or start at once, whatever it does
constexpr double kGoesOn = 2.0;  // that a robot goes on as it did
constexpr double kStands = 3.0;  // that one stays that hardly moves

constexpr double kOffMission = 0.03;  // that a robot on a mission stands, whatever its path says

double until(double gap, double half) noexcept { return 1 / (1 + square(gap / half)); }

// Stays, extrapolates, and all drivers together.
struct Shares {
  double stays = 0, extrapolates = 0, drivers = 0;
};

Shares shares_of(Activity activity, double gap) noexcept {
  const double rolls = until(gap, kRolls), goes_on = until(gap, kGoesOn), stands = until(gap, kStands);
  switch (activity) {
    case Activity::driving:
      return {0.02 * (1 - rolls), goes_on, 1 - goes_on};
    case Activity::slow:
    case Activity::held_up:
      return {stands * (1 - rolls), stands * rolls + 0.05, (1 - stands) * (1 - rolls)};
    case Activity::waiting:
      return {0.7 * (1 - rolls), rolls + 0.05, 0.25 * (1 - rolls)};
    case Activity::by_hand:
      return {1 - goes_on, goes_on, 0.05 * (1 - rolls)};
    case Activity::mission:
      break;
  }
  return {1, 1, 1};
}

// A driver that needs a path comes on top of the others, who share what there is when it sleeps.
ExpertRow row_of(const Shares& shares, std::span<const Driver> drivers) noexcept {
  ExpertRow row{};
  double all = 0;
  for (const Driver& driver : drivers) all += driver.needs_path ? 0 : driver.prior;
  if (!(all > 0)) all = 1;
  row[kStays] = shares.stays;
  row[kExtrapolates] = shares.extrapolates;
  for (std::size_t i = 0; i < drivers.size(); ++i) row[kFirstDriver + i] = shares.drivers * drivers[i].prior / all;
  double sum = 0;
  for (const double weight : row) sum += weight;
  for (double& weight : row) weight /= sum;
  return row;
}

ExpertRow mission_row() noexcept {
  ExpertRow row{};
  row[kStays] = kOffMission;
  row[kOnMission] = 1 - kOffMission;
  return row;
}

ExpertRow known_row(std::size_t n_drivers) noexcept {
  constexpr double kOthers = 0.02;
  ExpertRow row{};
  row[kStays] = row[kExtrapolates] = kOthers;
  for (std::size_t i = 1; i < n_drivers; ++i) row[kFirstDriver + i] = kOthers;
  row[kFirstDriver] = 1 - kOthers * static_cast<double>(n_drivers + 1);
  return row;
}

}  // namespace

Activity activity_of(const robot::Report& report, double slow, bool held_up) noexcept {
  if (report.hand_driven) return Activity::by_hand;
  if (report.task != TaskState::driving || !report.goal || report.motors != robot::MotorState::on) {
    return Activity::waiting;
  }
  if (held_up) return Activity::held_up;
  return std::fabs(report.state.velocity.vx) + std::fabs(report.state.velocity.vy) < slow ? Activity::slow
                                                                                          : Activity::driving;
}

ExpertRow error_growth(std::size_t n_drivers) noexcept {
  ExpertRow growth{};
  growth[kStays] = 1;
  growth[kExtrapolates] = kExtrapolationGrowth;
  growth[kOnMission] = 1;
  for (std::size_t i = 0; i < n_drivers; ++i) growth[kFirstDriver + i] = kReplicaGrowth;
  return growth;
}

ExpertWeights::Table prior_weights(std::span<const Driver> drivers, bool is_known) noexcept {
  ExpertWeights::Table table{};
  for (std::size_t activity = 0; activity < ExpertWeights::kActivities; ++activity) {
    for (std::size_t i = 0; i < kLearnedGaps.size(); ++i) {
      const Shares shares = shares_of(static_cast<Activity>(activity), kLearnedGaps[i]);
      table[activity][i] = is_known ? known_row(drivers.size()) : row_of(shares, drivers);
      if (static_cast<Activity>(activity) == Activity::mission) table[activity][i] = mission_row();
    }
  }
  return table;
}

}  // namespace forerun::predict
