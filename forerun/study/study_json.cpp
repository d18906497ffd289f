#include "forerun/study/study_json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace forerun::study {
namespace {

using Json = nlohmann::ordered_json;

Json curve_json(const std::vector<SendingPoint>& curve, const char* setting) {
  Json list = Json::array();
  for (const SendingPoint& point : curve) {
    list.push_back(
        {{setting, point.setting}, {"bytes_per_s", point.bytes_per_s}, {"mean_error_m", point.mean_error_m}});
  }
  return list;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

Json to_json(const LinkStudyResult& r) {
  return {{"sent", r.sent},
          {"received", r.received},
          {"lost_fraction", r.lost_fraction},
          {"duplicates_used", r.duplicates_used},
          {"replays_accepted", r.replays_accepted},
          {"forgeries_accepted", r.forgeries_accepted},
          {"stale_commands_executed", r.stale_commands_executed},
          {"backlog_commands_executed", r.backlog_commands_executed},
          {"stop_latency_ms_p99", r.stop_latency_ms_p99},
          {"clock_error_ms_p95", r.clock_error_ms_p95},
          {"clock_coverage95", r.clock_coverage95},
          {"late_warnings_missed", r.late_warnings_missed},
          {"mean_one_way_delay_ms", r.mean_one_way_delay_ms},
          {"robot_clock_error_ms_p95", r.robot_clock_error_ms_p95},
          {"robot_clock_coverage95", r.robot_clock_coverage95},
          {"late_fraction", r.late_fraction},
          {"reports_received", r.reports_received},
          {"report_delay_ms_p99", r.report_delay_ms_p99},
          {"images_taken", r.images_taken},
          {"images_received", r.images_received},
          {"image_delay_ms_p95", r.image_delay_ms_p95},
          {"reports_wrong", r.reports_wrong},
          {"commands_given", r.commands_given},
          {"commands_executed", r.commands_executed},
          {"commands_executed_twice", r.commands_executed_twice},
          {"stops_given", r.stops_given},
          {"hand_driving_overruns", r.hand_driving_overruns},
          {"sessions", r.sessions},
          {"replays_tried", r.replays_tried},
          {"forgeries_tried", r.forgeries_tried}};
}

Json to_json(const SendingResult& r) {
  return {{"timed", curve_json(r.timed, "interval_s")},
          {"threshold", curve_json(r.threshold, "off_m")},
          {"bytes_ratio_at_same_error", or_null(r.bytes_ratio_at_same_error)},
          {"largest_bytes_ratio", or_null(r.largest_bytes_ratio)},
          {"bytes_per_report", r.bytes_per_report},
          {"duration_s", r.duration_s}};
}

}  // namespace forerun::study
