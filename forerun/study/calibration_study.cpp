#include "forerun/study/calibration_study.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/learn/dead_reckoning.hpp"

namespace forerun::study {
namespace {

constexpr robot::DifferentialGeometry kByHand{0.0464, 0.0464, 0.26};  // the paper's robot
constexpr double kDiameterOff = 0.015;  // hand-measured diameters are off by so much: σ as a share
constexpr double kBaseOff = 0.03;       // and the base
constexpr double kTicksPerTurn = 1000;
constexpr double kStep = 0.02;                                           // between readings of the encoders [s]
constexpr int kStepsPerPose = 5;                                         // between poses of the tracker
constexpr estimate::CalibrationNoise kNoise{1e-6, 0.001, 0.001, 0.005};  // of wheels and tracker
constexpr double kSpeed = 0.2;                                           // [m/s]
constexpr double kTestRadius = 0.537;                                    // its circle is 107.4 cm wide [m]
constexpr double kRounds = 3;

struct CircleDrive {
  learn::CalibrationDrive drive;
  std::vector<Vec2> tracked;
};

// Wheel speeds that would make this circle with the wheels as measured by hand; a negative radius turns right.
CircleDrive drive_circle(const robot::DifferentialGeometry& truth, double radius, Random& random) {
  CircleDrive result;
  learn::CalibrationStretch stretch;
  Pose2 pose;
  const double bend = kByHand.base / (2 * radius);
  const double left = kSpeed * (1 - bend) * kStep / (kPi * kByHand.left_diameter);
  const double right = kSpeed * (1 + bend) * kStep / (kPi * kByHand.right_diameter);
  const auto n = static_cast<int>(kRounds * kTwoPi * std::fabs(radius) / (kSpeed * kStep));
  double counted_left = 0, counted_right = 0;
  for (int i = 0; i <= n; ++i) {
    learn::CalibrationRow row{.time = i * kStep};
    if (i > 0) {
      // whole ticks
      const double ticks_left = std::floor(i * left * kTicksPerTurn),
                   ticks_right = std::floor(i * right * kTicksPerTurn);
      row.turns = {(ticks_left - counted_left) / kTicksPerTurn, (ticks_right - counted_right) / kTicksPerTurn};
      counted_left = ticks_left;
      counted_right = ticks_right;
      const auto slip = [&](double way) { return way + std::sqrt(kNoise.slip * std::fabs(way)) * random.normal(); };
      const double way_left = slip(kPi * truth.left_diameter * left),
                   way_right = slip(kPi * truth.right_diameter * right);
      pose = estimate::move_along(pose, {(way_left + way_right) / 2, (way_right - way_left) / truth.base});
    }
    if (i % kStepsPerPose == 0) {
      row.pose = estimate::ExternalPose{{pose.x + kNoise.position_x * random.normal(),
                                         pose.y + kNoise.position_y * random.normal(),
                                         pose.theta + kNoise.heading * random.normal()}};
      result.tracked.push_back(row.pose->pose.position());
    }
    stretch.push_back(row);
  }
  result.drive.file = "circle";
  result.drive.stretches.push_back(std::move(stretch));
  return result;
}

std::vector<Vec2> reckoned(const CircleDrive& circle, const robot::DifferentialGeometry& wheels, const Pose2& mount) {
  return learn::reckon(circle.drive, {wheels, mount, 0, kNoise}).front().reckoned;
}

Result<CircleRun> run_robot(std::uint64_t seed) {
  Random random(seed, 0);
  CircleRun run{.nominal = kByHand};
  run.truth = {kByHand.left_diameter * (1 + kDiameterOff * random.normal()),
               kByHand.right_diameter * (1 + kDiameterOff * random.normal()),
               kByHand.base * (1 + kBaseOff * random.normal())};
  // circles of several sizes to both sides; one alone leaves open what is the base's and what the diameters'
  std::vector<learn::CalibrationDrive> drives;
  for (const double radius : {0.4, -0.4, 0.8, -0.8}) drives.push_back(drive_circle(run.truth, radius, random).drive);
  run.calibration = learn::calibrate(drives, kByHand);

  const CircleDrive test = drive_circle(run.truth, kTestRadius, random);
  run.tracked = test.tracked;
  run.by_nominal = reckoned(test, run.nominal, {});
  run.by_calibrated = reckoned(test, run.calibration.belief.geometry, run.calibration.belief.mount);
  for (const auto& [way, ellipse] :
       {std::pair(&run.tracked, &run.tracked_ellipse), std::pair(&run.by_nominal, &run.nominal_ellipse),
        std::pair(&run.by_calibrated, &run.calibrated_ellipse)}) {
    const auto fitted = learn::fit_ellipse(*way);
    if (!fitted) return Error{"a circle was no ellipse", ErrorKind::impossible};
    *ellipse = *fitted;
  }
  return run;
}

nlohmann::ordered_json to_json(const learn::Ellipse& ellipse) {
  return {{"major_m", ellipse.major}, {"minor_m", ellipse.minor}, {"area_m2", ellipse.area()}};
}

nlohmann::ordered_json to_json(const robot::DifferentialGeometry& wheels) {
  return {{"d_left_m", wheels.left_diameter}, {"d_right_m", wheels.right_diameter}, {"base_m", wheels.base}};
}

}  // namespace

Result<CalibrationStudyResult> run_calibration_study(const CalibrationStudyParams& params,
                                                     const OnProgress& on_progress) {
  const auto n = static_cast<std::size_t>(params.runs);
  std::vector<Result<CircleRun>> runs(n, Error{"not done", ErrorKind::impossible});
  const auto work = [&](std::size_t i) { runs[i] = run_robot(params.seed + i); };
  if (!for_each_piece(n, work, on_progress)) return Error{"ended early", ErrorKind::impossible};
  CalibrationStudyResult result;
  for (Result<CircleRun>& run : runs) {
    if (!run) return run.error();
    const double truth = run->tracked_ellipse.major;
    result.nominal_error_m += std::fabs(run->nominal_ellipse.major - truth) / params.runs;
    result.calibrated_error_m += std::fabs(run->calibrated_ellipse.major - truth) / params.runs;
    result.runs.push_back(std::move(*run));
  }
  return result;
}

nlohmann::ordered_json to_json(const CalibrationStudyResult& result) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const CircleRun& run : result.runs) {
    runs.push_back({{"tracked", to_json(run.tracked_ellipse)},
                    {"nominal", to_json(run.nominal_ellipse)},
                    {"calibrated", to_json(run.calibrated_ellipse)},
                    {"wheels_true", to_json(run.truth)},
                    {"wheels_nominal", to_json(run.nominal)},
                    {"wheels_calibrated", to_json(run.calibration.belief.geometry)},
                    {"wheels_sigma", to_json(run.calibration.belief.sigma)}});
  }
  return {
      {"nominal_error_m", result.nominal_error_m}, {"calibrated_error_m", result.calibrated_error_m}, {"runs", runs}};
}

}  // namespace forerun::study
