// Reads the fields of a JSON object that came from outside, and keeps the first complaint.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/hex.hpp"
#include "forerun/robot/planned_path.hpp"
#include "forerun/robot/reply.hpp"

namespace forerun::net {

class ObjectReader {
 public:
  explicit ObjectReader(std::string_view line) : json_(Json::parse(line.begin(), line.end(), nullptr, false)) {
    if (json_.is_discarded()) {
      fail("the line is not JSON");
    } else if (!json_.is_object()) {
      fail("the line is " + shown(json_) + ", but must be a JSON object");
    }
  }

  void fail(std::string sentence) {
    if (message_.empty()) message_ = std::move(sentence);
  }
  void require(const char* key) {
    if (!failed() && !json_.contains(key)) fail(std::string(key) + " is missing");
  }
  // Whether it was there and right.
  bool number(const char* key, double& value, const Field& field) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_number()) return complain(key, *found, "a number");
    const double number = found->get<double>();
    if (!(number >= field.low && number <= field.high)) {
      return complain(key, *found, shown(field.low) + " to " + shown(field.high));
    }
    value = number;
    return true;
  }
  void point(const char* key, std::optional<Vec2>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    value.reset();
    if (found->is_null()) return;
    if (is_point(*found)) {
      value = to_point(*found);
    } else {
      complain(key, *found, "null or [x, y] within 100 km");
    }
  }
  void place(const char* key, std::optional<Pose2>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    value.reset();
    if (found->is_null()) return;
    bool right = found->is_array() && found->size() == 3;
    for (std::size_t i = 0; right && i < 3; ++i) {
      const Json& part = (*found)[i];
      right = part.is_number() && std::fabs(part.get<double>()) <= kFarthest;
    }
    if (right) {
      value = Pose2{(*found)[0].get<double>(), (*found)[1].get<double>(), (*found)[2].get<double>()};
    } else {
      complain(key, *found, "null or [x, y, heading], each within ±100000");
    }
  }
  // As many numbers as there are places, all within `field`. Whether they were there and right.
  bool numbers(const char* key, std::span<double> values, const Field& field) {
    const Json* found = take(key);
    if (found == nullptr || found->is_null()) return false;
    bool right = found->is_array() && found->size() == values.size();
    for (std::size_t i = 0; right && i < values.size(); ++i) {
      const Json& part = (*found)[i];
      right = part.is_number() && part.get<double>() >= field.low && part.get<double>() <= field.high;
      if (right) values[i] = part.get<double>();
    }
    const std::string allowed =
        std::to_string(values.size()) + " numbers from " + shown(field.low) + " to " + shown(field.high);
    return right || complain(key, *found, "null or " + allowed);
  }
  // At most `most` rows, each with a number for each column and within it. Whether they were there and right.
  bool rows(const char* key, std::span<const Field> columns, std::size_t most, std::vector<std::vector<double>>& rows) {
    const Json* found = take(key);
    if (found == nullptr || found->is_null()) return false;
    bool right = found->is_array() && found->size() <= most;
    for (std::size_t i = 0; right && i < found->size(); ++i) {
      const Json& row = (*found)[i];
      right = row.is_array() && row.size() == columns.size();
      std::vector<double>& numbers = rows.emplace_back();
      for (std::size_t c = 0; right && c < columns.size(); ++c) {
        right = row[c].is_number() && row[c].get<double>() >= columns[c].low && row[c].get<double>() <= columns[c].high;
        if (right) numbers.push_back(row[c].get<double>());
      }
    }
    if (right) return true;
    rows.clear();  // nobody meets rows that are too short
    std::string allowed = "null or at most " + std::to_string(most) + " rows of";
    for (const Field& column : columns) {
      allowed += std::string(" ") + column.about + " (" + shown(column.low) + " to " + shown(column.high) + ")";
    }
    return complain(key, *found, allowed);
  }
  void path(const char* key, std::optional<robot::PlannedPath>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    std::vector<Vec2> points;
    bool right = found->is_null() || (found->is_array() && found->size() <= kMostPlanPoints);
    for (std::size_t i = 0; right && i < found->size(); ++i) {
      right = is_point((*found)[i]);
      if (right) points.push_back(to_point((*found)[i]));
    }
    if (right) {
      value = robot::thin_path(points);
    } else {
      complain(key, *found, "null or a list of at most 1000 points [x, y] within 100 km");
    }
  }
  void flag(const char* key, bool& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    if (found->is_boolean()) {
      value = found->get<bool>();
    } else {
      complain(key, *found, "true or false");
    }
  }
  // One of the words that `to_string` gives.
  template <class Enum>
  bool word(const char* key, Enum& value, std::uint8_t first, std::uint8_t end) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    std::string words;
    for (std::uint8_t i = first; i < end; ++i) {
      const char* word = to_string(static_cast<Enum>(i));
      if (found->is_string() && found->get_ref<const std::string&>() == word) {
        value = static_cast<Enum>(i);
        return true;
      }
      words += std::string(i == first ? "" : i + 1 == end ? " or " : ", ") + word;
    }
    return complain(key, *found, words);
  }
  // This word or nothing.
  bool word(const char* key, const char* only) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    return *found == only || complain(key, *found, only);
  }
  bool whole(const char* key, std::uint64_t& value) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_number_unsigned()) return complain(key, *found, "a whole number, 0 or more");
    value = found->get<std::uint64_t>();
    return true;
  }
  bool text(const char* key, robot::Words& value) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_string()) return complain(key, *found, "a text");
    value = robot::Words(found->get_ref<const std::string&>());
    return true;
  }
  // A number of 64 bits as 16 hexadecimal digits.
  bool hex(const char* key, std::uint64_t& value) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    const auto number = found->is_string() ? from_hex(found->get_ref<const std::string&>()) : std::nullopt;
    if (number) value = *number;
    return number || complain(key, *found, "16 hexadecimal digits");
  }
  [[nodiscard]] bool has(const char* key) const { return !failed() && json_.contains(key); }
  [[nodiscard]] bool failed() const { return !message_.empty(); }
  // What was not asked for is a slip of the pen.
  void finish() {
    if (failed()) return;
    for (const auto& [key, value] : json_.items()) {
      bool known = false;
      for (const char* taken : taken_) known = known || key == taken;
      if (!known) fail(shown(Json(key)) + " is no field that may stand here");
    }
  }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  using Json = nlohmann::ordered_json;
  static constexpr double kFarthest = 1e5;              // of any coordinate [m]
  static constexpr std::size_t kMostPlanPoints = 1000;  // more than a line can hold

  static std::string write(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }
  // What was sent, short enough for a sentence.
  static std::string shown(const Json& value) {
    constexpr std::size_t kLongest = 40;
    std::string text = write(value);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
    return text;
  }
  static bool is_point(const Json& json) {
    const auto is_coordinate = [](const Json& c) { return c.is_number() && std::fabs(c.get<double>()) <= kFarthest; };
    return json.is_array() && json.size() == 2 && is_coordinate(json[0]) && is_coordinate(json[1]);
  }
  static Vec2 to_point(const Json& json) { return {json[0].get<double>(), json[1].get<double>()}; }

  const Json* take(const char* key) {
    taken_.push_back(key);
    return has(key) ? &json_.at(key) : nullptr;
  }
  bool complain(const char* key, const Json& value, const std::string& allowed) {
    fail(std::string(key) + " is " + shown(value) + ", but must be " + allowed);
    return false;
  }

  Json json_;
  std::string message_;
  std::vector<const char*> taken_;
};

}  // namespace forerun::net
