#include "forerun/learn/innovations.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::learn {
namespace {

constexpr int kOutliersInARow = 10;         // after so many the filter is wrong, not the sensor: it begins anew
constexpr double kHeadingGuessSigma = 0.2;  // how good that is [rad]

using Sensitivity = Matrix<3, kUnknowns>;

Sensitivity join(const Matrix<3, 3>& by_geometry, const Matrix<3, 3>& by_mount, const Vector<3>& by_delay) {
  Sensitivity both;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      both(i, j) = by_geometry(i, j);
      both(i, 3 + j) = by_mount(i, j);
    }
    both(i, 6) = by_delay[i];
  }
  return both;
}

double log_determinant(const Matrix<3, 3>& covariance, bool has_heading) {
  if (!has_heading) {
    return std::log(covariance(0, 0) * covariance(1, 1) - covariance(0, 1) * covariance(1, 0));
  }
  const auto lower = cholesky(covariance);
  if (!lower) return kInfinity;
  return 2 * std::log((*lower)(0, 0) * (*lower)(1, 1) * (*lower)(2, 2));
}

// A square that grows only like a logarithm beyond the gate, as for errors with long tails: outliers do not lead
// astray. It grows faster than the logarithm of the noise falls, so that no noise is worth being so small that all are
// outliers.
double bounded(double squared, double gate) {
  constexpr double kTail = 6;
  return squared <= gate ? squared : gate + kTail * std::log(squared / gate);
}

// Adds one innovation; false: it is an outlier.
bool add(const estimate::Innovation& found, const Sensitivity* by_unknowns, int n_values, InnovationSums& sums) {
  const double gate = estimate::usual_gate(n_values);
  ++sums.n_samples;
  sums.cost += bounded(found.squared, gate) + log_determinant(found.covariance, n_values == 3);
  if (!(found.squared <= gate)) {
    ++sums.n_rejected;
    return false;
  }
  if (by_unknowns == nullptr) return true;
  // the innovation falls as what is expected rises
  const Matrix<kUnknowns, 3> weighted = transposed(*by_unknowns) * found.precision;
  sums.blocks.back() += {weighted * found.difference * -1, weighted * *by_unknowns};
  return true;
}

// Of displacements each stands for itself.
void add_displacement(std::span<const CalibrationRow> rows, const CalibrationGuess& guess, bool only_cost,
                      InnovationSums& sums) {
  const auto [seen, slip] = see_way(rows, guess);
  const auto found = estimate::innovation({*rows.back().displacement, true}, seen.moved, slip, guess.noise);
  const Sensitivity by_unknowns = join(seen.by_geometry, seen.by_mount, {});
  add(found, only_cost ? nullptr : &by_unknowns, 3, sums);
}

// The pose filter with the derivatives of its pose by the unknowns.
class Follower {
 public:
  Follower(const CalibrationGuess& guess, bool only_cost, InnovationSums& sums)
      : guess_(guess), only_cost_(only_cost), sums_(sums) {}

  void start(const estimate::ExternalPose& measured, double heading) {
    estimate_ = estimate::pose_from(measured, guess_.mount, guess_.noise, {heading, kHeadingGuessSigma});
    // the sensor stands where it was measured: what the mount moves, the robot moves back
    const auto seen = estimate::see(estimate_.pose, guess_.mount);
    Matrix<3, 3> back = seen.by_pose;
    back(0, 2) = -back(0, 2);
    back(1, 2) = -back(1, 2);
    Matrix<3, 3> by_mount = back * seen.by_mount * -1;
    // a heading that is a guess does not turn with the mount
    if (!measured.has_heading) by_mount(0, 2) = by_mount(1, 2) = by_mount(2, 2) = 0;
    // had it been there earlier, it would be farther now
    by_unknowns_ = join({}, by_mount, velocity());
    located_ = true;
    n_outliers_ = 0;
  }

  void predict(const estimate::WheelTurns& turns, double elapsed) {
    const auto arc = estimate::arc_of(guess_.geometry, turns);
    rates_ = {arc.driven / elapsed, arc.turned / elapsed};
    if (!located_) return;
    const auto moved = estimate::move(estimate_.pose, guess_.geometry, turns);
    if (!only_cost_) by_unknowns_ = moved.by_pose * by_unknowns_ + join(moved.by_geometry, {}, {});
    estimate_.pose = moved.pose;
    estimate_.covariance = moved.by_pose * estimate_.covariance * transposed(moved.by_pose) +
                           estimate::slip_covariance(guess_.geometry, turns, moved, guess_.noise.slip);
  }

  // False: nothing goes together any more, and the filter must begin anew.
  bool correct(const estimate::ExternalPose& measured) {
    const auto seen = estimate::see(estimate_.pose, guess_.mount);
    const Matrix<3, 3> cross = estimate_.covariance * transposed(seen.by_pose);
    const Vector<3> velocity_seen = seen.by_pose * velocity();
    const Matrix<3, 3> mistimed = estimate::stamp_covariance(seen, velocity(), guess_.noise.stamp);
    const auto found = estimate::innovation(measured, seen.pose, seen.by_pose * cross + mistimed, guess_.noise);
    const Sensitivity expected = seen.by_pose * by_unknowns_ + join({}, seen.by_mount, velocity_seen * -1);
    if (!add(found, only_cost_ ? nullptr : &expected, measured.n_values(), sums_)) {
      return ++n_outliers_ < kOutliersInARow;
    }
    n_outliers_ = 0;
    const Matrix<3, 3> gain = cross * found.precision;
    const Vector<3> step = gain * found.difference;
    estimate_.pose = {estimate_.pose.x + step[0], estimate_.pose.y + step[1],
                      normalize_angle(estimate_.pose.theta + step[2])};
    estimate_.covariance -= gain * transposed(cross);
    by_unknowns_ -= gain * expected;
    return true;
  }

  [[nodiscard]] bool located() const { return located_; }

 private:
  [[nodiscard]] Vector<3> velocity() const {
    const SinCos heading = sincos(estimate_.pose.theta);
    return {{{{rates_.driven * heading.cos}, {rates_.driven * heading.sin}, {rates_.turned}}}};
  }

  const CalibrationGuess& guess_;
  bool only_cost_;
  InnovationSums& sums_;
  estimate::PoseEstimate estimate_;
  Sensitivity by_unknowns_;
  estimate::ArcMotion rates_;  // each second
  bool located_ = false;
  int n_outliers_ = 0;
};

}  // namespace

SeenWay see_way(std::span<const CalibrationRow> rows, const CalibrationGuess& guess) {
  estimate::Moved sum;
  Matrix<3, 3> slip{};
  for (const CalibrationRow& row : rows) {
    const auto moved = estimate::move(sum.pose, guess.geometry, row.turns);
    slip = moved.by_pose * slip * transposed(moved.by_pose) +
           estimate::slip_covariance(guess.geometry, row.turns, moved, guess.noise.slip);
    sum.by_geometry = moved.by_pose * sum.by_geometry + moved.by_geometry;
    sum.pose = moved.pose;
  }
  const auto seen = estimate::see_move(sum, guess.mount);
  return {seen, seen.by_moved * slip * transposed(seen.by_moved)};
}

CalibrationDrive put_back(const CalibrationDrive& drive, double delay) {
  CalibrationDrive result = drive;
  if (!drive.absolute || delay == 0) return result;
  for (CalibrationStretch& stretch : result.stretches) {
    CalibrationStretch rows;
    std::size_t next = 0;  // row of `stretch` whose pose comes next
    for (std::size_t i = 0; i < stretch.size(); ++i) {
      const CalibrationRow& row = stretch[i];
      double from = i > 0 ? stretch[i - 1].time : row.time;
      estimate::WheelTurns rest = row.turns;
      for (; next < stretch.size() && stretch[next].time - delay <= row.time; ++next) {
        const double when = stretch[next].time - delay;
        if (!stretch[next].pose || when <= from) continue;
        const double share = (when - from) / (row.time - from);
        const estimate::WheelTurns turns{rest.left * share, rest.right * share};
        rows.push_back({.time = when, .turns = turns, .pose = stretch[next].pose});
        rest = {rest.left - turns.left, rest.right - turns.right};
        from = when;
      }
      if (i == 0 || from < row.time) rows.push_back({.time = row.time, .turns = rest});
    }
    stretch = std::move(rows);
  }
  return result;
}

double starting_heading(const CalibrationStretch& stretch, const CalibrationGuess& guess) {
  Pose2 reckoned;  // from a start that looks along x
  double along = 0, across = 0;
  const CalibrationRow* first = nullptr;
  Vec2 start;
  for (const CalibrationRow& row : stretch) {
    if (first != nullptr) {
      reckoned = estimate::move_along(reckoned, estimate::arc_of(guess.geometry, row.turns));
    }
    if (row.pose && first == nullptr) {
      first = &row;
      start = guess.mount.position();
    } else if (row.pose) {
      const Vec2 expected = reckoned * guess.mount.position() - start;
      const Vec2 seen = row.pose->pose.position() - first->pose->pose.position();
      along += expected.x * seen.x + expected.y * seen.y;
      across += expected.x * seen.y - expected.y * seen.x;
    }
  }
  return std::atan2(across, along);
}

namespace {

// Where the poses begin that one pass takes, and how far they are apart.
struct Pass {
  double first = 0;    // [s]
  double spacing = 0;  // [s]
};

void add_stretch(const CalibrationDrive& drive, const CalibrationStretch& stretch, const CalibrationGuess& guess,
                 const Pass& pass, bool only_cost, InnovationSums& sums) {
  constexpr double kSameTime = 1e-6;  // stamps are rounded [s]
  Follower follower(guess, only_cost, sums);
  const double heading = drive.absolute && !drive.has_heading ? starting_heading(stretch, guess) : 0;
  double block_end = -kInfinity, next_pose = pass.first - kSameTime;
  bool first = true;
  for (const CalibrationRow& row : stretch) {
    if (row.time > block_end && !only_cost) {
      sums.blocks.emplace_back();
      block_end = row.time + kInnovationBlock;
    }
    if (!first) follower.predict(row.turns, row.time - (&row)[-1].time);
    if (row.displacement && !first) {
      add_displacement(spanned_rows(stretch, static_cast<std::size_t>(&row - stretch.data())), guess, only_cost, sums);
    }
    if (row.pose && row.time >= next_pose) {
      if (!follower.located() || !follower.correct(*row.pose)) follower.start(*row.pose, heading);
      next_pose = row.time + pass.spacing - kSameTime;
    }
    first = false;
  }
}

// Adds what one of `n_passes` over a stretch has found; the stretch's blocks begin at `first_block`.
void add_pass(const InnovationSums& pass, int n_passes, std::size_t first_block, InnovationSums& sums) {
  sums.cost += pass.cost / n_passes;
  sums.n_samples += pass.n_samples;
  sums.n_rejected += pass.n_rejected;
  for (std::size_t i = 0; i < pass.blocks.size(); ++i) {
    const InnovationPart part{pass.blocks[i].slope / n_passes, pass.blocks[i].information / n_passes};
    if (sums.blocks.size() <= first_block + i) sums.blocks.emplace_back();
    sums.blocks[first_block + i] += part;
    sums.stretches.back() += part;
    sums.whole += part;
  }
}

}  // namespace

InnovationSums sum_innovations(std::span<const CalibrationDrive> drives, const CalibrationGuess& guess,
                               const PoseSpacing& spacing, bool only_cost) {
  InnovationSums sums;
  for (const CalibrationDrive& drive : drives) {
    const int n_passes = drive.absolute && !only_cost ? spacing.n_passes : 1;
    for (const CalibrationStretch& stretch : drive.stretches) {
      const double apart = std::min(spacing.spacing_s, (stretch.back().time - stretch.front().time) / 4);
      const std::size_t first_block = sums.blocks.size();
      sums.stretches.emplace_back();
      for (int i = 0; i < n_passes; ++i) {
        InnovationSums pass;
        add_stretch(drive, stretch, guess, {stretch.front().time + apart * i / n_passes, apart}, only_cost, pass);
        add_pass(pass, n_passes, first_block, sums);
      }
    }
  }
  return sums;
}

}  // namespace forerun::learn
