#include "forerun/learn/dead_time.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/io/text.hpp"

namespace forerun::learn {
namespace {

constexpr std::size_t kMostPoses = 20'000;  // of an axis: more only take longer

double busy_time(std::span<const AxisSignal> signals) {
  double sum = 0;
  for (const AxisSignal& signal : signals) sum += signal.times.back() - signal.times.front();
  return sum;
}

// A single speed all the time has no moment that could be late.
bool ever_changes(std::span<const AxisSignal> signals) {
  for (const AxisSignal& signal : signals) {
    for (const CommandStep& step : signal.commands) {
      if (step.value != signal.commands.front().value) return true;
    }
  }
  return false;
}

std::string in_seconds(double value) { return io::show(std::round(value * 1000) / 1000) + " s"; }

// Why the first look is not enough; empty: it is.
std::string doubt_drive(std::span<const AxisSignal> signals, const AxisDeadTime& axis, const DeadTimeParams& params) {
  if (signals.empty()) return "no motion was commanded";
  if (axis.busy_s < params.least_busy_s) {
    return "motion was commanded for " + in_seconds(axis.busy_s) + " only, but " + in_seconds(params.least_busy_s) +
           " are needed";
  }
  if (!ever_changes(signals)) return "what was commanded never changed";
  return "";
}

std::string doubt_shift(const Shift& shift, const DeadTimeParams& params) {
  if (shift.correlation >= params.least_correlation) return "";
  return "what was seen does not follow what was commanded: their correlation is " +
         io::show(std::round(shift.correlation * 100) / 100) + ", but must be " + io::show(params.least_correlation);
}

std::string doubt_fit(const ResponseFit& fit, const DeadTimeParams& params) {
  if (fit.response.gain < 0.2 || fit.response.gain > 5) {
    return "what was seen is " + io::show(std::round(fit.response.gain * 100) / 100) + " times what was commanded";
  }
  if (fit.delay_ci95.width() <= params.widest_s) return "";
  return "the delay lies anywhere from " + in_seconds(fit.delay_ci95.low) + " to " + in_seconds(fit.delay_ci95.high) +
         ": drive faster changes, or longer";
}

AxisDeadTime estimate_axis(std::vector<AxisSignal> signals, const DeadTimeParams& params) {
  AxisDeadTime axis;
  axis.busy_s = busy_time(signals);
  axis.why = doubt_drive(signals, axis, params);
  if (!axis.why.empty()) return axis;
  thin_out(signals, kMostPoses);
  axis.shift = find_shift(signals);
  axis.why = doubt_shift(axis.shift, params);
  if (!axis.why.empty()) return axis;
  axis.fit = fit_response(signals, axis.shift.time);
  axis.why = doubt_fit(axis.fit, params);
  axis.known = axis.why.empty();
  return axis;
}

}  // namespace

DeadTime estimate_dead_time(std::span<const CommandedStretch> stretches, bool sideways, const DeadTimeParams& params) {
  return {estimate_axis(translation_of(stretches, sideways), params), estimate_axis(rotation_of(stretches), params)};
}

DeadTime estimate_dead_time(std::span<const CommandedDrive> drives, const DeadTimeParams& params) {
  std::vector<CommandedStretch> stretches;
  bool sideways = false;
  for (const CommandedDrive& drive : drives) {
    stretches.insert(stretches.end(), drive.stretches.begin(), drive.stretches.end());
    sideways = sideways || drive.sideways;
  }
  return estimate_dead_time(stretches, sideways, params);
}

}  // namespace forerun::learn
