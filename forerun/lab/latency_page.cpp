#include <algorithm>
#include <cmath>
#include <vector>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/lab/latency_report.hpp"

namespace forerun::lab {
namespace {

constexpr double kShown = 5;       // [s]
constexpr double kSeenOver = 0.1;  // velocities are seen over this time to either side [s]

struct AxisNames {
  const char *title, *unit;
};

// Where the command passes the middle of what it is in this time, most steeply.
struct Window {
  const learn::AxisSignal* signal = nullptr;
  double begin = 0;
  double crossing = 0;
};

double crossing_in(const learn::AxisSignal& signal, double begin) {
  learn::LaggedCommand command(signal.commands, 0.01);
  double best = begin + kShown / 2, steepest = 0;
  // not so near to the edges that the answer would not be seen
  for (double time = begin + 0.5; time < begin + kShown - 1.5; time += 0.02) {
    const double change = std::fabs(command.at(time + 0.1).speed - command.at(time - 0.1).speed);
    if (change <= steepest) continue;
    steepest = change;
    best = time;
  }
  return best;
}

// The seconds in which the command changes most.
Window choose_window(const std::vector<learn::AxisSignal>& signals) {
  Window best;
  double most = -1;
  for (const learn::AxisSignal& signal : signals) {
    learn::LaggedCommand command(signal.commands, 0);
    for (double begin = signal.times.front(); begin + kShown <= signal.times.back(); begin += 1) {
      double changes = 0;
      for (double time = begin; time < begin + kShown; time += 0.25) {
        changes += std::fabs(command.at(time + 0.25).speed - command.at(time).speed);
      }
      if (changes <= most) continue;
      most = changes;
      best = {&signal, begin, 0};
    }
  }
  if (best.signal != nullptr) best.crossing = crossing_in(*best.signal, best.begin);
  return best;
}

draw::Curve seen_curve(const Window& window) {
  draw::Curve curve;
  curve.name = "seen";
  const auto& times = window.signal->times;
  const auto& travelled = window.signal->travelled;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < window.begin || times[i] > window.begin + kShown) continue;
    std::size_t from = i, to = i;
    while (from > 0 && times[i] - times[from] < kSeenOver) --from;
    while (to + 1 < times.size() && times[to] - times[i] < kSeenOver) ++to;
    curve.at.push_back(times[i] - window.begin);
    curve.mean.push_back((travelled[to] - travelled[from]) / (times[to] - times[from]));
  }
  return curve;
}

draw::Curve commanded_curve(const Window& window) {
  draw::Curve curve;
  curve.name = "commanded";
  learn::LaggedCommand command(window.signal->commands, 0);
  for (double time = 0; time <= kShown; time += 0.02) {
    curve.at.push_back(time);
    curve.mean.push_back(command.at(window.begin + time).speed);
  }
  return curve;
}

draw::Curve response_curve(const Window& window, const learn::Response& r) {
  draw::Curve curve;
  learn::LaggedCommand command(window.signal->commands, r.lag), tail(window.signal->commands, learn::kTailLag);
  for (double time = 0; time <= kShown; time += 0.02) {
    const double then = window.begin + time - r.delay;
    curve.at.push_back(time);
    curve.mean.push_back(r.gain * command.at(then).speed + r.tail * tail.at(then).speed);
  }
  return curve;
}

void frame_speeds(draw::Chart& chart) {
  double most = 1e-3;
  for (const draw::Line& line : chart.lines) {
    for (const double value : line.curve.mean) most = std::max(most, std::fabs(value));
  }
  chart.x.high = kShown;
  chart.y.low = -1.25 * most;
  chart.y.high = 1.6 * most;  // with room for words
}

std::string draw_axis(const learn::AxisDeadTime& axis, const std::vector<learn::AxisSignal>& signals,
                      const AxisNames& names) {
  const Window window = choose_window(signals);
  if (window.signal == nullptr) return "";
  draw::Chart chart;
  chart.description = std::string(names.title) + " as commanded and as seen, over time";
  chart.x.label = "time [s]";
  chart.y.label = names.unit;
  chart.lines.push_back({commanded_curve(window), draw::Role::extrapolation});
  chart.lines.push_back({seen_curve(window), draw::Role::prediction});
  if (axis.known) {
    chart.lines.push_back({response_curve(window, axis.fit.response), draw::Role::truth, true});
    const double at = window.crossing - window.begin;
    chart.x_marks = {{at, ""}, {at + axis.shift.time, draw::fixed(1000 * axis.shift.time, 0) + " ms later"}};
  }
  frame_speeds(chart);
  const learn::ResponseFit& fit = axis.fit;
  const std::string caption = axis.known ? "Delay " + draw::fixed(1000 * fit.response.delay, 0) +
                                               " ms (95 %: " + draw::fixed(1000 * fit.delay_ci95.low, 0) + " to " +
                                               draw::fixed(1000 * fit.delay_ci95.high, 0) + "), then a lag of " +
                                               draw::fixed(1000 * fit.response.lag, 0) + " ms."
                                         : "Not known: " + draw::escape(axis.why) + ".";
  return std::string("<figure><h3>") + names.title + "</h3>" + draw::draw(chart) + "<figcaption>" + caption +
         "</figcaption></figure>\n";
}

std::string say_delay(const learn::AxisDeadTime& axis) {
  if (!axis.known) return "not known";
  return "<strong class=\"prediction\">" + draw::fixed(1000 * axis.fit.response.delay, 0) + " ms</strong>";
}

}  // namespace

std::string latency_page(const learn::DeadTime& found, std::span<const learn::CommandedDrive> drives) {
  std::vector<learn::CommandedStretch> stretches;
  bool sideways = false;
  for (const learn::CommandedDrive& drive : drives) {
    stretches.insert(stretches.end(), drive.stretches.begin(), drive.stretches.end());
    sideways = sideways || drive.sideways;
  }
  const std::string content =
      "<p>Speeds as they were <i class=\"extrapolation\">commanded</i> and as they were <i "
      "class=\"prediction\">seen</i>, in the seconds in which the commands changed most. Dashed: what the delay, the "
      "lag and the gain that were found make of the commands. The upright lines are as far apart as the two curves "
      "are, over all drives.</p>\n<div class=\"pair\">" +
      draw_axis(found.v, learn::translation_of(stretches, sideways), {"Translation", "speed [m/s]"}) +
      draw_axis(found.w, learn::rotation_of(stretches), {"Rotation", "turn rate [rad/s]"}) + "</div>\n";
  return draw::write_page(
      {"Dead time",
       "From a command to the first motion: driving " + say_delay(found.v) + ", turning " + say_delay(found.w) + ".",
       draw::write_section("curves", "Commanded and seen", content)});
}

}  // namespace forerun::lab
