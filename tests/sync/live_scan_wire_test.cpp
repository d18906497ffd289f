// The live scan on the wire: at most 64 bytes, and harmless where it is wrong.
#include "forerun/sync/live_scan_wire.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "forerun/sync/report_wire.hpp"
#include "tests/support/hex.hpp"
#include "tests/support/source_tree.hpp"

namespace forerun::sync {
namespace {

using robot::LiveScan;

LiveScan some_scan() {
  LiveScan scan{.unit_cm = 4, .ranges = {}};
  scan.ranges.fill(LiveScan::kNothing);
  for (const auto& [sector, range] :
       {std::pair{0, 120}, {1, 118}, {2, 254}, {13, 57}, {14, 58}, {27, 1}, {28, 0}, {42, 60}, {55, 121}}) {
    scan.ranges[static_cast<std::size_t>(sector)] = static_cast<std::uint8_t>(range);
  }
  return scan;
}

std::vector<std::uint8_t> content_of(const LiveScan& scan) {
  SectionWriter out;
  EXPECT_TRUE(add_live_scan(scan, out));
  EXPECT_LE(out.written().size(), 64u);
  const auto content = find_section(out.written(), SectionKind::live_scan);
  EXPECT_TRUE(content);
  return {content->begin(), content->end()};
}

TEST(LiveScanWire, ComesBackAsItWasSaid) { EXPECT_EQ(decode_live_scan(content_of(some_scan())), some_scan()); }

TEST(LiveScanWire, IsTheBytesThatTheProtocolShows) {
  for (const auto& frame : nlohmann::json::parse(test::read_source("tests/protocol/frames.json").text)) {
    if (frame["name"] != "live scan") continue;
    EXPECT_EQ(test::show_hex(content_of(some_scan())), frame["bytes"].get<std::string>());
    return;
  }
  FAIL() << "there is no such frame";
}

TEST(LiveScanWire, GoesWithItsReport) {
  robot::Report report;
  report.scan = some_scan();
  const auto body = encode_report(report);
  ASSERT_TRUE(body);
  const DecodedReport decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report);
  EXPECT_EQ(decoded.report->scan, report.scan);
  // who passes sections on does not write them twice
  EXPECT_EQ(*encode_report(*decoded.report, decoded.sections), *body);
}

TEST(LiveScanWire, OneThatIsCutOrHasNoUnitSaysNothing) {
  auto content = content_of(some_scan());
  const auto whole = content;
  content.push_back(9);
  EXPECT_EQ(decode_live_scan(content), some_scan()) << "bytes behind it are not read";
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(decode_live_scan(Bytes(whole).first(size)));
  content[0] = 0;
  EXPECT_FALSE(decode_live_scan(content));
  SectionWriter out;
  EXPECT_FALSE(add_live_scan({.unit_cm = 0, .ranges = {}}, out));
}

TEST(LiveScanWire, AReportWhoseScanIsWrongIsUsedWithoutIt) {
  SectionWriter sections;
  ASSERT_TRUE(sections.add(SectionKind::live_scan, std::vector<std::uint8_t>{1, 2, 3}));
  const auto body = encode_report({}, sections.written());
  ASSERT_TRUE(body);
  const DecodedReport decoded = decode_report(*body);
  ASSERT_TRUE(decoded.report);
  EXPECT_FALSE(decoded.report->scan);
}

}  // namespace
}  // namespace forerun::sync
