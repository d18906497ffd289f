#include "forerun/learn/dead_reckoning.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace forerun::learn {
namespace {

constexpr double kFarOff = 4;  // displacements beyond so many times the gate are no measurements

// What a sensor saw of its displacement; where that is an outlier, what the wheels say.
Pose2 believable(const CalibrationRow& row, const CalibrationGuess& guess) {
  const auto seen = estimate::see_move(guess.geometry, row.turns, guess.mount);
  const auto found = estimate::innovation({*row.displacement}, seen.moved, {}, guess.noise);
  return found.squared <= kFarOff * estimate::usual_gate(3) ? *row.displacement : seen.moved;
}

// Absolute poses of the sensor: as measured, or its displacements put end to end. None where they say nothing.
std::vector<std::optional<Pose2>> seen_poses(const CalibrationDrive& drive, const CalibrationStretch& stretch,
                                             const CalibrationGuess& guess, double first_heading) {
  std::vector<std::optional<Pose2>> poses(stretch.size());
  Pose2 at;
  bool broken = false;
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    if (drive.absolute) {
      if (stretch[i].pose) poses[i] = stretch[i].pose->pose;
      if (poses[i] && !drive.has_heading) poses[i]->theta = first_heading;
      continue;
    }
    if (i > 0) broken = broken || !stretch[i].displacement;
    if (broken) continue;
    if (i > 0) at = at * believable(stretch[i], guess);
    poses[i] = at;
  }
  return poses;
}

ReckonedPath reckon_stretch(const CalibrationDrive& drive, const CalibrationStretch& stretch,
                            const CalibrationGuess& guess) {
  const double heading =
      drive.absolute && !drive.has_heading ? starting_heading(stretch, guess) + guess.mount.theta : 0.0;
  const auto seen = seen_poses(drive, stretch, guess, heading);
  ReckonedPath path;
  std::optional<Pose2> robot;
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    if (robot) robot = estimate::move_along(*robot, estimate::arc_of(guess.geometry, stretch[i].turns));
    if (!seen[i]) continue;
    if (!robot) robot = *seen[i] * inverse(guess.mount);
    path.seen.push_back(seen[i]->position());
    path.reckoned.push_back(*robot * guess.mount.position());
  }
  return path;
}

}  // namespace

std::vector<ReckonedPath> reckon(const CalibrationDrive& drive, const CalibrationGuess& guess) {
  const CalibrationDrive placed = put_back(drive, guess.delay);
  std::vector<ReckonedPath> paths;
  for (const CalibrationStretch& stretch : placed.stretches) {
    ReckonedPath path = reckon_stretch(placed, stretch, guess);
    if (path.seen.size() > 1) paths.push_back(std::move(path));
  }
  return paths;
}

ReckoningError error_of(std::span<const ReckonedPath> paths) {
  double squares = 0, ends = 0;
  std::size_t n = 0;
  for (const ReckonedPath& path : paths) {
    for (std::size_t i = 0; i < path.seen.size(); ++i) squares += square(distance(path.seen[i], path.reckoned[i]));
    n += path.seen.size();
    ends += distance(path.seen.back(), path.reckoned.back());
  }
  if (n == 0) return {};
  return {std::sqrt(squares / static_cast<double>(n)), ends / static_cast<double>(paths.size())};
}

}  // namespace forerun::learn
