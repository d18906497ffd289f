// Line charts with interval bands, as SVG that takes its colours from the page.
#pragma once

#include <string>
#include <vector>

#include "forerun/geom/vec.hpp"

namespace forerun::draw {

// Values over something, with an interval round each where it is known.
struct Curve {
  std::string name;
  std::vector<double> at;
  std::vector<double> mean;       // as many
  std::vector<double> low, high;  // as many, or none

  [[nodiscard]] bool empty() const { return at.empty(); }
};

// How a curve looks: the page's style says what colour that is.
enum class Role { prediction, extrapolation, other, truth };
[[nodiscard]] const char* to_string(Role role);

struct Line {
  Curve curve;
  Role role = Role::prediction;
  bool dashed = false;
};

// A place on an axis with something to say about it.
struct Mark {
  double at = 0;
  std::string words;
};

struct Axis {
  std::string label;
  double low = 0;
  double high = 0;       // not above `low`: as far as the curves go
  bool percent = false;  // 0.95 is written 95 %
};

struct Chart {
  std::string description;  // for those who cannot see it
  Axis x, y;
  std::vector<Line> lines;
  std::vector<Mark> x_marks;  // upright lines
  std::vector<Mark> y_marks;  // level lines
};

// Where values are in the picture.
struct ChartFrame {
  double left = 52, right = 450, top = 30, bottom = 262;  // [px]
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;

  [[nodiscard]] Vec2 at(double x, double y) const {
    return {left + (x - x_low) / (x_high - x_low) * (right - left),
            bottom - (y - y_low) / (y_high - y_low) * (bottom - top)};
  }
};

inline constexpr double kChartWidth = 460;   // [px]
inline constexpr double kChartHeight = 308;  // [px]

// Takes in all curves with their bands: ends with them on the right, and at a round number above.
[[nodiscard]] ChartFrame frame_of(const Chart& chart);
// Round numbers from `low` to `high`, about `wanted` of them.
[[nodiscard]] std::vector<double> ticks(double low, double high, int wanted);
[[nodiscard]] std::string draw(const Chart& chart);

}  // namespace forerun::draw
