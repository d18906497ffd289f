#include "forerun/draw/chart.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/check.hpp"
#include "forerun/draw/markup.hpp"

namespace forerun::draw {
namespace {

constexpr double kLetter = 8.2;     // about the width of a bold letter [px]
constexpr double kHeadroom = 1.12;  // above the curves, for their names
constexpr double kLineHeight = 17;  // [px]

double round_step(double span, int wanted) {
  const double rough = span / wanted;
  const double unit = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (unit * factor >= rough * (1 - 1e-9)) return unit * factor;
  }
  return unit * 10;
}

// Stretches an axis over what the curves need, up to the next round number.
double round_up(double low, double most, int wanted) {
  if (!(most > low)) most = low + 1;
  const double step = round_step(most - low, wanted);
  return low + std::ceil((most - low) / step - 1e-9) * step;
}

bool has_band(const Curve& curve) { return !curve.low.empty() && !curve.high.empty(); }

std::string points(const ChartFrame& frame, const std::vector<double>& at, const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < at.size(); ++i) text += (i == 0 ? "M" : "L") + brief(frame.at(at[i], values[i]));
  return text;
}

std::string text_at(Vec2 place, const char* attributes, const std::string& words) {
  return "<text x=\"" + brief(place.x) + "\" y=\"" + brief(place.y) + "\" " + attributes + ">" + escape(words) +
         "</text>\n";
}

std::string level(double y, double from, double to, const char* style) {
  return std::string("<path class=\"") + style + "\" d=\"M" + brief({from, y}) + "H" + brief(to) + "\"/>\n";
}

std::string upright(double x, double from, double to, const char* style) {
  return std::string("<path class=\"") + style + "\" d=\"M" + brief({x, from}) + "V" + brief(to) + "\"/>\n";
}

std::string tick_words(const Axis& axis, double value) {
  return axis.percent ? brief(std::round(value * 1000) / 10) + " %" : brief(value);
}

std::string draw_axes(const Chart& chart, const ChartFrame& f) {
  std::string out;
  for (const double y : ticks(f.y_low, f.y_high, 5)) {
    const double place = f.at(f.x_low, y).y;
    out += level(place, f.left, f.right, "grid");
    out += text_at({f.left - 7, place + 4.5}, "class=\"tick\" text-anchor=\"end\"", tick_words(chart.y, y));
  }
  for (const double x : ticks(f.x_low, f.x_high, 7)) {
    const double place = f.at(x, f.y_low).x;
    out += upright(place, f.bottom, f.bottom + 4, "axis");
    out += text_at({place, f.bottom + 19}, "class=\"tick\" text-anchor=\"middle\"", tick_words(chart.x, x));
  }
  out += level(f.bottom, f.left, f.right, "axis");
  out += text_at({(f.left + f.right) / 2, f.bottom + 39}, "class=\"label\" text-anchor=\"middle\"", chart.x.label);
  out += text_at({4, f.top - 14}, "class=\"label\"", chart.y.label);
  return out;
}

std::string draw_marks(const Chart& chart, const ChartFrame& f) {
  std::string out;
  double y = f.top + 10;
  for (const Mark& mark : chart.x_marks) {
    const double x = f.at(mark.at, f.y_low).x;
    out += upright(x, f.bottom, f.top, "mark");
    // beside the line, on the side where there is room
    const double width = kLetter * static_cast<double>(mark.words.size());
    const bool fits = x + 5 + width < f.right;
    out += text_at({fits ? x + 5 : x - 5, y},
                   fits ? "class=\"mark-words\"" : "class=\"mark-words\" text-anchor=\"end\"", mark.words);
    y += kLineHeight;
  }
  for (const Mark& mark : chart.y_marks) {
    const double place = f.at(f.x_low, mark.at).y;
    out += level(place, f.left, f.right, "mark");
    out += text_at({f.left + 5, place - 5}, "class=\"mark-words\"", mark.words);
  }
  return out;
}

std::string draw_line(const Line& line, const ChartFrame& f) {
  const Curve& curve = line.curve;
  const std::string role = to_string(line.role);
  std::string out;
  if (has_band(curve)) {
    std::vector<double> at = curve.at, edge = curve.high;
    at.insert(at.end(), curve.at.rbegin(), curve.at.rend());
    edge.insert(edge.end(), curve.low.rbegin(), curve.low.rend());
    out += "<path class=\"band " + role + "\" d=\"" + points(f, at, edge) + "Z\"/>\n";
  }
  out += "<path class=\"line " + role + (line.dashed ? " dashed" : "") + "\" d=\"" + points(f, curve.at, curve.mean) +
         "\"/>\n";
  return out;
}

// The highest and lowest picture line of the curve over the last `width` pixels.
std::pair<double, double> span_at_end(const Curve& curve, const ChartFrame& f, double width) {
  const std::vector<double>& upper = has_band(curve) ? curve.high : curve.mean;
  const std::vector<double>& lower = has_band(curve) ? curve.low : curve.mean;
  std::pair<double, double> span{f.bottom, f.top};
  const double end = f.at(curve.at.back(), 0).x;
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    if (f.at(curve.at[i], 0).x < end - width) continue;
    span.first = std::min(span.first, f.at(curve.at[i], upper[i]).y);
    span.second = std::max(span.second, f.at(curve.at[i], lower[i]).y);
  }
  return span;
}

// Each curve's name at its end: above it, or below it where another name or the edge is in the way.
std::string draw_names(const Chart& chart, const ChartFrame& f) {
  std::string out;
  std::vector<double> taken;
  const auto is_free = [&](double y) {
    return y > f.top + 8 && y < f.bottom - 3 &&
           std::all_of(taken.begin(), taken.end(), [&](double other) { return std::fabs(other - y) >= kLineHeight; });
  };
  for (const Line& line : chart.lines) {
    if (line.curve.empty() || line.curve.name.empty()) continue;
    const double width = kLetter * static_cast<double>(line.curve.name.size());
    const auto [top, bottom] = span_at_end(line.curve, f, width);
    double y = top - 7;
    if (!is_free(y)) y = bottom + 16;
    for (int tries = 0; !is_free(y) && tries < 8; ++tries) y += y > f.bottom - 20 ? -3 * kLineHeight : kLineHeight;
    taken.push_back(y);
    const double x = std::min(f.at(line.curve.at.back(), 0).x, f.right) - 2;
    const std::string style = std::string("class=\"name ") + to_string(line.role) + "\" text-anchor=\"end\"";
    out += text_at({x, y}, style.c_str(), line.curve.name);
  }
  return out;
}

}  // namespace

const char* to_string(Role role) {
  switch (role) {
    case Role::prediction:
      return "prediction";
    case Role::extrapolation:
      return "extrapolation";
    case Role::other:
      return "other";
    case Role::truth:
      return "truth";
  }
  return "";
}

std::vector<double> ticks(double low, double high, int wanted) {
  std::vector<double> places;
  if (!(high > low)) return places;
  const double step = round_step(high - low, wanted);
  // whole numbers of steps, so that nothing adds up
  const auto first = static_cast<long>(std::ceil(low / step - 1e-9)), last = static_cast<long>(high / step + 1e-9);
  for (long i = first; i <= last; ++i) places.push_back(static_cast<double>(i) * step);
  return places;
}

ChartFrame frame_of(const Chart& chart) {
  double most_x = chart.x.low, most_y = chart.y.low;
  for (const Line& line : chart.lines) {
    const Curve& c = line.curve;
    FORERUN_CHECK(c.mean.size() == c.at.size());
    FORERUN_CHECK(!has_band(c) || (c.low.size() == c.at.size() && c.high.size() == c.at.size()));
    for (const double x : c.at) most_x = std::max(most_x, x);
    for (const double y : c.mean) most_y = std::max(most_y, y);
    for (const double y : c.high) most_y = std::max(most_y, y);
  }
  ChartFrame frame;
  frame.x_low = chart.x.low;
  frame.x_high = chart.x.high > chart.x.low ? chart.x.high : std::max(most_x, chart.x.low + 1e-3);
  frame.y_low = chart.y.low;
  frame.y_high = chart.y.high > chart.y.low ? chart.y.high : round_up(chart.y.low, most_y * kHeadroom, 5);
  return frame;
}

std::string draw(const Chart& chart) {
  const ChartFrame frame = frame_of(chart);
  std::string out = "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 " + brief({kChartWidth, kChartHeight}) +
                    "\" aria-label=\"" + escape(chart.description) + "\">\n";
  out += draw_axes(chart, frame) + draw_marks(chart, frame);
  for (const Line& line : chart.lines) {
    if (!line.curve.empty()) out += draw_line(line, frame);
  }
  return out + draw_names(chart, frame) + "</svg>\n";
}

}  // namespace forerun::draw
