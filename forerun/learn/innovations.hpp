// What geometry, mount and noise make of a recorded drive: innovations of the pose filter, and how they would change.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/matrix.hpp"
#include "forerun/learn/calibration_drive.hpp"

namespace forerun::learn {

// Left diameter, right diameter, base; the mount's x, y and angle; by how much external poses are late.
inline constexpr std::size_t kUnknowns = 7;

struct CalibrationGuess {
  robot::DifferentialGeometry geometry;
  Pose2 mount;       // robot_from_sensor
  double delay = 0;  // external poses were taken so much before their stamps [s]
  estimate::CalibrationNoise noise;
};

// Absolute poses that follow closely on each other share their errors: of the sensor, of its clock, of wheels that
// start to turn. Each pass takes only poses some time apart; passes that begin at other times take the others.
struct PoseSpacing {
  double spacing_s = 4;  // at least this far apart, but at least four in a stretch
  int n_passes = 4;
};

// Of innovations ν with their precision S⁻¹ and their derivatives D by the unknowns.
struct InnovationPart {
  Vector<kUnknowns> slope;                   // Σ DᵀS⁻¹ν
  Matrix<kUnknowns, kUnknowns> information;  // Σ DᵀS⁻¹D

  InnovationPart& operator+=(const InnovationPart& other) {
    slope += other.slope;
    information += other.information;
    return *this;
  }
};

inline constexpr double kInnovationBlock = 10;  // errors farther apart than this are independent of each other [s]

struct InnovationSums {
  double cost = 0;  // Σ νᵀS⁻¹ν + log|S|, outliers counted less
  InnovationPart whole;
  std::vector<InnovationPart> blocks;     // of kInnovationBlock each, in the order of the drives
  std::vector<InnovationPart> stretches;  // likewise
  int n_samples = 0;
  int n_rejected = 0;
};

// Of drives whose poses were put back by the guess's delay. Means over the passes of sums over all stretches. With
// `only_cost` nothing is differentiated, and one pass must do.
[[nodiscard]] InnovationSums sum_innovations(std::span<const CalibrationDrive> drives, const CalibrationGuess& guess,
                                             const PoseSpacing& spacing, bool only_cost);

// What the sensor sees of the wheels' turns in these rows, and what their slip does to it.
struct SeenWay {
  estimate::SeenMove seen;  // without derivatives by turns
  Matrix<3, 3> slip;
};
[[nodiscard]] SeenWay see_way(std::span<const CalibrationRow> rows, const CalibrationGuess& guess);

// The drive with its external poses put where they belong if they are late by this much.
[[nodiscard]] CalibrationDrive put_back(const CalibrationDrive& drive, double delay);

// Which way the robot faces at the first external pose of a stretch that has positions only, such that its dead
// reckoning lies on them: least squares.
[[nodiscard]] double starting_heading(const CalibrationStretch& stretch, const CalibrationGuess& guess);

}  // namespace forerun::learn
