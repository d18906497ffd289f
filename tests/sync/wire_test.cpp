// Reports and commands as bytes: there and back, and nothing that cannot be.
#include "forerun/sync/wire.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::sync {
namespace {

robot::Report random_report(Random& random) {
  robot::Report r;
  r.robot = static_cast<std::uint32_t>(random.bits());
  r.model = random.bits();
  r.sequence = static_cast<std::uint32_t>(random.bits());
  r.time.ns = static_cast<std::int64_t>(random.below(kTimeLimit));
  r.state.pose = {random.uniform(-9e4, 9e4), random.uniform(-9e4, 9e4), random.uniform(-10, 10)};
  r.state.velocity = {random.uniform(-16, 16), random.uniform(-16, 16), random.uniform(-30, 30)};
  r.acceleration = {random.uniform(-30, 30), random.uniform(-100, 100)};
  if (random.below(2) == 0) r.target = r.state.pose.position() + Vec2{random.uniform(-60, 60), random.uniform(-60, 60)};
  if (random.below(2) == 0) r.goal = Vec2{random.uniform(-9e4, 9e4), random.uniform(-9e4, 9e4)};
  r.task = static_cast<robot::TaskState>(random.below(robot::kTaskStates));
  r.motors = static_cast<robot::MotorState>(random.below(robot::kMotorStates));
  r.hand_driven = random.below(2) == 0;
  if (random.below(2) == 0)
    r.odometry = Pose2{random.uniform(-8e3, 8e3), random.uniform(-8e3, 8e3), random.uniform(-50, 50)};
  r.remaining_wait = from_seconds(random.uniform(0, 4e6));
  r.until_decision = from_seconds(random.uniform(0, 6.5));
  r.limits = {random.uniform(0, 30), random.uniform(0, 60)};
  r.error = {random.uniform(0, 32), random.uniform(0, 32), random.uniform(-1, 1), random.uniform(0, 6.5)};
  return r;
}

TEST(ReportWire, ComesBackWithinHalfAUnit) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const robot::Report sent = random_report(random);
    const auto body = encode_report(sent);
    ASSERT_TRUE(body);
    const auto decoded = decode_report(*body);
    ASSERT_TRUE(decoded.report);
    const robot::Report& r = *decoded.report;
    EXPECT_EQ(r.robot, sent.robot);
    EXPECT_EQ(r.model, sent.model);
    EXPECT_EQ(r.sequence, sent.sequence);
    EXPECT_EQ(r.time, sent.time);
    EXPECT_NEAR(r.state.pose.x, sent.state.pose.x, 0.51e-4);
    EXPECT_NEAR(normalize_angle(r.state.pose.theta - sent.state.pose.theta), 0, 0.51 * kTwoPi / 65536);
    EXPECT_NEAR(r.state.velocity.vx, sent.state.velocity.vx, 0.26e-3);
    EXPECT_NEAR(r.state.velocity.w, sent.state.velocity.w, 0.51e-3);
    EXPECT_NEAR(r.acceleration.w, sent.acceleration.w, 2.1e-3);
    ASSERT_EQ(r.target.has_value(), sent.target.has_value());
    EXPECT_LT(distance(r.target.value_or(Vec2{}), sent.target.value_or(Vec2{})), 1.6e-3);
    ASSERT_EQ(r.goal.has_value(), sent.goal.has_value());
    EXPECT_LT(distance(r.goal.value_or(Vec2{}), sent.goal.value_or(Vec2{})), 0.8e-3);
    EXPECT_EQ(r.task, sent.task);
    EXPECT_EQ(r.motors, sent.motors);
    EXPECT_EQ(r.hand_driven, sent.hand_driven);
    EXPECT_NEAR(to_seconds(r.remaining_wait), to_seconds(sent.remaining_wait), 0.51e-3);
    EXPECT_NEAR(r.error.correlation, sent.error.correlation, 0.51 / 127);
    ASSERT_EQ(r.odometry.has_value(), sent.odometry.has_value());
    const Pose2 odometry_off = robot::odometry_between(r.odometry.value_or(Pose2{}), sent.odometry.value_or(Pose2{}));
    EXPECT_LT(length(odometry_off.position()), 0.8e-3);
    EXPECT_NEAR(odometry_off.theta, 0, 0.51 * kTwoPi / 4096);
    // what was read is written as the same bytes
    EXPECT_EQ(encode_report(r), body);
  }
}

TEST(ReportWire, NumbersThatAreNoneAreNotSent) {
  const double bad[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), 1e12, -1e12};
  for (const double value : bad) {
    robot::Report reports[10];
    reports[0].state.pose.x = value;
    reports[1].state.pose.y = value;
    reports[2].state.pose.theta = value;
    reports[3].state.velocity.vx = value;
    reports[4].state.velocity.w = value;
    reports[5].acceleration.v = value;
    reports[6].goal = Vec2{value, 0};
    reports[7].error.correlation = value;
    reports[8].odometry = Pose2{value, 0, 0};
    reports[9].odometry = Pose2{0, 0, value};
    for (const robot::Report& report : reports) EXPECT_FALSE(encode_report(report));
  }
  robot::Report negative;
  negative.error.sigma_x = -1;
  EXPECT_FALSE(encode_report(negative));
  robot::Report future;
  future.time.ns = kTimeLimit;
  EXPECT_FALSE(encode_report(future));
}

TEST(ReportWire, WhatIsTooLargeButHarmlessIsCut) {
  robot::Report report;
  report.target = Vec2{1000, 0};
  report.error.sigma_x = 500;
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const auto decoded = decode_report(*body);
  EXPECT_FALSE(decoded.report->target);
  EXPECT_NEAR(decoded.report->error.sigma_x, 32.7675, 1e-9);
}

TEST(ReportWire, SaysWhyItRefuses) {
  const SyncBody good = *encode_report({});
  EXPECT_EQ(decode_report(Bytes(good).first(75)).problem, Drop::malformed);
  const auto with = [&](std::size_t at, std::uint8_t value) {
    SyncBody body = good;
    body[at] = value;
    return decode_report(body);
  };
  EXPECT_EQ(with(23, 0x80).problem, Drop::bad_time);       // before 1970
  EXPECT_EQ(with(23, 0x7f).problem, Drop::bad_time);       // far in the future
  EXPECT_EQ(with(27, 0x7f).problem, Drop::outside_world);  // beyond 100 km
  EXPECT_EQ(with(73, 6).problem, Drop::bad_state);
  EXPECT_EQ(with(74, 4).problem, Drop::bad_state);
  EXPECT_EQ(with(72, 0x80).problem, Drop::bad_state);
  EXPECT_TRUE(with(75, 0xf0).report);               // flags of newer writers
  EXPECT_EQ(with(75, 8).problem, Drop::malformed);  // odometry that is missing
}

TEST(ReportWire, SectionsFollowTheFixedPart) {
  const std::vector<std::uint8_t> sections{2, 1, 0, 5, 250, 0, 0};
  robot::Report report;
  for (const bool with_odometry : {false, true}) {
    if (with_odometry) report.odometry = Pose2{1, 2, 3};
    const auto body = encode_report(report, sections);
    ASSERT_TRUE(body);
    const SyncBody fixed = *encode_report(report);
    EXPECT_TRUE(std::equal(fixed.begin(), fixed.end(), body->begin()));
    const auto decoded = decode_report(*body);
    ASSERT_TRUE(decoded.report);
    EXPECT_TRUE(std::equal(sections.begin(), sections.end(), decoded.sections.begin(), decoded.sections.end()));
    EXPECT_EQ(encode_report(*decoded.report), fixed);
    EXPECT_EQ(sections_of(*body).size(), sections.size());
    for (std::size_t missing : {1, 2, 4, 5, 6}) {
      const auto cut = decode_report(Bytes(*body).first(body->size() - missing));
      EXPECT_EQ(cut.problem, Drop::malformed) << missing;
      EXPECT_FALSE(cut.report) << missing;
    }
  }
  // empty sections, of three bytes each
  const SyncBody good = *encode_report(robot::Report{});
  std::vector<std::uint8_t> long_body(good.begin(), good.end());
  long_body.resize(kReportBodySize + kMostSectionBytes / 3 * 3);
  EXPECT_TRUE(decode_report(long_body).report);
  long_body.resize(long_body.size() + 3);
  EXPECT_EQ(decode_report(long_body).problem, Drop::malformed);
}

TEST(ReportWire, WhatWasFoundOfTheResponseTravels) {
  robot::Report report;
  report.response = robot::FoundResponse{{{0.1234, 0.08}}, std::nullopt};
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const DecodedReport decoded = decode_report(Bytes(body->data(), body->size()));
  ASSERT_TRUE(decoded.report && decoded.report->response);
  ASSERT_TRUE(decoded.report->response->forward);
  EXPECT_NEAR(decoded.report->response->forward->delay, 0.1234, 1e-9);
  EXPECT_NEAR(decoded.report->response->forward->lag, 0.08, 1e-9);
  EXPECT_FALSE(decoded.report->response->turn) << "its drives have not shown it";
  report.response->forward->delay = -1;
  EXPECT_FALSE(encode_report(report)) << "no dead time is negative";
}

TEST(ReportWire, AMissionIsASectionOfItsOwn) {
  robot::Report report;
  report.mission = robot::MissionStatus{0xfedcba9876543210u, robot::MissionState::handed_back,
                                        robot::Departure::sensors_disagree, 12.345, 7};
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const auto decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report && decoded.report->mission);
  EXPECT_EQ(decoded.report->mission->number, report.mission->number);
  EXPECT_EQ(decoded.report->mission->state, report.mission->state);
  EXPECT_EQ(decoded.report->mission->departure, report.mission->departure);
  EXPECT_NEAR(decoded.report->mission->time, 12.345, 1e-9);
  EXPECT_EQ(decoded.report->mission->starts, 7);
  EXPECT_EQ(encode_report(report, decoded.sections), *body) << "passed on as it came, it is not said twice";
  report.mission->departure = robot::Departure::held;
  EXPECT_EQ(decode_report(*encode_report(report)).report->mission->departure, robot::Departure::held);
  for (const std::size_t at : {8u, 9u}) {
    SyncBody odd = *body;
    odd[kReportBodySize + kSectionHeaderSize + at] = 200;
    const auto read = decode_report(odd);
    ASSERT_TRUE(read.report);
    EXPECT_FALSE(read.report->mission) << "a word that nobody knows says nothing";
  }
}

TEST(ReportWire, OdometryBeginsAnewWithoutAJump) {
  Pose2 before;
  double driven = 0, turned = 0;
  for (int i = 0; i <= 5000; ++i) {
    robot::Report report;
    report.odometry = Pose2{-10.0 * i, 7.5 * i, 0.5 * i};
    const auto decoded = decode_report(*encode_report(report));
    ASSERT_TRUE(decoded.report && decoded.report->odometry);
    const Pose2 step = robot::odometry_between(before, *decoded.report->odometry);
    before = *decoded.report->odometry;
    driven += length(step.position());
    turned += step.theta;
  }
  EXPECT_NEAR(driven, 12.5 * 5000, 0.1);
  EXPECT_NEAR(turned, 0.5 * 5000, 0.1);
}

TEST(CommandWire, RefusesWhatCannotBe) {
  std::array<std::uint8_t, kLargestCommandBody> room;
  ByteWriter out(room);
  ASSERT_TRUE(write(GivenCommand{5, {1000}, {.kind = robot::CommandKind::goal, .goal = {1, 2}}}, out));
  const std::vector<std::uint8_t> good(out.written().begin(), out.written().end());
  ASSERT_TRUE(decode_command(good));
  auto bad = good;
  bad[16] = 0;
  EXPECT_FALSE(decode_command(bad));
  bad[16] = 6;
  EXPECT_FALSE(decode_command(bad));
  bad = good;
  bad[0] = 0;  // number zero
  EXPECT_FALSE(decode_command(bad));
  bad = good;
  bad[15] = 0x7f;  // year 2262
  EXPECT_FALSE(decode_command(bad));
  EXPECT_FALSE(decode_command(Bytes(good).first(good.size() - 1)));
}

TEST(CommandWire, AStartNamesItsMission) {
  std::array<std::uint8_t, kLargestCommandBody> room;
  ByteWriter out(room);
  const robot::Command start{.kind = robot::CommandKind::start, .mission = 0xfedcba9876543210u, .starts = 3};
  ASSERT_TRUE(write(GivenCommand{5, {1000}, start}, out));
  const auto read = decode_command(out.written());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->command.kind, robot::CommandKind::start);
  EXPECT_EQ(read->command.mission, start.mission);
  EXPECT_EQ(read->command.starts, 3);
  EXPECT_FALSE(decode_command(out.written().first(out.size() - 1)));
}

TEST(CommandWire, ADriveMayMoveFlippers) {
  std::array<std::uint8_t, kLargestCommandBody> room;
  ByteWriter out(room);
  const robot::FlipperAngles angles{1, -0.5, 0, 3};
  ASSERT_TRUE(write(
      GivenCommand{5, {1000}, {.kind = robot::CommandKind::drive, .velocity = {0.2, 0, 0}, .flippers = angles}}, out));
  const auto read = decode_command(out.written());
  ASSERT_TRUE(read && read->command.flippers);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR((*read->command.flippers)[i], angles[i], 1e-4);
  EXPECT_NEAR(read->command.velocity.vx, 0.2, 1e-9);
  // an older operator's drive ends before them
  const auto older = decode_command(out.written().first(23));
  ASSERT_TRUE(older);
  EXPECT_FALSE(older->command.flippers);
  EXPECT_FALSE(can_be_sent({.kind = robot::CommandKind::drive, .flippers = robot::FlipperAngles{7, 0, 0, 0}}));
}

TEST(ReportWire, SaysHowTheRobotStands) {
  robot::Report report;
  report.posture = robot::Posture{0.21, 0.02, -0.4, {1, 1.1, 0, -0.6}, 0.2, 0.25, robot::Standing::on_its_side};
  auto body = encode_report(report);
  ASSERT_TRUE(body);
  auto decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report && decoded.report->posture);
  const robot::Posture& read = *decoded.report->posture;
  EXPECT_NEAR(read.height, 0.21, 1e-9);
  EXPECT_NEAR(read.roll, 0.02, 1e-9);
  EXPECT_NEAR(read.pitch, -0.4, 1e-9);
  EXPECT_NEAR(read.flippers[robot::kRearRight], -0.6, 1e-9);
  EXPECT_NEAR(read.right_speed, 0.25, 1e-9);
  EXPECT_EQ(read.standing, robot::Standing::on_its_side);
  body->back() = robot::kStandings;  // a way of standing that does not exist
  decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report);
  EXPECT_FALSE(decoded.report->posture);
  report.posture->pitch = std::nan("");
  EXPECT_FALSE(encode_report(report));
}

TEST(Frames, EndExactlyOrNotAtAll) {
  std::array<std::uint8_t, 64> room;
  ByteWriter out(room);
  const std::array<std::uint8_t, 3> body{1, 2, 3};
  write_frame(FrameKind::padding, body, out);
  write_frame(FrameKind::bye, {}, out);
  EXPECT_TRUE(has_whole_frames(ByteReader(out.written())));
  for (std::size_t cut = 1; cut < out.size(); ++cut) {
    const bool at_border = cut == 6;
    EXPECT_EQ(has_whole_frames(ByteReader(out.written().first(cut))), at_border) << cut;
  }
  ByteReader in(out.written());
  EXPECT_EQ(read_frame(in)->body.size(), 3u);
  EXPECT_EQ(read_frame(in)->kind, 9);
  EXPECT_FALSE(read_frame(in));
  EXPECT_TRUE(in.finished());
}

}  // namespace
}  // namespace forerun::sync
