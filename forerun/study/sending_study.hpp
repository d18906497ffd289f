// What it costs to be right: bytes against the error of what viewers predict, for reports sent by the clock and for
// reports sent when they matter.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct SendingParams {
  int runs = 5;
  std::uint64_t seed = 1;
  double loss = 0;              // share of datagrams that are lost, either way
  double delay_s = 0;           // of every datagram, either way [s]
  double base_interval_s = 60;  // of threshold sending [s]
};

template <class Visit>
void visit_fields(SendingParams& p, Visit&& visit) {
  visit("runs", p.runs, Field{1, 10000, "drives, with different chance each"});
  visit("seed", p.seed, Field{.about = "of the first drive"});
  visit("loss", p.loss, Field{0, 0.95, "share of datagrams that are lost, either way"});
  visit("delay_s", p.delay_s, Field{0, 10, "of every datagram, either way [s]"});
  visit("base_interval_s", p.base_interval_s, Field{0.2, 3600, "longest time between two reports [s]"});
}

// One setting, over all runs.
struct SendingPoint {
  double setting = 0;       // interval [s], or threshold [m]
  double bytes_per_s = 0;   // of the datagrams with reports: header, stamp, report and tag, without UDP and IP
  double mean_error_m = 0;  // of the viewer's prediction against the truth, over time
};

struct SendingResult {
  std::vector<SendingPoint> timed;
  std::vector<SendingPoint> threshold;
  double bytes_per_report = 0;  // mean size of a datagram
  // Threshold's bytes ÷ timed's at the same mean error: geometric mean over the errors that both reach, and the
  // largest.
  std::optional<double> bytes_ratio_at_same_error;
  std::optional<double> largest_bytes_ratio;
  double duration_s = 0;  // mean of the runs
};

// `on_progress` is told the share done, and ends the study early, without figures, by giving false.
[[nodiscard]] Result<SendingResult> run_sending_study(const sim::Setting& inputs, const SendingParams& params,
                                                      const std::function<bool(double)>& on_progress = {});

// The least that reaches this mean error, between the settings that were tried; nothing outside what they reach.
[[nodiscard]] std::optional<double> bytes_at_error(const std::vector<SendingPoint>& curve, double mean_error_m);

// Fills in both ratios.
void compare_curves(SendingResult& result);

}  // namespace forerun::study
