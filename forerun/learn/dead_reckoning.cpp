#include "forerun/learn/dead_reckoning.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace forerun::learn {
namespace {

constexpr double kFarOff = 4;  // displacements beyond so many times the gate are no measurements

// What a sensor saw of its displacement; where that is an outlier, what the wheels say.
Pose2 believable(std::span<const CalibrationRow> rows, const CalibrationGuess& guess) {
  const auto [expected, slip] = see_way(rows, guess);
  const auto found = estimate::innovation({*rows.back().displacement}, expected.moved, slip, guess.noise);
  return found.squared <= kFarOff * estimate::usual_gate(3) ? *rows.back().displacement : expected.moved;
}

Pose2 after(Pose2 robot, std::span<const CalibrationRow> rows, const CalibrationGuess& guess) {
  for (const CalibrationRow& row : rows) {
    robot = estimate::move_along(robot, estimate::arc_of(guess.geometry, row.turns));
  }
  return robot;
}

// Displacements put end to end; where there is none, another path begins.
void reckon_displacements(const CalibrationStretch& stretch, const CalibrationGuess& guess,
                          std::vector<ReckonedPath>& paths) {
  std::size_t end = stretch.size();  // row of the last displacement
  Pose2 sensor, robot;
  for (std::size_t i = 1; i < stretch.size(); ++i) {
    if (!stretch[i].displacement) continue;
    const auto rows = spanned_rows(stretch, i);
    if (i - rows.size() != end) {
      sensor = {};
      robot = inverse(guess.mount);
      paths.push_back({{{}}, {{}}});
    }
    sensor = sensor * believable(rows, guess);
    robot = after(robot, rows, guess);
    paths.back().seen.push_back(sensor.position());
    paths.back().reckoned.push_back(robot * guess.mount.position());
    end = i;
  }
}

ReckonedPath reckon_poses(const CalibrationDrive& drive, const CalibrationStretch& stretch,
                          const CalibrationGuess& guess) {
  const double heading =
      drive.absolute && !drive.has_heading ? starting_heading(stretch, guess) + guess.mount.theta : 0.0;
  ReckonedPath path;
  std::optional<Pose2> robot;
  for (const CalibrationRow& row : stretch) {
    if (robot) robot = after(*robot, {&row, 1}, guess);
    if (!row.pose) continue;
    Pose2 seen = row.pose->pose;
    if (!drive.has_heading) seen.theta = heading;
    if (!robot) robot = seen * inverse(guess.mount);
    path.seen.push_back(seen.position());
    path.reckoned.push_back(*robot * guess.mount.position());
  }
  return path;
}

}  // namespace

std::vector<ReckonedPath> reckon(const CalibrationDrive& drive, const CalibrationGuess& guess) {
  const CalibrationDrive placed = put_back(drive, guess.delay);
  std::vector<ReckonedPath> paths;
  for (const CalibrationStretch& stretch : placed.stretches) {
    if (!drive.absolute) {
      reckon_displacements(stretch, guess, paths);
      continue;
    }
    ReckonedPath path = reckon_poses(placed, stretch, guess);
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
