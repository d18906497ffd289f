// Delay and lag found again in made-up drives, and what a drive must show for that.
#include "forerun/learn/dead_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/learn/latency_drive.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::learn {
namespace {

// A robot that is commanded by hand: a new speed and turn rate every half second or so.
struct HandDrive {
  Response v{0.12, 0.08, 1}, w{0.2, 0.03, 0.95};
  double seconds = 60;
  double noise_m = 0.003, noise_rad = 0.008;
  double straying = 0;  // of speeds, as a share of the top speed
  double sideways = 0;  // share of the speed that is commanded to the left
  double top_speed = 0.4, top_turn = 0.8;
  std::uint64_t seed = 1;
};

std::vector<GivenCommand> hand_commands(const HandDrive& drive, Random& random) {
  std::vector<GivenCommand> commands{{0, {}}};
  for (double time = 1.3; time < drive.seconds; time += random.uniform(0.2, 0.9)) {
    const double speed = random.uniform(-1, 1) * drive.top_speed;
    commands.push_back({time, {speed, drive.sideways * random.uniform(-1, 1), random.uniform(-1, 1) * drive.top_turn}});
  }
  return commands;
}

CommandedStretch drive_by_hand(const HandDrive& drive) {
  Random random(drive.seed, 5);
  CommandedStretch stretch{hand_commands(drive, random), {}};
  std::vector<CommandStep> ahead, left, turn;
  for (const GivenCommand& c : stretch.commands) {
    ahead.push_back({c.time, c.velocity.vx});
    left.push_back({c.time, c.velocity.vy});
    turn.push_back({c.time, c.velocity.w});
  }
  LaggedCommand x(ahead, drive.v.lag), y(left, drive.v.lag), theta(turn, drive.w.lag);
  Pose2 truth;
  double strayed = 0;
  constexpr double kStep = 0.002;
  int n = 0;
  for (double time = 0; time < drive.seconds; time += kStep) {
    strayed += kStep / 0.2 * (-strayed) + drive.straying * sqrt(2 * kStep / 0.2) * random.normal();
    const Vec2 moved{
        drive.v.gain * (x.at(time + kStep - drive.v.delay).travelled - x.at(time - drive.v.delay).travelled) +
            strayed * drive.top_speed * kStep,
        drive.v.gain * (y.at(time + kStep - drive.v.delay).travelled - y.at(time - drive.v.delay).travelled)};
    const double heading = drive.w.gain * theta.at(time + kStep - drive.w.delay).travelled;
    const Vec2 ahead_in_world = unit_vector((truth.theta + heading) / 2);
    truth = {truth.x + moved.x * ahead_in_world.x - moved.y * ahead_in_world.y,
             truth.y + moved.x * ahead_in_world.y + moved.y * ahead_in_world.x, heading};
    // 31 frames a second, of which some are lost
    if (++n % 16 != 0 || random.uniform() < 0.05) continue;
    stretch.poses.push_back({time + kStep,
                             {truth.x + drive.noise_m * random.normal(), truth.y + drive.noise_m * random.normal(),
                              truth.theta + drive.noise_rad * random.normal()}});
  }
  return stretch;
}

DeadTime estimate(const CommandedStretch& stretch, bool sideways = false) {
  return estimate_dead_time(std::span(&stretch, 1), sideways);
}

TEST(LaggedCommand, IsWhatStepByStepIntegrationGives) {
  const std::vector<CommandStep> steps{{0, 0.2}, {0.5, 1}, {0.83, -0.4}, {1.9, 0}};
  for (const double lag : {0.0, 0.05, 0.3}) {
    LaggedCommand command(steps, lag);
    double speed = 0.2, travelled = 0;
    std::size_t step = 0;
    constexpr double kDt = 1e-5;
    for (int i = 0; i < 300'000; ++i) {
      const double time = i * kDt;
      if (i % 20'000 == 0) {
        ASSERT_NEAR(command.at(time).speed, speed, 2e-3) << lag << " at " << time;
        ASSERT_NEAR(command.at(time).travelled, travelled, 2e-4) << lag << " at " << time;
      }
      while (step + 1 < steps.size() && steps[step + 1].time <= time + kDt / 2) ++step;
      speed = lag > 0 ? speed + kDt / lag * (steps[step].value - speed) : steps[step].value;
      travelled += speed * kDt;
    }
  }
}

TEST(LaggedCommand, AnswersForAnyOrderOfTimes) {
  const std::vector<CommandStep> steps{{0, 1}, {1, 2}, {2, 0}};
  LaggedCommand command(steps, 0.2), fresh(steps, 0.2);
  (void)command.at(2.5);
  EXPECT_EQ(command.at(1.2).travelled, fresh.at(1.2).travelled);
  EXPECT_NEAR(command.at(-1).travelled, -1, 1e-12) << "the first one was in force for ever";
}

TEST(DeadTime, IsFoundInADriveByHand) {
  const DeadTime found = estimate(drive_by_hand({}));
  ASSERT_TRUE(found.enough_excitation()) << found.v.why << found.w.why;
  EXPECT_NEAR(found.v.fit.response.delay, 0.12, 0.005);
  EXPECT_NEAR(found.v.fit.response.lag, 0.08, 0.006);
  EXPECT_NEAR(found.w.fit.response.delay, 0.2, 0.005);
  EXPECT_NEAR(found.w.fit.response.lag, 0.03, 0.006);
  EXPECT_NEAR(found.v.fit.response.gain, 1, 0.01);
  EXPECT_NEAR(found.w.fit.response.gain, 0.95, 0.01);
  // together they shift the curve
  EXPECT_NEAR(found.v.shift.time, 0.2, 0.03);
  EXPECT_NEAR(found.w.shift.time, 0.23, 0.03);
}

TEST(DeadTime, CommandsToTheSideCountToo) {
  HandDrive drive;
  drive.sideways = 0.4;
  drive.top_speed = 0;
  const CommandedStretch stretch = drive_by_hand(drive);
  EXPECT_FALSE(estimate(stretch).v.known) << "nothing was commanded ahead";
  const DeadTime found = estimate(stretch, true);
  ASSERT_TRUE(found.v.known) << found.v.why;
  EXPECT_NEAR(found.v.fit.response.delay, 0.12, 0.006);
}

TEST(DeadTime, ALagThatIsNotThereIsZero) {
  HandDrive drive;
  drive.v = {0.3, 0, 1};
  const DeadTime found = estimate(drive_by_hand(drive));
  EXPECT_EQ(found.v.fit.response.lag, 0);
  EXPECT_NEAR(found.v.fit.response.delay, 0.3, 0.003);
  EXPECT_GT(found.v.fit.lag_ci95.high, 0) << "there is still room for a small one";
}

TEST(DeadTime, IntervalsHoldTheTruth) {
  int n = 0, n_held = 0;
  double widest = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    HandDrive drive;
    drive.seed = seed;
    drive.seconds = 40;
    // errors that belong together for a while, as those of real robots do
    drive.straying = seed % 2 == 0 ? 0.05 : 0;
    drive.v.delay = 0.008 * static_cast<double>(seed);
    drive.v.lag = 0.05 * static_cast<double>(seed % 5);
    const DeadTime found = estimate(drive_by_hand(drive));
    for (const auto& [axis, delay] : {std::pair{&found.v, drive.v.delay}, {&found.w, drive.w.delay}}) {
      ASSERT_TRUE(axis->known) << seed << ": " << axis->why;
      ++n;
      n_held += axis->fit.delay_ci95.holds(delay) ? 1 : 0;
      widest = std::max(widest, axis->fit.delay_ci95.width());
    }
  }
  EXPECT_GE(n_held, 108) << "of " << n;
  EXPECT_LT(widest, 0.1);
}

TEST(DeadTime, JumpsOfTheTrackerDoNotCount) {
  CommandedStretch stretch = drive_by_hand({});
  for (std::size_t i = 100; i < stretch.poses.size(); i += 150) stretch.poses[i].pose.x += 3;
  const DeadTime found = estimate(stretch);
  ASSERT_TRUE(found.v.known) << found.v.why;
  EXPECT_NEAR(found.v.fit.response.delay, 0.12, 0.007);
}

TEST(DeadTime, SaysWhatTheDriveDidNotShow) {
  HandDrive drive;
  drive.top_turn = 0;
  DeadTime found = estimate(drive_by_hand(drive));
  EXPECT_TRUE(found.v.known);
  EXPECT_EQ(found.w.why, "no motion was commanded");
  EXPECT_FALSE(found.enough_excitation());

  drive = {};
  drive.seconds = 5;
  EXPECT_NE(estimate(drive_by_hand(drive)).v.why.find("only, but 5 s are needed"), std::string::npos);

  // it was told to drive, and stood
  drive = {};
  drive.v.gain = drive.w.gain = 0;
  EXPECT_NE(estimate(drive_by_hand(drive)).v.why.find("does not follow"), std::string::npos);

  // one speed all the time
  CommandedStretch steady{{{0, {0.3, 0, 0}}}, {}};
  for (int i = 0; i < 900; ++i) steady.poses.push_back({i / 30.0, {0.3 * i / 30.0, 0, 0}});
  EXPECT_EQ(estimate(steady).v.why, "what was commanded never changed");
}

TEST(DeadTime, NothingIsKnownOfNothing) {
  const DeadTime found = estimate_dead_time(std::span<const CommandedStretch>{}, false);
  EXPECT_FALSE(found.v.known || found.w.known);
}

robot::Description load_robot(const std::string& name) {
  const std::string path = test::source_path("robots/") + name + ".yaml";
  const auto text = io::read_file(path, io::kLargestText);
  return *io::parse_robot(*text, path);
}

TEST(LatencyDrive, FindsDelaysWithinFiveMilliseconds) {
  const robot::Description robot = load_robot("ssl");
  std::uint64_t seed = 1;
  for (const double delay_ms : {0.0, 30.0, 120.0, 250.0, 500.0}) {
    for (const double lag_ms : {0.0, 60.0, 300.0}) {
      const LatencyDriveParams params{.delay_ms = delay_ms, .lag_ms = lag_ms, .seed = seed++};
      const auto log = drive_for_latency(robot, params, "ssl");
      ASSERT_TRUE(log) << log.error().message;
      const auto drive = make_commanded_drive(*log, "drive.csv");
      ASSERT_TRUE(drive) << drive.error().message;
      const DeadTime found = estimate_dead_time(std::span(&*drive, 1));
      ASSERT_TRUE(found.enough_excitation()) << found.v.why << found.w.why;
      EXPECT_NEAR(1000 * found.v.fit.response.delay, delay_ms, 5) << "lag " << lag_ms;
      EXPECT_NEAR(1000 * found.w.fit.response.delay, delay_ms, 5) << "lag " << lag_ms;
    }
  }
}

TEST(LatencyDrive, StaysWithinTheRobotsLimitsAndEndsWhereItBegan) {
  constexpr double kSeconds = 60, kTop = 0.5, kMost = 0.6, kDt = 1e-3;
  double place = 0, before = 0;
  for (double time = 0; time < kSeconds; time += kDt) {
    const double speed = sinusoidal_speed(time, kSeconds, kTop, kMost);
    EXPECT_LE(std::fabs(speed), kTop);
    EXPECT_LE(std::fabs(speed - before) / kDt, 1.1 * kMost) << time;
    place += speed * kDt;
    before = speed;
  }
  EXPECT_NEAR(before, 0, 1e-2);
  EXPECT_NEAR(place, 0, 1e-2);
}

TEST(LatencyDrive, IsTheSameForTheSameSeed) {
  const robot::Description robot = load_robot("turtle");
  const LatencyDriveParams params{.seconds = 10, .seed = 3};
  const auto one = drive_for_latency(robot, params, "turtle"), other = drive_for_latency(robot, params, "turtle");
  ASSERT_TRUE(one && other);
  ASSERT_EQ(one->rows.size(), other->rows.size());
  EXPECT_EQ(one->rows.back()[io::DriveColumn::t_s], other->rows.back()[io::DriveColumn::t_s]);
  for (std::size_t i = 0; i < one->rows.size(); ++i) {
    if (!one->rows[i].has(io::DriveColumn::x_m)) continue;
    EXPECT_EQ(one->rows[i][io::DriveColumn::x_m], other->rows[i][io::DriveColumn::x_m]);
  }
}

}  // namespace
}  // namespace forerun::learn
