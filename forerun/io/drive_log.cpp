#include "forerun/io/drive_log.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "forerun/io/gzip.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

namespace {

constexpr std::array<const char*, kDriveColumns> kNames{
    "t_s",        "ticks_left",    "ticks_right", "x_m",        "y_m",        "theta_rad", "dx_m",          "dy_m",
    "dtheta_rad", "v_cmd_mps",     "w_cmd_radps", "vx_cmd_mps", "vy_cmd_mps", "v_mps",     "w_radps",       "loc_x_m",
    "loc_y_m",    "loc_theta_rad", "goal_x_m",    "goal_y_m",   "odom_x_m",   "odom_y_m",  "odom_theta_rad"};
constexpr int kIgnored = -1;
constexpr int kDigits = 10;  // of a written number: micrometres over a kilometre

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The fields of a line; a field in quotes may hold commas. Returns how many there are.
std::size_t split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t quoted = at < line.size() && line[at] == '"' ? line.find('"', at + 1) : std::string_view::npos;
    const std::size_t end = std::min(line.find(',', quoted == std::string_view::npos ? at : quoted), line.size());
    std::string_view field = trim(line.substr(at, end - at));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    at = end + 1;
  }
  return fields.size();
}

int column_named(std::string_view name) {
  const auto place = std::find(kNames.begin(), kNames.end(), name);
  return place == kNames.end() ? kIgnored : static_cast<int>(place - kNames.begin());
}

// For each field of a line the column it belongs to.
Result<std::vector<int>> read_header(std::string_view line, const std::string& file) {
  std::vector<std::string_view> names;
  std::vector<int> columns;
  split_fields(line, names);
  for (const std::string_view name : names) {
    const int column = column_named(name);
    if (column != kIgnored && std::find(columns.begin(), columns.end(), column) != columns.end()) {
      return Error{file + ":1: the column " + quote(name) + " stands there twice, but must stand there once"};
    }
    columns.push_back(column);
  }
  if (std::all_of(columns.begin(), columns.end(), [](int column) { return column == kIgnored; })) {
    return Error{file + ":1: the header is " + quote(line) + ", but must name columns of a drive log such as t_s, x_m"};
  }
  return columns;
}

Result<DriveRow> read_row(const std::vector<std::string_view>& fields, const std::vector<int>& columns,
                          const std::string& where) {
  if (fields.size() != columns.size()) {
    return Error{where + ": the line has " + std::to_string(fields.size()) + " fields, but the header has " +
                 std::to_string(columns.size())};
  }
  DriveRow row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (columns[i] == kIgnored || fields[i].empty()) continue;
    const std::optional<double> value = parse_number(fields[i]);
    const auto column = static_cast<DriveColumn>(columns[i]);
    if (!value || !std::isfinite(*value)) {
      return Error{where + ": " + name_of(column) + " is " + quote(fields[i]) +
                   ", but must be a finite number or empty"};
    }
    row[column] = *value;
  }
  return row;
}

}  // namespace

const char* name_of(DriveColumn column) { return kNames[static_cast<std::size_t>(column)]; }

DriveLogWriter::DriveLogWriter(PendingFile file, std::vector<DriveColumn> columns)
    : file_(std::move(file)), columns_(std::move(columns)) {}

Result<DriveLogWriter> DriveLogWriter::open(const std::string& path, std::vector<DriveColumn> columns) {
  Result<PendingFile> file = PendingFile::open(path);
  if (!file) return file.error();
  std::string header;
  for (const DriveColumn column : columns) header += (header.empty() ? "" : ",") + std::string(name_of(column));
  file->write(header + "\n");
  return DriveLogWriter(std::move(*file), std::move(columns));
}

void DriveLogWriter::add(const DriveRow& row) {
  line_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) line_ += ',';
    const double value = row[columns_[i]];
    if (!std::isfinite(value)) continue;
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, kDigits);
    line_.append(text.data(), end.ptr);
  }
  line_ += '\n';
  file_.write(line_);
}

Result<DriveLog> parse_drive_log(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line)) return Error{file + " is empty, but must begin with a header"};
  const Result<std::vector<int>> columns = read_header(line, file);
  if (!columns) return columns.error();

  DriveLog log;
  for (const int column : *columns) {
    if (column != kIgnored) log.columns.push_back(static_cast<DriveColumn>(column));
  }
  std::vector<std::string_view> fields;
  while (lines.next(line)) {
    if (trim(line).empty()) continue;
    split_fields(line, fields);
    const Result<DriveRow> row = read_row(fields, *columns, file + ":" + std::to_string(lines.number()));
    if (!row) return row.error();
    log.rows.push_back(*row);
  }
  return log;
}

Result<DriveLog> load_drive_log(const std::string& path) {
  const Result<std::string> text = read_unpacked(path, kLargestData);
  if (!text) return text.error();
  return parse_drive_log(*text, path);
}

}  // namespace forerun::io
