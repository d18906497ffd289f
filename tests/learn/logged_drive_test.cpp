// Recorded drives: what a robot could have reported, and nothing that it could not know yet.
#include "forerun/learn/logged_drive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/predict/predictor.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::learn {
namespace {

robot::Description turtle() { return *io::load_robot(*io::find_file(io::FileKind::robot, "turtle")); }

io::DriveLog parse(const std::string& text) { return *io::parse_drive_log(text, "drive.csv"); }

LoggedDrive record(const std::string& text) {
  auto logged = make_logged_drive(parse(text), "drive.csv", turtle());
  EXPECT_TRUE(logged.ok()) << logged.error().message;
  return *logged;
}

std::string line(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text + "\n";
}

// A circle of radius 2 m at 0.4 m/s, 25 rows a second, from t = 100 s on, driven towards (0, 5) after 3 s of waiting.
std::string circle(int n_rows) {
  std::string text = "t_s,x_m,y_m,theta_rad,loc_x_m,loc_y_m,loc_theta_rad,goal_x_m,goal_y_m\n";
  for (int i = 0; i < n_rows; ++i) {
    const double angle = std::max(0.0, 0.2 * (0.04 * i - 3));
    const double x = 2 * std::sin(angle), y = 2 - 2 * std::cos(angle);
    std::string row = line({100 + 0.04 * i, x, y, angle, x + 0.1, y, angle});
    row.pop_back();
    text += row + (i < 75 ? ",,\n" : ",0,5\n");
  }
  return text;
}

// The circle with other units.
std::string complaint_of_circle(double time_scale, double place_scale, double heading_scale) {
  std::string text = "t_s,x_m,y_m,theta_rad\n";
  for (int i = 0; i < 500; ++i) {
    const double angle = 0.2 * 0.04 * i;
    text += line({0.04 * i * time_scale, 2 * std::sin(angle) * place_scale, 2 * std::cos(angle) * place_scale,
                  (angle - kPi) * heading_scale});
  }
  const auto logged = make_logged_drive(parse(text), "drive.csv", turtle());
  return logged ? "" : logged.error().message;
}

TEST(RecordedDrive, LogsInOtherUnitsAreRefused) {
  EXPECT_EQ(complaint_of_circle(1, 1, 1), "");
  EXPECT_EQ(complaint_of_circle(1000, 1, 1),
            "drive.csv: most rows are more than 1 s apart, so that nobody knows the drive between them; is t_s in "
            "milliseconds?");
  EXPECT_NE(complaint_of_circle(1, 1000, 1).find("are they in metres"), std::string::npos);
  EXPECT_NE(complaint_of_circle(1, 1, 180 / kPi).find("is it in degrees?"), std::string::npos);
}

TEST(RecordedDrive, ReportsHoldWhatTheLogSaysAtThatTime) {
  const auto drives = cut_drives(record(circle(500)), {.interval_s = 6, .phase_s = 1}, turtle());
  ASSERT_EQ(drives.size(), 1u);
  ASSERT_EQ(drives[0].reports.size(), 4u);
  const robot::Report &waiting = drives[0].reports[0], &driving = drives[0].reports[1];
  EXPECT_NEAR(to_seconds(waiting.time), 101, 1e-6);
  EXPECT_EQ(waiting.task, robot::TaskState::waiting);
  EXPECT_FALSE(waiting.goal);
  EXPECT_EQ(waiting.state.velocity.vx, 0);
  EXPECT_NEAR(to_seconds(driving.time), 107, 0.041);
  EXPECT_EQ(driving.task, robot::TaskState::driving);
  EXPECT_EQ(driving.goal, (Vec2{0, 5}));
  EXPECT_EQ(driving.sequence, 1u);
  EXPECT_EQ(driving.limits.max_speed, 0.5);
  // as localized, not as it truly was
  const auto truth = drives[0].at(to_seconds(driving.time));
  EXPECT_NEAR(driving.state.pose.x, truth->pose.x + 0.1, 1e-4);
}

TEST(RecordedDrive, EstimatesVelocitiesThatTheLogLacksFromThePast) {
  const auto drives = cut_drives(record(circle(500)), {.interval_s = 6, .phase_s = 1}, turtle());
  EXPECT_NEAR(drives[0].reports[2].state.velocity.vx, 0.4, 0.002);
  EXPECT_NEAR(drives[0].reports[2].state.velocity.w, 0.2, 0.002);
  EXPECT_NEAR(drives[0].reports[2].acceleration.v, 0, 0.01);
}

TEST(RecordedDrive, RobotsThatDriveSidewaysAreSeenToDoSo) {
  robot::Description omni = turtle();
  omni.drive.kind = robot::DriveKind::omni;
  std::string text = "t_s,x_m,y_m,theta_rad,v_mps,w_radps\n";
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.1 * i;
    text += std::to_string(t) + ",0," + std::to_string(0.25 * t * t) + ",0,0,0\n";
  }
  const auto log = io::parse_drive_log(text, "d.csv");
  ASSERT_TRUE(log);
  const auto recording = make_logged_drive(*log, "d.csv", omni);
  ASSERT_TRUE(recording);
  const LogRow& last = recording->stretches.at(0).back();
  EXPECT_NEAR(last.velocity.vy, 0.875, 0.01);  // in the middle of the last half second
  EXPECT_NEAR(last.acceleration.vy, 0.5, 0.01);
  EXPECT_EQ(last.velocity.vx, 0);
}

TEST(RecordedDrive, TakesTheVelocitiesThatTheLogHas) {
  const LoggedDrive logged =
      record("t_s,x_m,y_m,theta_rad,v_mps,w_radps\n0,0,0,0,0.1,1\n0.5,0,0,0,0.2,2\n1,0,0,0,,3\n");
  const Stretch& rows = logged.stretches.at(0);
  EXPECT_EQ(rows[1].velocity, (robot::Twist{0.2, 0, 2}));
  EXPECT_NEAR(rows[1].acceleration.v, 0.2, 1e-9);
  EXPECT_NEAR(rows[1].acceleration.w, 2, 1e-9);
  EXPECT_EQ(rows[2].velocity, (robot::Twist{0, 0, 3}));
}

TEST(RecordedDrive, TruthIsEvenAndBreaksWhereNobodySawIt) {
  const auto drives = cut_drives(record("t_s,x_m,y_m,theta_rad\n0,0,0,0\n0.9,0.9,0,0\n1,1,,0\n2,2,0,0\n2.2,2,0,0\n"),
                                 {.interval_s = 1, .phase_s = 0}, turtle());
  ASSERT_EQ(drives.size(), 2u);
  EXPECT_EQ(drives[0].truth.size(), 19u);
  EXPECT_NEAR(drives[0].at(0.3)->pose.x, 0.3, 1e-9);
  EXPECT_NEAR(drives[0].at(0.9)->driven, 0.9, 1e-9);
  EXPECT_FALSE(drives[0].at(1.5));
  EXPECT_FALSE(drives[1].at(1.5));
  EXPECT_NEAR(drives[1].start, 2, 1e-9);
  ASSERT_EQ(drives[1].reports.size(), 1u);
  EXPECT_EQ(drives[1].reports[0].state.velocity.vx, 0) << "the break says nothing of velocities";
}

TEST(RecordedDrive, WithoutColumnsForGoalsItIsDrivenByHand) {
  const auto drives = cut_drives(record("t_s,x_m,y_m,theta_rad\n0,0,0,0\n"), {}, turtle());
  EXPECT_TRUE(drives.at(0).reports.at(0).hand_driven);
}

TEST(RecordedDrive, ReportsOnlyWhereLocalizationSpeaks) {
  const auto drives = cut_drives(record("t_s,x_m,y_m,theta_rad,loc_x_m,loc_y_m,loc_theta_rad\n"
                                        "0,0,0,0,,,\n0.5,0,0,0,7,8,0\n1,0,0,0,,,\n1.5,0,0,0,9,8,0\n"),
                                 {.interval_s = 0.5, .phase_s = 0}, turtle());
  ASSERT_EQ(drives.at(0).reports.size(), 3u);
  EXPECT_EQ(drives[0].reports[0].state.pose.x, 0) << "nobody knows yet that there is any";
  EXPECT_EQ(drives[0].reports[1].state.pose.x, 7);
  EXPECT_EQ(drives[0].reports[2].state.pose.x, 9);
}

// One row each half second from t = 0 on, with these goals (x of each; 0: none).
io::DriveLog drive_to(const std::vector<int>& goals) {
  std::string text = "t_s,x_m,y_m,theta_rad,goal_x_m,goal_y_m\n";
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const std::string goal = goals[i] == 0 ? "," : std::to_string(goals[i]) + ",1";
    text += std::to_string(0.5 * static_cast<double>(i)) + ",0,0,0," + goal + "\n";
  }
  return parse(text);
}

// Where the plan ends that each row's report carries, at least once a second; 0: it has none, −1: it says nothing.
std::vector<double> plans_told(const io::DriveLog& log, double interval_s = 0.5) {
  const auto logged = make_logged_drive(log, "drive.csv", turtle());
  std::vector<double> ends;
  const std::vector<Drive> drives = cut_drives(*logged, {interval_s, 0}, turtle());
  for (const robot::Report& report : drives.at(0).reports) {
    const auto& plan = report.planned_path;
    ends.push_back(!plan ? -1 : plan->empty() ? 0 : plan->back().x);
  }
  return ends;
}

TEST(RecordedDrive, ReportsCarryThePlanInForce) {
  io::DriveLog log = drive_to({0, 5, 5, 5, 5, 5, 5, 0, 0});
  EXPECT_EQ(plans_told(log), std::vector<double>(9, -1)) << "a log without plans says nothing of them";
  log.plans = {{0.5, {{0, 0}, {5, 1}}}, {1.9, {{0, 0}, {2, 2}, {6, 1}}}};
  EXPECT_EQ(plans_told(log), (std::vector<double>{0, 5, 5, 5, 6, 6, 6, 0, 0}));
  EXPECT_EQ(plans_told(log, 1), (std::vector<double>{0, 5, 6, 6, 0})) << "the next report after it";
}

TEST(RecordedDrive, APlanThatStaysIsToldThriceAndThenOnceASecond) {
  io::DriveLog log = drive_to(std::vector<int>(9, 5));
  log.plans = {{0, {{0, 0}, {5, 1}}}};
  EXPECT_EQ(plans_told(log), (std::vector<double>{5, 5, 5, -1, 5, -1, 5, -1, 5}));
}

TEST(RecordedDrive, AnotherGoalEndsAPlanThatDoesNotLeadThere) {
  io::DriveLog log = drive_to({5, 5, 9, 9, 5, 5});
  log.plans = {{0, {{0, 0}, {5, 1}}}};
  EXPECT_EQ(plans_told(log), (std::vector<double>{5, 5, 0, 0, 5, 5})) << "back to the goal that it leads to";
  // logged between two rows, the second of which has the goal
  log.plans = {{0.7, {{0, 0}, {3, 1}}}};
  EXPECT_EQ(plans_told(log), (std::vector<double>{0, 0, 3, 3, 0, 0}));
}

TEST(RecordedDrive, WithoutGoalsAPlanIsInForceUntilTheNext) {
  io::DriveLog log = parse("t_s,x_m,y_m,theta_rad\n0,0,0,0\n0.5,0,0,0\n1,0,0,0\n1.5,0,0,0\n");
  log.plans = {{0.5, {{0, 0}, {5, 1}}}, {1.5, {}}};
  EXPECT_EQ(plans_told(log), (std::vector<double>{0, 5, 5, 0}));
}

TEST(RecordedDrive, LongPlansAreThinned) {
  io::DriveLog log = drive_to({5});
  log.plans = {{0, {}}};
  for (int i = 0; i < 400; ++i) log.plans[0].points.push_back({0.1 * i, std::sin(0.1 * i)});
  const auto drives = cut_drives(*make_logged_drive(log, "drive.csv", turtle()), {}, turtle());
  EXPECT_EQ(drives.at(0).reports.at(0).planned_path->size(), 15u);
}

TEST(RecordedDrive, OdometryCountsWholeTurns) {
  const auto drives = cut_drives(record("t_s,x_m,y_m,theta_rad,odom_x_m,odom_y_m,odom_theta_rad\n"
                                        "0,0,0,0,1,2,3\n0.5,0,0,0,1,3,-3\n1,0,0,0,,,\n1.5,0,0,0,2,3,-1\n"),
                                 {.interval_s = 0.5, .phase_s = 0}, turtle());
  const auto& reports = drives.at(0).reports;
  ASSERT_EQ(reports.size(), 4u);
  EXPECT_EQ(reports[0].odometry, (Pose2{1, 2, 3}));
  ASSERT_TRUE(reports[1].odometry && reports[3].odometry);
  EXPECT_NEAR(reports[1].odometry->theta, kTwoPi - 3, 1e-12);
  EXPECT_FALSE(reports[2].odometry);
  EXPECT_NEAR(reports[3].odometry->theta, kTwoPi - 1, 1e-12);
  EXPECT_EQ(reports[3].odometry->y, 3);
}

void expect_refusal(const std::string& text, const std::string& words) {
  const auto logged = make_logged_drive(parse(text), "drive.csv", turtle());
  ASSERT_FALSE(logged.ok()) << text;
  EXPECT_NE(logged.error().message.find("drive.csv"), std::string::npos);
  EXPECT_NE(logged.error().message.find(words), std::string::npos) << logged.error().message;
}

TEST(RecordedDrive, RefusesLogsThatCannotBeScored) {
  expect_refusal("t_s,x_m,y_m\n0,0,0\n", "theta_rad");
  expect_refusal("x_m,y_m,theta_rad\n0,0,0\n", "t_s");
  expect_refusal("t_s,x_m,y_m,theta_rad\n0,0,0,\n", "no row");
  expect_refusal("t_s,x_m,y_m,theta_rad\n", "no row");
  expect_refusal("t_s,x_m,y_m,theta_rad\n5,0,0,0\n4,0,0,0\n", "falls from 5 to 4");
  expect_refusal("t_s,x_m,y_m,theta_rad\n5,0,1e300,0\n", "y_m is 1e+300");
  expect_refusal("t_s,x_m,y_m,theta_rad\n1e12,0,0,0\n", "t_s");
}

// Cuts the log right after each message in turn.
TEST(RecordedDrive, NothingFromTheFutureEntersAReportOrAPrediction) {
  constexpr int kRows = 700;
  const robot::Description robot = turtle();
  const auto model = predict::make_replica_model(make_room({-8, -8}, {8, 8}), robot);
  ASSERT_TRUE(model.ok());
  const ReportTimes times{.interval_s = 5, .phase_s = 0.7};
  const auto whole = cut_drives(record(circle(kRows)), times, robot);
  ASSERT_EQ(whole.at(0).reports.size(), 6u);
  for (std::size_t n = 1; n <= whole[0].reports.size(); ++n) {
    const double until = to_seconds(whole[0].reports[n - 1].time);
    const int n_rows = static_cast<int>(std::lround((until - 100) / 0.04)) + 1;
    const auto cut = cut_drives(record(circle(n_rows)), times, robot);
    ASSERT_EQ(cut.at(0).reports.size(), n);
    predict::Predictor from_whole(*model), from_cut(*model);
    for (std::size_t i = 0; i < n; ++i) {
      const robot::Report &a = whole[0].reports[i], &b = cut[0].reports[i];
      ASSERT_EQ(a.time, b.time);
      EXPECT_EQ(a.state.pose, b.state.pose);
      EXPECT_EQ(a.state.velocity, b.state.velocity);
      EXPECT_EQ(a.acceleration.v, b.acceleration.v);
      EXPECT_EQ(a.acceleration.w, b.acceleration.w);
      EXPECT_EQ(a.goal, b.goal);
      EXPECT_EQ(a.task, b.task);
      from_whole.resync(a);
      from_cut.resync(b);
    }
    for (int gap = 1; gap <= 18; ++gap) {
      const RobotTime then = whole[0].reports[n - 1].time + from_seconds(gap);
      EXPECT_EQ(from_whole.advance(then).pose, from_cut.advance(then).pose) << n << " " << gap;
      EXPECT_EQ(from_whole.region(0.95).radius(), from_cut.region(0.95).radius());
    }
  }
}

}  // namespace
}  // namespace forerun::learn
