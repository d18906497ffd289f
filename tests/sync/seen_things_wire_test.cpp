// Things seen on the wire: small, at the same place wherever the robot says it from, and harmless where it is wrong.
#include "forerun/sync/seen_things_wire.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/support/hex.hpp"

namespace forerun::sync {
namespace {

using robot::Change;
using robot::SeenThings;

constexpr Vec2 kHere{12.34, -5.678};

SeenThings some_things() {
  SeenThings things{.first = 3, .last = 0xffff, .changes = {}, .moving = {}};
  things.changes.push_back({.number = 3, .pose = {10.84, -3.48, kPi / 4}, .half_length = 0.2, .half_width = 0.15});
  things.changes.push_back({.number = 9, .kind = Change::Kind::door, .door = 2, .opening = 0});
  things.moving.push_back({{15.44, -6.13}, {0.8, -0.5}, 0.25});
  return things;
}

std::vector<std::uint8_t> content_of(const SeenThings& things, Vec2 here) {
  SectionWriter out;
  EXPECT_TRUE(add_seen_things(things, here, out));
  const auto content = find_section(out.written(), SectionKind::things_seen);
  EXPECT_TRUE(content);
  return {content->begin(), content->end()};
}

TEST(SeenThingsWire, ComeBackAsTheyWereSaid) {
  const auto content = content_of(some_things(), kHere);
  EXPECT_EQ(content.size(), kSeenHeaderSize + kSeenBoxSize + kSeenDoorSize + kMovingThingSize);
  EXPECT_EQ(decode_seen_things(content, kHere), some_things());
}

TEST(SeenThingsWire, AreTheBytesThatTheProtocolShows) {
  EXPECT_EQ(test::show_hex(content_of(some_things(), kHere)),
            "0300ffff02010300006affdc00140f400900010200003601d3ff28e719");
}

TEST(SeenThingsWire, ABoxStandsWhereItStoodWhereverTheRobotIs) {
  Random random(4, 1);
  const auto wander = [&] { return Vec2{random.uniform(-50, 50), random.uniform(-50, 50)}; };
  for (int run = 0; run < 200; ++run) {
    SeenThings things;
    const Vec2 place = wander();
    things.changes.push_back({.number = 1, .pose = {place.x, place.y, 0}, .half_length = 0.3, .half_width = 0.2});
    const Vec2 here = wander(), there = wander();
    const auto from_here = decode_seen_things(content_of(things, here), here);
    const auto from_there = decode_seen_things(content_of(things, there), there);
    ASSERT_TRUE(from_here && from_there);
    EXPECT_EQ(*from_here, *from_there);
    EXPECT_LT(distance(from_here->changes[0].pose.position(), place), 0.0072);
  }
}

TEST(SeenThingsWire, WhatIsTooFarOffIsLeftOut) {
  SeenThings things = some_things();
  things.changes[0].pose.x = kHere.x + 400;
  const auto read = decode_seen_things(content_of(things, kHere), kHere);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->changes.size(), 1u);
  EXPECT_EQ(read->changes[0].kind, Change::Kind::door);
}

TEST(SeenThingsWire, NumbersThatAreNoneAreNotSent) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  SectionWriter out;
  SeenThings things = some_things();
  things.changes[0].half_length = none;
  EXPECT_FALSE(add_seen_things(things, kHere, out));
  for (const double wrong : {none, kInfinity}) {
    things = some_things();
    things.changes[0].pose.theta = wrong;
    EXPECT_FALSE(add_seen_things(things, kHere, out));
  }
  EXPECT_TRUE(out.written().empty());
}

TEST(SeenThingsWire, ContentThatIsNoneSaysNothing) {
  const auto good = content_of(some_things(), kHere);
  const auto with = [&](std::size_t at, std::uint8_t byte) {
    auto content = good;
    content[at] = byte;
    return decode_seen_things(content, kHere);
  };
  ASSERT_TRUE(with(0, 3));
  EXPECT_FALSE(with(4, 13)) << "more changes than are allowed";
  EXPECT_FALSE(with(5, 9)) << "more that moves than is allowed";
  EXPECT_FALSE(with(kSeenHeaderSize + 2, 2)) << "a kind that nobody knows";
  EXPECT_FALSE(with(kSeenHeaderSize, 9)) << "a number twice";
  EXPECT_FALSE(decode_seen_things(good, {99999.9, 0})) << "a place beyond 100 km";
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(decode_seen_things(Bytes(good).first(size), kHere)) << size;
  }
}

TEST(SeenThingsWire, AReportWithASectionThatIsWrongIsUsedWithoutIt) {
  robot::Report report;
  report.time = RobotTime{} + from_seconds(5);
  report.seen = some_things();
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  std::vector<std::uint8_t> bytes(body->begin(), body->end());
  EXPECT_EQ(decode_report(bytes).report->seen, report.seen);
  bytes[kReportBodySize + kSectionHeaderSize + 4] = 200;
  const auto read = decode_report(bytes);
  ASSERT_TRUE(read.report);
  EXPECT_FALSE(read.report->seen);
}

TEST(SeenThingsWire, TheMostThatCanBeSaidFitsInAReport) {
  SeenThings things;
  for (std::uint16_t number = 1; things.changes.push_back({.number = number}); ++number) continue;
  while (things.moving.push_back({})) continue;
  robot::Report report;
  report.time = RobotTime{} + from_seconds(5);
  report.seen = things;
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  EXPECT_LE(body->size(), kReportBodySize + 200);
}

}  // namespace
}  // namespace forerun::sync
