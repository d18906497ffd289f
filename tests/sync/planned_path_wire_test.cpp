// A planned path on the wire: small, the same wherever the robot is, and harmless where it is wrong.
#include "forerun/sync/planned_path_wire.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/robot/planned_path.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::sync {
namespace {

using robot::PlannedPath;

PlannedPath path_of(const std::vector<Vec2>& points) {
  PlannedPath path;
  for (const Vec2 point : points) path.push_back(point);
  return path;
}

// As many points as there can be, within `reach` of a place.
PlannedPath random_path(Random& random, Vec2 place, double reach) {
  PlannedPath path;
  while (!path.full()) path.push_back(place + Vec2{random.uniform(-reach, reach), random.uniform(-reach, reach)});
  return path;
}

PlannedPath there_and_back(const PlannedPath& path, Vec2 here) {
  const auto content = encode_planned_path(path, here);
  EXPECT_TRUE(content);
  const auto read = decode_planned_path(*content, here);
  EXPECT_TRUE(read);
  return *read;
}

TEST(PlannedPathWire, APathThroughABuildingIsExactToTheMillimetre) {
  Random random(3, 1);
  for (int run = 0; run < 100; ++run) {
    const PlannedPath path = random_path(random, {500, -200}, 12);
    const auto content = encode_planned_path(path, {505, -205});
    ASSERT_TRUE(content);
    EXPECT_LE(content->size(), 64u);
    const auto read = decode_planned_path(*content, {505, -205});
    ASSERT_TRUE(read && read->size() == path.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_LT(distance((*read)[i], path[i]), 0.00072);
  }
}

TEST(PlannedPathWire, IsTheSameWhereverOnItTheRobotIs) {
  Random random(3, 2);
  for (const double reach : {1.0, 12.0, 13.0, 40.0, 300.0, 9e4}) {
    for (int run = 0; run < 30; ++run) {
      const PlannedPath path = random_path(random, {}, reach);
      const PlannedPath read = there_and_back(path, path[0]);
      for (const Vec2 here : path) {
        // as the report says it
        const Vec2 told{std::floor(here.x * 1e4 + 0.5) * 1e-4, std::floor(here.y * 1e4 + 0.5) * 1e-4};
        ASSERT_EQ(*decode_planned_path(*encode_planned_path(path, here), told), read) << reach;
      }
      EXPECT_EQ(there_and_back(read, path[5]), read) << "what was read is written as it is";
    }
  }
}

TEST(PlannedPathWire, LongPathsAreCoarser) {
  const PlannedPath read = there_and_back(path_of({{0, 0}, {1234.5678, 3}, {-99e3, 99e3}}), {98e3, -98e3});
  EXPECT_LT(distance(read[1], {1234.5678, 3}), 6);
  EXPECT_LT(distance(read[2], {-99e3, 99e3}), 6);
  const PlannedPath shorter = there_and_back(path_of({{0, 0}, {200.1234, 3.456}}), {});
  EXPECT_LT(distance(shorter[1], {200.1234, 3.456}), 0.012);
}

TEST(PlannedPathWire, NoPlanTakesTwoBytes) {
  const auto content = encode_planned_path({}, {1, 2});
  ASSERT_TRUE(content);
  EXPECT_EQ(content->size(), 2u);
  EXPECT_TRUE(decode_planned_path(*content, {1, 2})->empty());
}

TEST(PlannedPathWire, NumbersThatCannotBeAreNotWritten) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(encode_planned_path(path_of({{0, kNan}}), {}));
  EXPECT_FALSE(encode_planned_path(path_of({{1e6, 0}}), {}));
  EXPECT_FALSE(encode_planned_path(path_of({{0, 0}}), {kNan, 0}));
}

TEST(PlannedPathWire, WhatIsNoneIsRefused) {
  const auto good = encode_planned_path(path_of({{1, 2}, {3, 4}}), {});
  ASSERT_TRUE(good);
  for (std::size_t size = 0; size < good->size(); ++size) {
    EXPECT_FALSE(decode_planned_path(Bytes(*good).first(size), {})) << size;
  }
  std::vector<std::uint8_t> bytes(good->begin(), good->end());
  bytes.push_back(7);
  EXPECT_TRUE(decode_planned_path(bytes, {})) << "newer writers may say more";
  bytes[0] = 14;
  EXPECT_FALSE(decode_planned_path(bytes, {})) << "such steps are none";
  bytes[0] = 13;
  EXPECT_TRUE(decode_planned_path(bytes, {}));
  bytes[3] = 0x7f;
  EXPECT_FALSE(decode_planned_path(bytes, {})) << "beyond 100 km";
  std::vector<std::uint8_t> many(2 + 16 * 4);
  many[1] = 16;
  EXPECT_FALSE(decode_planned_path(many, {})) << "more than fifteen points";
  many[1] = 15;
  EXPECT_TRUE(decode_planned_path(many, {}));
}

robot::Report report_with_plan() {
  robot::Report report;
  report.state.pose = {12.3456, -7.89, 1};
  report.planned_path = path_of({{12.5, -7.5}, {20, -7.5}, {20, 3}});
  return report;
}

TEST(ReportWire, CarriesThePlannedPath) {
  const robot::Report report = report_with_plan();
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  EXPECT_EQ(body->size(), kReportBodySize + kSectionHeaderSize + 2 + 3 * 4);
  const auto read = decode_report(*body);
  ASSERT_TRUE(read.report && read.report->planned_path);
  EXPECT_EQ(*read.report->planned_path, *report.planned_path);

  robot::Report silent = report;
  silent.planned_path.reset();
  EXPECT_FALSE(decode_report(*encode_report(silent)).report->planned_path);
  silent.planned_path = PlannedPath{};
  ASSERT_TRUE(decode_report(*encode_report(silent)).report->planned_path);
  EXPECT_TRUE(decode_report(*encode_report(silent)).report->planned_path->empty());
}

TEST(ReportWire, ASectionThatIsThereAlreadyIsNotWrittenTwice) {
  const auto body = encode_report(report_with_plan());
  ASSERT_TRUE(body);
  const auto read = decode_report(*body);
  EXPECT_EQ(encode_report(*read.report, read.sections), body);
  const std::vector<std::uint8_t> other{250, 1, 0, 9};
  const auto both = encode_report(*read.report, other);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->size(), body->size() + other.size());
  EXPECT_EQ(decode_report(*both).report->planned_path, read.report->planned_path);
}

TEST(ReportWire, AWrongPlannedPathDoesNotHideTheRobot) {
  const std::vector<std::uint8_t> wrong{2, 3, 0, 99, 1, 0};
  robot::Report report = report_with_plan();
  report.planned_path.reset();
  const auto read = decode_report(*encode_report(report, wrong));
  ASSERT_TRUE(read.report);
  EXPECT_FALSE(read.report->planned_path);
  EXPECT_NEAR(read.report->state.pose.x, 12.3456, 1e-9);
}

TEST(ReportWire, WheelsThatWereFoundTravelToTheMicrometre) {
  robot::Report report = report_with_plan();
  EXPECT_FALSE(decode_report(*encode_report(report)).report->wheels) << "it says nothing of them";
  report.wheels = robot::FoundWheels{{0.141179, 0, 0.35552}, {0.000025, 0, 1.5}};
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const auto read = decode_report(*body);
  ASSERT_TRUE(read.report && read.report->wheels);
  EXPECT_NEAR(read.report->wheels->wheels.left_diameter, 0.141179, 1e-12);
  EXPECT_EQ(read.report->wheels->wheels.right_diameter, 0);
  EXPECT_NEAR(read.report->wheels->wheels.base, 0.35552, 1e-12);
  EXPECT_NEAR(read.report->wheels->sigma.left_diameter, 0.000025, 1e-12);
  EXPECT_NEAR(read.report->wheels->sigma.base, 0.065535, 1e-12) << "as large as can be said";
  EXPECT_EQ(read.report->planned_path, report.planned_path);
  EXPECT_EQ(encode_report(*read.report, read.sections), body) << "not written twice";
  // too short, and then a report all the same
  const std::vector<std::uint8_t> wrong{4, 3, 0, 1, 2, 3};
  report.wheels.reset();
  ASSERT_TRUE(decode_report(*encode_report(report, wrong)).report);
  EXPECT_FALSE(decode_report(*encode_report(report, wrong)).report->wheels);
  report.wheels = robot::FoundWheels{{-1, 0, 0}, {}};
  EXPECT_FALSE(encode_report(report));
}

TEST(ReportWire, APlanForWhichThereIsNoRoomIsSaid) {
  std::vector<std::uint8_t> sections(kMostSectionBytes / 3 * 3);
  EXPECT_TRUE(encode_report({}, sections));
  EXPECT_FALSE(encode_report(report_with_plan(), sections));
}

}  // namespace
}  // namespace forerun::sync
