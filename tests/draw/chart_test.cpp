#include "forerun/draw/chart.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "forerun/draw/markup.hpp"

namespace forerun::draw {
namespace {

Chart make_chart() {
  Chart chart;
  chart.x = {.label = "gap [s]", .low = 0, .high = 10, .percent = false};
  chart.y = {.label = "error [m]", .low = 0, .high = 4, .percent = false};
  Curve curve{"prediction", {0, 2, 5, 10}, {0, 1, 1.5, 3}, {0, 0.5, 1.2, 2.5}, {0, 1.5, 2, 3.5}};
  chart.lines.push_back({curve, Role::prediction, false});
  return chart;
}

// The points of the first path of this style.
std::vector<Vec2> read_path(const std::string& svg, const std::string& style) {
  const std::size_t element = svg.find("<path class=\"" + style);
  if (element == std::string::npos) return {};
  const std::size_t begin = svg.find(" d=\"", element) + 4;
  std::string numbers = svg.substr(begin, svg.find('"', begin) - begin);
  for (char& c : numbers) {
    if (c == 'M' || c == 'L' || c == 'Z') c = ' ';
  }
  std::istringstream in(numbers);
  std::vector<Vec2> points;
  for (Vec2 p; in >> p.x >> p.y;) points.push_back(p);
  return points;
}

TEST(Chart, DrawsValuesAtTheirPlaces) {
  const Chart chart = make_chart();
  const ChartFrame frame = frame_of(chart);
  EXPECT_EQ(frame.at(0, 0).x, frame.left);
  EXPECT_EQ(frame.at(0, 0).y, frame.bottom);
  EXPECT_EQ(frame.at(10, 4).x, frame.right);
  EXPECT_EQ(frame.at(10, 4).y, frame.top);
  const std::vector<Vec2> line = read_path(draw(chart), "line prediction");
  ASSERT_EQ(line.size(), 4u);
  // half of the way to the right, and 1.5 of 4 upwards
  EXPECT_NEAR(line[2].x, (frame.left + frame.right) / 2, 0.001);
  EXPECT_NEAR(line[2].y, frame.bottom - 0.375 * (frame.bottom - frame.top), 0.001);
}

TEST(Chart, BandsHoldTheirMeans) {
  const std::string svg = draw(make_chart());
  const std::vector<Vec2> line = read_path(svg, "line prediction"), band = read_path(svg, "band prediction");
  ASSERT_EQ(band.size(), 2 * line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Vec2 upper = band[i], lower = band[band.size() - 1 - i];
    EXPECT_EQ(upper.x, line[i].x);
    EXPECT_EQ(lower.x, line[i].x);
    EXPECT_LE(upper.y, line[i].y);  // pixels count downwards
    EXPECT_GE(lower.y, line[i].y);
  }
  EXPECT_LT(band[2].y, line[2].y);
}

TEST(Chart, FindsRoomForEverythingByItself) {
  Chart chart = make_chart();
  chart.x.high = chart.y.high = 0;
  const ChartFrame frame = frame_of(chart);
  EXPECT_EQ(frame.x_high, 10);
  EXPECT_GE(frame.y_high, 3.5);
  EXPECT_LE(frame.y_high, 5);
  chart.lines[0].curve.high.back() = 70;
  EXPECT_GE(frame_of(chart).y_high, 70);
}

TEST(Chart, TicksAreRoundNumbersWithinTheAxis) {
  EXPECT_EQ(ticks(0, 18, 7), (std::vector<double>{0, 5, 10, 15}));
  EXPECT_EQ(ticks(0, 1, 5).size(), 6u);
  EXPECT_EQ(ticks(0, 0.2, 4), (std::vector<double>{0, 0.05, 0.1, 0.15000000000000002, 0.2}));
  EXPECT_TRUE(ticks(1, 1, 5).empty());
  for (const double high : {0.003, 0.7, 1.0, 6.0, 250.0, 1e5}) {
    const std::vector<double> places = ticks(0, high, 5);
    EXPECT_GE(places.size(), 3u) << high;
    EXPECT_LE(places.size(), 7u) << high;
    EXPECT_LE(places.back(), high * (1 + 1e-9)) << high;
  }
}

TEST(Chart, NamesOfCurvesKeepApartAndWithinThePicture) {
  Chart chart = make_chart();
  for (int i = 0; i < 3; ++i) {
    chart.lines.push_back(chart.lines[0]);
    chart.lines.back().curve.name = "again " + std::to_string(i);
  }
  const std::string svg = draw(chart);
  std::vector<double> heights;
  for (std::size_t at = 0; (at = svg.find("class=\"name", at)) != std::string::npos; ++at) {
    const std::size_t y = svg.rfind("y=\"", at) + 3;
    heights.push_back(std::atof(svg.c_str() + y));
  }
  ASSERT_EQ(heights.size(), 4u);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    EXPECT_GT(heights[i], 0);
    EXPECT_LT(heights[i], kChartHeight);
    for (std::size_t k = 0; k < i; ++k) EXPECT_GT(std::abs(heights[i] - heights[k]), 12);
  }
}

TEST(Chart, WordsAreNeverMarkup) {
  Chart chart = make_chart();
  chart.description = "\"><script>";
  chart.x.label = "<b>";
  chart.lines[0].curve.name = "a & b";
  chart.x_marks.push_back({2, "</svg>"});
  const std::string svg = draw(chart);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 7);
}

TEST(Markup, WritesNumbersShortly) {
  EXPECT_EQ(brief(2.5), "2.5");
  EXPECT_EQ(brief(-0.0001), "0");
  EXPECT_EQ(brief(100), "100");
  EXPECT_EQ(fixed(0.005, 1), "0.0");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(1e308 * 10, 2), "–");
  EXPECT_EQ(escape("a\x01<'\"&>"), "a&lt;&#39;&quot;&amp;&gt;");
}

}  // namespace
}  // namespace forerun::draw
