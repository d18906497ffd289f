#include "forerun/sync/hindrance_wire.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "forerun/sync/report_wire.hpp"
#include "tests/support/hex.hpp"

namespace forerun::sync {
namespace {

using test::from_hex;
using test::show_hex;

robot::Hindrance both() {
  robot::Hindrance hindrance;
  hindrance.held_back = robot::HeldBack{0.6, 0.4, kPi / 8};
  hindrance.contact.emplace().lasts = 2.5;
  hindrance.contact->bearings.push_back(kPi / 4);
  hindrance.contact->bearings.push_back(-kPi / 4);
  return hindrance;
}

std::optional<robot::Hindrance> decode(const std::vector<std::uint8_t>& content) { return decode_hindrance(content); }

TEST(HindranceWire, TravelsInAReport) {
  robot::Report report;
  report.hindrance = both();
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const DecodedReport decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report && decoded.report->hindrance);
  const robot::Hindrance& read = *decoded.report->hindrance;
  ASSERT_TRUE(read.held_back && read.contact);
  EXPECT_NEAR(read.held_back->share, 0.6, 1e-12);
  EXPECT_EQ(read.held_back->distance, 0.4);
  EXPECT_NEAR(read.held_back->bearing, kPi / 8, 1e-9);
  EXPECT_EQ(read.contact->lasts, 2.5);
  ASSERT_EQ(read.contact->bearings.size(), 2u);
  EXPECT_NEAR(read.contact->bearings[1], -kPi / 4, 1e-9);
}

TEST(HindranceWire, IsTheBytesOfTheProtocolsText) {
  SectionWriter out;
  ASSERT_TRUE(add_hindrance(both(), out));
  const Bytes written = out.written();
  EXPECT_EQ(show_hex(written),
            "080c00"
            "9990010010fa0002002000e0");
}

TEST(HindranceWire, SaysThatNothingHindersAnyMore) {
  robot::Report report;
  report.hindrance.emplace();
  const DecodedReport decoded = decode_report(*encode_report(report));
  ASSERT_TRUE(decoded.report->hindrance);
  EXPECT_EQ(*decoded.report->hindrance, robot::Hindrance{});
  EXPECT_FALSE(decode_report(*encode_report(robot::Report{})).report->hindrance) << "or says nothing";
}

TEST(HindranceWire, TheLittlestThatIsHeldBackIsNotNothing) {
  robot::Report report;
  report.hindrance.emplace().held_back = robot::HeldBack{0.0001, 1, 0};
  EXPECT_TRUE(decode_report(*encode_report(report)).report->hindrance->held_back);
}

TEST(HindranceWire, NumbersThatCannotBeAreNotSent) {
  const double kNaN = std::numeric_limits<double>::quiet_NaN();
  SectionWriter out;
  for (const double wrong : {kNaN, -1.0}) {
    robot::Hindrance hindrance = both();
    hindrance.held_back->distance = wrong;
    EXPECT_FALSE(add_hindrance(hindrance, out)) << wrong;
  }
  for (const double wrong : {kNaN, kInfinity}) {
    robot::Hindrance hindrance = both();
    hindrance.contact->bearings[0] = wrong;
    EXPECT_FALSE(add_hindrance(hindrance, out)) << wrong;
  }
  EXPECT_TRUE(out.written().empty());
}

TEST(HindranceWire, ContentsThatCannotBeSayNothingAndAreNotReadBeyondTheirEnd) {
  const auto good = from_hex("9990010010fa0002002000e0");
  ASSERT_TRUE(decode(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(decode({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  }
  auto longer = good;
  longer.push_back(7);
  EXPECT_TRUE(decode(longer)) << "a newer writer's";
  auto many = good;
  many[7] = 5;
  many.resize(40);
  EXPECT_FALSE(decode(many));
  // the report is used without it
  robot::Report report;
  report.sequence = 9;
  SectionWriter sections;
  ASSERT_TRUE(sections.add(SectionKind::hindrance, many));
  const DecodedReport decoded = decode_report(*encode_report(report, sections.written()));
  ASSERT_TRUE(decoded.report);
  EXPECT_EQ(decoded.report->sequence, 9u);
  EXPECT_FALSE(decoded.report->hindrance);
}

}  // namespace
}  // namespace forerun::sync
