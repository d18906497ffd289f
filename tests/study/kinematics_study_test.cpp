// Circles and wrong bases: ellipses by hand, and what the studies of paper 5 show.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/study/calibration_study.hpp"
#include "forerun/study/sensitivity_study.hpp"

namespace forerun::study {
namespace {

TEST(Ellipse, AnExactOneIsFound) {
  const Pose2 place{2, -1, 0.7};
  std::vector<Vec2> points;
  for (int i = 0; i < 50; ++i) points.push_back(place * Vec2{1.5 * cos(0.3 * i), 0.8 * sin(0.3 * i)});
  const auto found = learn::fit_ellipse(points);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->major, 3, 1e-9);
  EXPECT_NEAR(found->minor, 1.6, 1e-9);
  EXPECT_NEAR(found->centre.x, 2, 1e-9);
  EXPECT_NEAR(found->centre.y, -1, 1e-9);
  EXPECT_NEAR(found->area(), kPi * 1.5 * 0.8, 1e-9);
}

TEST(Ellipse, PointsOnALineHaveNone) {
  std::vector<Vec2> points;
  for (int i = 0; i < 10; ++i) points.push_back({0.1 * i, 0.2 * i});
  EXPECT_FALSE(learn::fit_ellipse(points));
  EXPECT_FALSE(learn::fit_ellipse({}));
}

TEST(CalibrationStudy, CalibratedWheelsMakeTheTrackedCircle) {
  const auto result = run_calibration_study({.runs = 2, .seed = 11});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LT(result->calibrated_error_m, 0.01);
  EXPECT_LT(result->calibrated_error_m, 0.3 * result->nominal_error_m);
  for (const CircleRun& run : result->runs) {
    EXPECT_NEAR(run.calibration.belief.geometry.base / run.truth.base, 1, 0.01);
    EXPECT_NEAR(run.calibration.belief.geometry.left_diameter / run.truth.left_diameter, 1, 0.005);
  }
  const auto again = run_calibration_study({.runs = 2, .seed = 11});
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(*result));
  EXPECT_NE(calibration_study_page(*result).find("107.714"), std::string::npos);
}

TEST(SensitivityStudy, TheTrueBaseIsRightAndErrorsGrowWithItsError) {
  const SensitivityResult small = run_sensitivity_study({.base_off = 0.01});
  const SensitivityResult usual = run_sensitivity_study({});
  ASSERT_EQ(usual.wrong.size(), 2u);
  EXPECT_GT(usual.length_m, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::fabs(usual.wrong[i].base_off), 0.04, 1e-12);
    EXPECT_GT(usual.wrong[i].mean_squared_m2, 8 * small.wrong[i].mean_squared_m2);
    EXPECT_GT(usual.wrong[i].final_error_m, 0.05);
    EXPECT_EQ(usual.wrong[i].way.size(), usual.way.size());
  }
  // the robot keeps off the wall, and goes round its corner
  for (const Vec2 p : usual.way) EXPECT_TRUE(p.y > 0.1 || p.x > 0.1) << p.x << ", " << p.y;
  EXPECT_LT(usual.way.back().y, -1);
  EXPECT_NE(sensitivity_page(usual).find("0.1043"), std::string::npos);
}

}  // namespace
}  // namespace forerun::study
