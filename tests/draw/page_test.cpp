// Pages of studies, and parts of them that go into another page.
#include "forerun/draw/page.hpp"

#include <gtest/gtest.h>

namespace forerun::draw {
namespace {

std::string two_sections() {
  return write_page({.title = "a < b",
                     .lead = "lead",
                     .content = write_section("one", "First", "<use href=\"#plan\"/><use href=\"#plan\"/>\n") +
                                write_section("two", "<b>(b)</b>Second", "<p>two</p>\n"),
                     .definitions = "<svg><defs><g id=\"plan\"></g></defs></svg>\n",
                     .style = ".mine{}"});
}

TEST(Page, StandsAlone) {
  const std::string page = two_sections();
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_NE(page.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(page.find(".mine{}</style>"), std::string::npos);
  EXPECT_NE(page.find("<section id=\"two\"><h2><b>(b)</b>Second</h2>"), std::string::npos);
}

TEST(Page, SectionsAreCutWithoutTheirHeadings) { EXPECT_EQ(cut_section(two_sections(), "two", "x-"), "<p>two</p>\n"); }

TEST(Page, WhatPicturesReferToKeepsItsNameInAnotherPage) {
  const std::string page = two_sections();
  EXPECT_EQ(cut_section(page, "one", "x-"), "<use href=\"#x-plan\"/><use href=\"#x-plan\"/>\n");
  EXPECT_EQ(cut_definitions(page, "x-"), "<svg><defs><g id=\"x-plan\"></g></defs></svg>\n");
}

TEST(Page, WhatIsNotThereIsEmpty) {
  const std::string page = two_sections();
  EXPECT_EQ(cut_section(page, "three", "x-"), "");
  EXPECT_EQ(cut_section("", "one", "x-"), "");
  EXPECT_EQ(cut_section(page.substr(0, page.find("</section>")), "one", "x-"), "");
  EXPECT_EQ(cut_definitions("<p>no page</p>", "x-"), "");
}

}  // namespace
}  // namespace forerun::draw
