#include "forerun/lab/latency_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/draw/markup.hpp"

namespace forerun::lab {
namespace {

using Json = nlohmann::ordered_json;

std::string milliseconds(double seconds) { return draw::fixed(1000 * seconds, 0); }

Json or_null(bool known, const Json& value) { return known ? value : Json(nullptr); }

Json interval(bool known, const learn::Interval& ci) { return or_null(known, Json::array({ci.low, ci.high})); }

std::string describe(const char* name, const learn::AxisDeadTime& axis) {
  std::string line = std::string(name) + ": ";
  if (!axis.known) return line + "not known: " + axis.why + "\n";
  const learn::ResponseFit& fit = axis.fit;
  line += "delay " + milliseconds(fit.response.delay) + " ms (95 %: " + milliseconds(fit.delay_ci95.low) + " to " +
          milliseconds(fit.delay_ci95.high) + "), lag " + milliseconds(fit.response.lag) + " ms (" +
          milliseconds(fit.lag_ci95.low) + " to " + milliseconds(fit.lag_ci95.high) + ")";
  line += "; the curves are " + milliseconds(axis.shift.time) + " ms apart, gain " +
          draw::fixed(fit.response.gain + fit.response.tail, 2);
  if (fit.response.tail != 0) line += ", of that " + draw::fixed(fit.response.tail, 2) + " only after a second or so";
  return line + "\n";
}

std::string nav2_line(const char* name, const learn::AxisDeadTime& axis) {
  if (!axis.known) return std::string("# ") + name + " is not known: " + axis.why + "\n";
  // stamps may be off; Nav2 wants no delay below zero
  return std::string(name) + ": " + draw::fixed(std::max(0.0, axis.fit.response.delay), 3) + "\n";
}

}  // namespace

Json to_json(const learn::DeadTime& found) {
  const learn::AxisDeadTime &v = found.v, &w = found.w;
  const learn::Response &rv = v.fit.response, &rw = w.fit.response;
  return {{"delay_v_s", or_null(v.known, rv.delay)},
          {"delay_w_s", or_null(w.known, rw.delay)},
          {"lag_v_s", or_null(v.known, rv.lag)},
          {"lag_w_s", or_null(w.known, rw.lag)},
          {"delay_v_ci95_s", interval(v.known, v.fit.delay_ci95)},
          {"delay_w_ci95_s", interval(w.known, w.fit.delay_ci95)},
          {"enough_excitation", found.enough_excitation()},
          {"lag_v_ci95_s", interval(v.known, v.fit.lag_ci95)},
          {"lag_w_ci95_s", interval(w.known, w.fit.lag_ci95)},
          {"shift_v_s", or_null(v.known, v.shift.time)},
          {"shift_w_s", or_null(w.known, w.shift.time)},
          {"gain_v", or_null(v.known, rv.gain + rv.tail)},
          {"gain_w", or_null(w.known, rw.gain + rw.tail)},
          {"n_poses_v", v.fit.n_poses},
          {"n_poses_w", w.fit.n_poses},
          {"why_not_v", or_null(!v.known, v.why)},
          {"why_not_w", or_null(!w.known, w.why)}};
}

std::string to_nav2(const learn::DeadTime& found) {
  return "# Dead time as forerun latency measured it [s].\n" + nav2_line("model_delay_vx", found.v) +
         nav2_line("model_delay_wz", found.w);
}

std::string describe(const learn::DeadTime& found) {
  return describe("translation", found.v) + describe("rotation", found.w);
}

}  // namespace forerun::lab
