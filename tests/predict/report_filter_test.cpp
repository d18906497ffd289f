// What is left of localization's errors when the wheels have had their say.
#include "forerun/predict/report_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/sim/gauss_markov.hpp"

namespace forerun::predict {
namespace {

constexpr double kSigma = 0.05;            // of localization [m]
constexpr double kSigmaHeading = 0.01745;  // [rad]
constexpr double kStep = 0.05;             // of the drive [s]

// A robot that drives about at random, with errors as large as the filter expects them, and errors of its own.
class Drive {
 public:
  explicit Drive(std::uint64_t seed)
      : random_(seed, 3), scale_(random_, 0.01), turn_scale_(random_, 0.02), drift_(random_, 0.01) {}

  // Drives on for so long, and reports.
  robot::Report report_after(double seconds) {
    for (double t = 0; t < seconds - kStep / 2; t += kStep) step();
    return report();
  }
  [[nodiscard]] robot::Report report() const {
    robot::Report report;
    report.time = time_;
    report.state.pose = {truth_.x + kSigma * error_x_.value(), truth_.y + kSigma * error_y_.value(),
                         normalize_angle(truth_.theta + kSigmaHeading * error_heading_.value())};
    report.error = {.sigma_x = kSigma, .sigma_y = kSigma, .sigma_heading = kSigmaHeading};
    report.odometry = odometry_;
    return report;
  }
  // Somebody takes it to another place; its wheels do not turn.
  void carry(Vec2 by, double turn) {
    truth_ = {truth_.x + by.x, truth_.y + by.y, normalize_angle(truth_.theta + turn)};
  }
  // Its computer starts again.
  void restart_odometry() { odometry_ = {}; }
  [[nodiscard]] const Pose2& truth() const { return truth_; }

 private:
  struct Drawn {
    Drawn(Random& random, double sigma) : value(sigma * random.normal()) {}
    double value;
  };

  void step() {
    // straight on most of the time, as robots in buildings drive
    if (random_.uniform() < kStep / 2) turn_rate_ = random_.uniform() < 0.7 ? 0 : random_.uniform(-0.6, 0.6);
    const double far = 0.5 * kStep, turn = turn_rate_ * kStep;
    truth_ = robot::move(truth_, {0.5, 0, turn_rate_}, kStep);
    const double counted_turn = turn * (1 + turn_scale_.value) + drift_.value * far;
    const double middle = odometry_.theta + counted_turn / 2;
    odometry_ = {odometry_.x + far * (1 + scale_.value) * std::cos(middle),
                 odometry_.y + far * (1 + scale_.value) * std::sin(middle), odometry_.theta + counted_turn};
    for (sim::GaussMarkov* error : {&error_x_, &error_y_, &error_heading_}) error->step(kStep, random_);
    time_ = time_ + from_seconds(kStep);
  }

  Random random_;
  Drawn scale_, turn_scale_, drift_;
  sim::GaussMarkov error_x_{5, random_}, error_y_{5, random_}, error_heading_{5, random_};
  Pose2 truth_{3, 2, 0.4};
  Pose2 odometry_{-7, 1, 2};
  double turn_rate_ = 0;
  RobotTime time_;
};

double squared(Vec2 off) { return off.x * off.x + off.y * off.y; }

// The squared error in units of the stated covariance: 2 on average for an honest filter.
double surprise(const ReportFilter& filter, const Pose2& truth) {
  const PoseCovariance p = filter.covariance();
  const Vec2 e = filter.pose().position() - truth.position();
  return (p.yy * e.x * e.x - 2 * p.xy * e.x * e.y + p.xx * e.y * e.y) / (p.xx * p.yy - p.xy * p.xy);
}

struct Tally {
  double filtered = 0, reported = 0;  // mean squared errors [m²]
  double surprise = 0, surprise_heading = 0;
};

// Each drive counts once, at its end, so that all summands are independent.
Tally drive_often(int n_drives, double interval_s, int n_reports) {
  Tally tally;
  for (int i = 0; i < n_drives; ++i) {
    Drive drive(static_cast<std::uint64_t>(i) + 1);
    ReportFilter filter;
    robot::Report report;
    for (int k = 0; k < n_reports; ++k) filter.take_in(report = drive.report_after(interval_s));
    tally.filtered += squared(filter.pose().position() - drive.truth().position()) / n_drives;
    tally.reported += squared(report.state.pose.position() - drive.truth().position()) / n_drives;
    tally.surprise += surprise(filter, drive.truth()) / 2 / n_drives;
    const double turned = normalize_angle(filter.pose().theta - drive.truth().theta);
    tally.surprise_heading += turned * turned / filter.covariance().heading / n_drives;
  }
  return tally;
}

TEST(ReportFilter, IsClearlyBetterThanLocalizationAlone) {
  for (const auto& [interval_s, n_reports] : {std::pair{1.0, 60}, std::pair{2.0, 60}, std::pair{6.0, 20}}) {
    const Tally tally = drive_often(400, interval_s, n_reports);
    EXPECT_NEAR(std::sqrt(tally.reported), kSigma * std::sqrt(2), 0.006);
    EXPECT_LT(std::sqrt(tally.filtered), 0.75 * std::sqrt(tally.reported)) << interval_s << " s";
  }
}

// Of n independent drives the mean of χ²₂/2 has standard deviation 1/√n: four of them are left to chance. The heading
// may be better than stated, since drives that hardly turn say nothing about the scale of turns; not worse: its χ²₁ has
// standard deviation √(2/n).
TEST(ReportFilter, IsAsSureAsItIsRight) {
  constexpr int kDrives = 600;
  const double chance = 4 / std::sqrt(kDrives);
  for (const auto& [interval_s, n_reports] : {std::pair{1.0, 5}, std::pair{1.0, 60}, std::pair{6.0, 20}}) {
    const Tally tally = drive_often(kDrives, interval_s, n_reports);
    EXPECT_NEAR(tally.surprise, 1, chance) << interval_s << " s, " << n_reports;
    EXPECT_LT(tally.surprise_heading, 1 + chance * std::sqrt(2)) << interval_s << " s, " << n_reports;
    EXPECT_GT(tally.surprise_heading, 0.4) << interval_s << " s, " << n_reports;
  }
}

TEST(ReportFilter, BelievesReportsThatSayNothingOfTheirErrors) {
  Drive drive(5);
  ReportFilter filter;
  for (int i = 0; i < 5; ++i) filter.take_in(drive.report_after(1));
  robot::Report report = drive.report_after(1);
  report.error = {};
  filter.take_in(report);
  EXPECT_EQ(filter.pose(), report.state.pose);
  EXPECT_EQ(filter.belief_error(), Pose2{});
  EXPECT_EQ(filter.covariance().xx, 0);
  EXPECT_EQ(filter.covariance().heading, 0);
}

TEST(ReportFilter, BelievesReportsWithoutOdometry) {
  Drive drive(6);
  ReportFilter filter;
  for (int i = 0; i < 5; ++i) filter.take_in(drive.report_after(1));
  robot::Report report = drive.report_after(1);
  report.odometry.reset();
  filter.take_in(report);
  EXPECT_EQ(filter.pose(), report.state.pose);
  EXPECT_EQ(filter.belief_error(), Pose2{});
}

// What it knew before a report without odometry is not carried over the unknown stretch.
TEST(ReportFilter, BeginsAnewAfterAReportThatItHadToBelieve) {
  Drive drive(7);
  ReportFilter filter;
  for (int i = 0; i < 5; ++i) filter.take_in(drive.report_after(1));
  robot::Report bare = drive.report_after(1);
  bare.odometry.reset();
  filter.take_in(bare);
  const robot::Report report = drive.report_after(1);
  filter.take_in(report);
  EXPECT_EQ(filter.pose().position(), report.state.pose.position());
  EXPECT_NEAR(filter.pose().theta, report.state.pose.theta, 1e-12);
  EXPECT_NEAR(filter.covariance().xx, kSigma * kSigma, 1e-12);
}

TEST(ReportFilter, RecoversAtOnceWhenTheOdometryBeginsAnew) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Drive drive(seed);
    ReportFilter filter;
    for (int i = 0; i < 20; ++i) filter.take_in(drive.report_after(1));
    drive.restart_odometry();
    for (int i = 0; i < 5; ++i) {
      filter.take_in(drive.report_after(1));
      EXPECT_LT(distance(filter.pose().position(), drive.truth().position()), 5 * kSigma) << seed << ", " << i;
      EXPECT_LT(std::fabs(normalize_angle(filter.pose().theta - drive.truth().theta)), 5 * kSigmaHeading) << seed;
    }
  }
}

TEST(ReportFilter, RecoversAtOnceWhenTheRobotIsCarriedAway) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Drive drive(seed);
    ReportFilter filter;
    for (int i = 0; i < 20; ++i) filter.take_in(drive.report_after(1));
    drive.carry({3, -1}, 1);
    filter.take_in(drive.report_after(1));
    EXPECT_LT(distance(filter.pose().position(), drive.truth().position()), 5 * kSigma) << seed;
    EXPECT_LT(std::fabs(normalize_angle(filter.pose().theta - drive.truth().theta)), 5 * kSigmaHeading) << seed;
  }
}

TEST(ReportFilter, TheRobotsErrorIsWhatItReportsLessWhereItWas) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Drive drive(seed);
    ReportFilter filter;
    double largest = 0;
    for (int i = 0; i < 30; ++i) {
      const robot::Report report = drive.report_after(2);
      filter.take_in(report);
      const Pose2 error = filter.belief_error();
      EXPECT_NEAR(error.x, report.state.pose.x - filter.pose().x, 1e-3);
      EXPECT_NEAR(error.y, report.state.pose.y - filter.pose().y, 1e-3);
      EXPECT_NEAR(error.theta, normalize_angle(report.state.pose.theta - filter.pose().theta), 2e-3);
      largest = std::max(largest, std::fabs(error.x));
    }
    EXPECT_GT(largest, 0.02);
  }
}

TEST(ReportFilter, TurnsWithTheWorld) {
  const double turn = 2.1;
  const SinCos by = sincos(turn);
  Drive drive(9);
  ReportFilter plain, turned;
  for (int i = 0; i < 30; ++i) {
    robot::Report report = drive.report_after(2);
    plain.take_in(report);
    Pose2& pose = report.state.pose;
    pose = {by.cos * pose.x - by.sin * pose.y, by.sin * pose.x + by.cos * pose.y, normalize_angle(pose.theta + turn)};
    turned.take_in(report);
  }
  const Pose2 a = plain.pose(), b = turned.pose();
  EXPECT_NEAR(by.cos * a.x - by.sin * a.y, b.x, 1e-6);
  EXPECT_NEAR(by.sin * a.x + by.cos * a.y, b.y, 1e-6);
  EXPECT_NEAR(plain.covariance().xx + plain.covariance().yy, turned.covariance().xx + turned.covariance().yy, 1e-9);
}

}  // namespace
}  // namespace forerun::predict
