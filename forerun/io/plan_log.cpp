#include "forerun/io/plan_log.hpp"

#include <cmath>
#include <filesystem>
#include <optional>

#include "forerun/io/gzip.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"
#include "forerun/robot/planned_path.hpp"

namespace forerun::io {
namespace {

constexpr double kLatest = 4e9;  // as in drive logs [s]

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

std::optional<double> number_within(std::string_view text, double limit) {
  const std::optional<double> number = parse_number(text);
  return number && std::fabs(*number) <= limit ? number : std::nullopt;
}

std::optional<Vec2> read_point(std::string_view text) {
  const std::size_t gap = text.find_first_of(" \t");
  if (gap == std::string_view::npos) return std::nullopt;
  const auto x = number_within(text.substr(0, gap), robot::kFarthestPlan);
  const auto y = number_within(trim(text.substr(gap)), robot::kFarthestPlan);
  return x && y ? std::optional(Vec2{*x, *y}) : std::nullopt;
}

Result<LoggedPlan> read_plan(std::string_view line, const std::string& where) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) {
    return Error{where + ": the line is " + quote(line) + ", but must have two fields: a time, and points x y;x y;…"};
  }
  const auto time = number_within(trim(line.substr(0, comma)), kLatest);
  if (!time) {
    return Error{where + ": the time is " + quote(line.substr(0, comma)) + ", but must be a number within ±" +
                 show(kLatest)};
  }
  LoggedPlan plan{*time, {}};
  std::string_view rest = trim(line.substr(comma + 1));
  while (!rest.empty()) {
    const std::size_t end = rest.find(';');
    const std::string_view text = trim(rest.substr(0, end));
    const auto point = read_point(text);
    if (!point) {
      return Error{where + ": point " + std::to_string(plan.points.size() + 1) + " is " + quote(text) +
                   ", but must be x and y with a blank between them, each within ±" + show(robot::kFarthestPlan)};
    }
    plan.points.push_back(*point);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return plan;
}

// NAME of NAME.csv or NAME.csv.gz.
std::string without_ending(std::string name) {
  for (const std::string_view ending : {".gz", ".csv"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

}  // namespace

Result<std::vector<LoggedPlan>> parse_plan_log(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line)) return Error{file + " is empty, but must begin with a header such as t_s,path_x_y_m"};
  if (parse_number(trim(line.substr(0, line.find(','))))) {
    return Error{file + ":1: the header is " + quote(line) + ", but must name columns, such as t_s,path_x_y_m"};
  }
  std::vector<LoggedPlan> plans;
  while (lines.next(line)) {
    if (trim(line).empty()) continue;
    const std::string where = file + ":" + std::to_string(lines.number());
    Result<LoggedPlan> plan = read_plan(line, where);
    if (!plan) return plan.error();
    if (!plans.empty() && plan->time < plans.back().time) {
      return Error{where + ": the time falls from " + show(plans.back().time) + " to " + show(plan->time) +
                   ", but must rise"};
    }
    plans.push_back(std::move(*plan));
  }
  return plans;
}

Result<void> add_plans(const std::string& drive_log, DriveLog& log) {
  for (const char* ending : {".plan.csv.gz", ".plan.csv"}) {
    const std::string path = without_ending(drive_log) + ending;
    std::error_code problem;
    if (path == drive_log || !std::filesystem::exists(path, problem)) continue;
    const Result<std::string> text = read_unpacked(path, kLargestData);
    if (!text) return text.error();
    Result<std::vector<LoggedPlan>> plans = parse_plan_log(*text, path);
    if (!plans) return plans.error();
    log.plans = std::move(*plans);
    return {};
  }
  return {};
}

}  // namespace forerun::io
