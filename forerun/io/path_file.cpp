#include "forerun/io/path_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "forerun/io/file.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/action.hpp"

namespace forerun::io {
namespace {

using mission::PathPoint;

constexpr double kFarthest = 1e6;  // of a place [m], and any other number
constexpr const char* kActionColumn = "action";

// One column: its name, and where its number is in a point.
struct Column {
  std::string name;
  bool needed = false;
  std::function<double(const PathPoint&)> get;
  std::function<void(PathPoint&, double)> set;
};

Column column(const char* name, bool needed, double& (*field)(PathPoint&)) {
  return {name, needed, [field](const PathPoint& p) { return field(const_cast<PathPoint&>(p)); },
          [field](PathPoint& p, double value) { field(p) = value; }};
}

void add_ticks(const char* name, std::size_t wheel, std::vector<Column>& columns) {
  columns.push_back({name, false, [wheel](const PathPoint& p) { return static_cast<double>(p.ticks[wheel]); },
                     [wheel](PathPoint& p, double value) { p.ticks[wheel] = static_cast<std::int64_t>(value); }});
}

void add_wheel(std::size_t wheel, std::vector<Column>& columns) {
  columns.push_back({"wheel_" + std::to_string(wheel) + "_radps", false,
                     [wheel](const PathPoint& p) { return wheel < p.wheels.size() ? p.wheels[wheel] : NAN; },
                     [wheel](PathPoint& p, double value) {
                       if (p.wheels.size() <= wheel) p.wheels.resize(wheel + 1);
                       p.wheels[wheel] = value;
                     }});
}

void add_sensor(std::size_t sensor, std::vector<Column>& columns) {
  columns.push_back({"sensor_" + std::to_string(sensor), false,
                     [sensor](const PathPoint& p) {
                       return sensor < p.nearest.size() ? static_cast<double>(p.nearest[sensor]) : NAN;
                     },
                     [sensor](PathPoint& p, double value) {
                       if (p.nearest.size() <= sensor) p.nearest.resize(sensor + 1);
                       p.nearest[sensor] = static_cast<float>(value);
                     }});
}

std::vector<Column> make_columns() {
  std::vector<Column> columns;
  columns.push_back(column("t_s", true, [](PathPoint& p) -> double& { return p.time; }));
  columns.push_back(column("x_m", true, [](PathPoint& p) -> double& { return p.pose.x; }));
  columns.push_back(column("y_m", true, [](PathPoint& p) -> double& { return p.pose.y; }));
  columns.push_back(column("theta_rad", true, [](PathPoint& p) -> double& { return p.pose.theta; }));
  columns.push_back(column("v_mps", false, [](PathPoint& p) -> double& { return p.velocity.vx; }));
  columns.push_back(column("vy_mps", false, [](PathPoint& p) -> double& { return p.velocity.vy; }));
  columns.push_back(column("w_radps", false, [](PathPoint& p) -> double& { return p.velocity.w; }));
  add_ticks("ticks_left", 0, columns);
  add_ticks("ticks_right", 1, columns);
  columns.push_back({"bumped", false, [](const PathPoint& p) { return p.bumped ? 1.0 : 0.0; },
                     [](PathPoint& p, double value) { p.bumped = value > 0; }});
  columns.push_back({"waypoint", false, [](const PathPoint& p) { return p.waypoint ? 1.0 : 0.0; },
                     [](PathPoint& p, double value) { p.waypoint = value > 0; }});
  for (std::size_t i = 0; i < robot::kMaxWheels; ++i) add_wheel(i, columns);
  for (std::size_t i = 0; i < mission::kMaxSensors; ++i) add_sensor(i, columns);
  return columns;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : lines_(text), file_(file), columns_(make_columns()) {}

  Result<mission::RecordedPath> run() {
    if (auto header = read_header(); !header) return header.error();
    std::string_view line;
    while (lines_.next(line)) {
      if (line.empty()) continue;
      if (auto row = read_row(line); !row) return row.error();
    }
    if (path_.size() < 2) {
      return Error{file_ + ": the path has " + std::to_string(path_.size()) + " points, but must have at least 2"};
    }
    if (!has_velocity_) add_velocities();
    return std::move(path_);
  }

 private:
  [[nodiscard]] std::string where() const { return file_ + ":" + std::to_string(lines_.number()); }

  Result<void> read_header() {
    std::string_view line;
    if (!lines_.next(line)) return Error{file_ + " is empty, but must begin with a header"};
    for (const std::string_view name : split(line)) {
      const auto known =
          std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == name; });
      order_.push_back(known == columns_.end() ? nullptr : &*known);
      has_velocity_ = has_velocity_ || name == "v_mps";
      if (name == kActionColumn) action_ = order_.size() - 1;
    }
    for (const Column& c : columns_) {
      if (c.needed && std::find(order_.begin(), order_.end(), &c) == order_.end()) {
        return Error{where() + ": the column " + c.name + " is missing, which a recorded path must have"};
      }
    }
    return {};
  }

  Result<void> read_row(std::string_view line) {
    const auto fields = split(line);
    if (fields.size() != order_.size()) {
      return Error{where() + ": the line has " + std::to_string(fields.size()) + " fields, but the header has " +
                   std::to_string(order_.size())};
    }
    PathPoint point;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (order_[i] == nullptr) continue;
      if (fields[i].empty() && !order_[i]->needed) {
        if (order_[i]->name.starts_with("sensor_")) order_[i]->set(point, kInfinity);  // nothing within reach
        continue;
      }
      const std::optional<double> value = parse_number(fields[i]);
      if (!value || !(std::fabs(*value) <= kFarthest)) {
        return Error{where() + ": " + order_[i]->name + " is " + quote(fields[i]) + ", but must be a number from -" +
                     show(kFarthest) + " to " + show(kFarthest)};
      }
      order_[i]->set(point, *value);
    }
    if (auto action = read_action(fields, point); !action) return action;
    if (!path_.empty() && point.time <= path_.back().time) {
      return Error{where() + ": t_s is " + show(point.time) + ", but must be larger than " + show(path_.back().time) +
                   " of the line before"};
    }
    path_.push_back(point);
    return {};
  }

  Result<void> read_action(const std::vector<std::string_view>& fields, PathPoint& point) const {
    if (!action_ || fields[*action_].empty()) return {};
    point.action = fields[*action_];
    if (mission::is_action_name(point.action)) return {};
    return Error{where() + ": " + kActionColumn + " is " + quote(point.action) + ", but must be empty or " +
                 mission::kActionRule};
  }

  void add_velocities() {
    for (std::size_t i = 1; i < path_.size(); ++i) {
      const PathPoint& p = path_[i - 1];
      PathPoint& q = path_[i];
      const double dt = q.time - p.time, turn = normalize_angle(q.pose.theta - p.pose.theta);
      const Transform2 facing(Pose2{0, 0, p.pose.theta + 0.5 * turn});
      const Vec2 moved = facing.to_local(q.pose.position() - p.pose.position());
      q.velocity = {moved.x / dt, 0, turn / dt};
    }
  }

  Lines lines_;
  const std::string& file_;
  std::vector<Column> columns_;
  std::vector<const Column*> order_;   // of the file's columns; null: not ours
  std::optional<std::size_t> action_;  // its column
  bool has_velocity_ = false;
  mission::RecordedPath path_;
};

}  // namespace

std::string write_path(const mission::RecordedPath& path) {
  std::vector<Column> columns = make_columns();
  // columns without a number in the first point have none anywhere
  std::erase_if(columns, [&](const Column& c) { return path.empty() || std::isnan(c.get(path.front())); });
  std::string text;
  for (const Column& c : columns) text += (text.empty() ? "" : ",") + c.name;
  const bool acts = std::any_of(path.begin(), path.end(), [](const PathPoint& p) { return !p.action.empty(); });
  if (acts) text += std::string(",") + kActionColumn;
  text += "\n";
  for (const PathPoint& point : path) {
    bool first = true;
    for (const Column& c : columns) {
      if (!first) text += ',';
      first = false;
      const double value = c.get(point);
      if (std::isfinite(value)) text += show(value);
    }
    if (acts) text += "," + point.action;
    text += '\n';
  }
  return text;
}

Result<mission::RecordedPath> parse_path(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

Result<mission::RecordedPath> load_path(const std::string& path) {
  const auto text = read_unpacked(path, kLargestData);
  if (!text) return text.error();
  return parse_path(*text, path);
}

}  // namespace forerun::io
