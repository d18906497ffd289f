#include "forerun/sync/sections.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace forerun::sync {
namespace {

using Content = std::vector<std::uint8_t>;

Content copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Sections, WhatIsWrittenIsRead) {
  SectionWriter out;
  ASSERT_TRUE(out.add(SectionKind::planned_path, Content{1, 2, 3}));
  ASSERT_TRUE(out.add(static_cast<SectionKind>(200), Content{}));
  ASSERT_TRUE(out.add(SectionKind::calibration, Content{4}));
  EXPECT_EQ(copy(out.written()), (Content{2, 3, 0, 1, 2, 3, 200, 0, 0, 4, 1, 0, 4}));

  std::vector<int> kinds;
  EXPECT_TRUE(visit_sections(out.written(), [&](const Section& section) { kinds.push_back(section.kind); }));
  EXPECT_EQ(kinds, (std::vector<int>{2, 200, 4}));
  EXPECT_EQ(copy(*find_section(out.written(), SectionKind::calibration)), Content{4});
  EXPECT_FALSE(find_section(out.written(), SectionKind::attitude));
}

TEST(Sections, TheFirstOfAKindCounts) {
  SectionWriter out;
  ASSERT_TRUE(out.add(SectionKind::models, Content{1}));
  ASSERT_TRUE(out.add(SectionKind::models, Content{2}));
  EXPECT_EQ(copy(*find_section(out.written(), SectionKind::models)), Content{1});
}

TEST(Sections, WhatIsCutOffIsNoSection) {
  SectionWriter out;
  ASSERT_TRUE(out.add(SectionKind::attitude, Content{1, 2}));
  const std::size_t first = out.written().size();
  ASSERT_TRUE(out.add(SectionKind::things_seen, Content{3, 4, 5}));
  for (std::size_t size = 0; size <= out.written().size(); ++size) {
    const bool whole = size == 0 || size == first || size == out.written().size();
    EXPECT_EQ(has_whole_sections(out.written().first(size)), whole) << size;
  }
}

TEST(Sections, WhatDoesNotFitChangesNothing) {
  SectionWriter out;
  EXPECT_FALSE(out.add(SectionKind::things_seen, Content(kMostSectionBytes - kSectionHeaderSize + 1)));
  EXPECT_TRUE(out.written().empty());
  ASSERT_TRUE(out.add(SectionKind::things_seen, Content(kMostSectionBytes - 2 * kSectionHeaderSize)));
  EXPECT_TRUE(out.add(SectionKind::attitude, Content{}));
  EXPECT_FALSE(out.add(SectionKind::attitude, Content{}));
  EXPECT_EQ(out.written().size(), kMostSectionBytes);
  EXPECT_TRUE(has_whole_sections(out.written()));
}

}  // namespace
}  // namespace forerun::sync
