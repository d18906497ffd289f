// The documents, the header of core.wasm and the page name a report's fields as the one list does.
#include "forerun/robot/report_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/support/source_tree.hpp"
#include "tests/sync/protocol_text.hpp"

namespace forerun::test {
namespace {

using robot::ReportField;
using robot::Wire;
using Words = std::vector<std::string>;

template <class Visit>
void for_each_field(Visit&& visit) {
  const robot::Report report;
  visit_report(report, visit);
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// -- docs/protocol.md
// --------------------------------------------------------------------------------------------------

const char* type_of(Wire wire) {
  switch (wire) {
    case Wire::u8:
      return "u8";
    case Wire::i8:
      return "i8";
    case Wire::u16:
    case Wire::turn:
      return "u16";
    case Wire::i16:
    case Wire::ahead:
      return "i16";
    case Wire::i24:
      return "i24";
    case Wire::u32:
      return "u32";
    case Wire::i32:
      return "i32";
    case Wire::u64:
      return "u64";
    case Wire::i64:
      return "i64";
  }
  return "";
}

// The rows of the tables that a field has.
Words rows_of(const ReportField&, bool) { return {"flags"}; }
Words rows_of(const ReportField& field, const std::optional<Vec2>&) {
  const std::string what = field.wire.as == Wire::ahead ? "_d" : "_";
  return {field.name + what + "x", field.name + what + "y"};
}
Words rows_of(const ReportField& field, const std::optional<Pose2>&) {
  const std::string name = field.name;
  return {name + "_x", name + "_y", name + "_turn"};
}
template <class Value>
Words rows_of(const ReportField& field, const Value&) {
  return {field.name};
}

// "0 on, 1 off, …" where the value is one of some words.
template <class Value>
std::string coded_words(const Value& value) {
  std::string words;
  if constexpr (std::is_enum_v<Value>) {
    for (std::uint8_t i = 0; i < n_words(value); ++i) {
      words += (i == 0 ? "" : ", ") + std::to_string(i) + " " + to_string(static_cast<Value>(i));
    }
  }
  return words;
}

TEST(ReportFields, TheProtocolHasThemInThisOrderAndInTheseSteps) {
  const ProtocolText text(read_source("docs/protocol.md").text);
  std::vector<ProtocolField> rows = text.fields("SYNC");
  rows.insert(rows.end(), text.fields("SYNC odometry").begin(), text.fields("SYNC odometry").end());
  std::size_t at = 0;
  for_each_field([&](const ReportField& field, const auto& value) {
    bool first = true;
    for (const std::string& name : rows_of(field, value)) {
      ASSERT_LT(at, rows.size()) << name;
      const ProtocolField& row = rows[at++];
      EXPECT_EQ(row.name, name);
      const bool is_turn_of_odometry = name == "odometry_turn";
      EXPECT_EQ(row.type, is_turn_of_odometry ? "i16" : type_of(field.wire.as)) << name;
      const double step = is_turn_of_odometry ? robot::kOdometryTurnStep : field.wire.step;
      EXPECT_NEAR(row.unit, step, 1e-12 * step) << name;
      if (first && name != "flags") {
        EXPECT_EQ(row.meaning.find(field.about), 0u) << name << ": " << row.meaning;
      }
      EXPECT_NE(row.meaning.find(coded_words(value)), std::string::npos) << name << ": " << row.meaning;
      first = false;
    }
    if (field.flag != 0) {
      const std::string flags = text.fields("SYNC").back().meaning;
      EXPECT_NE(flags.find(std::to_string(field.flag) + ": "), std::string::npos) << field.name;
    }
  });
  EXPECT_EQ(at, rows.size());
}

// -- docs/robot-interface.md
// --------------------------------------------------------------------------------------------

std::string with_commas(double value) {
  if (value == kTwoPi) return "2π";
  std::string digits = std::to_string(std::llround(value));
  for (std::size_t i = digits.size(); i > 3 && digits[0] != '-'; i -= 3) {
    if (i > 3) digits.insert(i - 3, ",");
  }
  return digits;
}

std::string allowed(const ReportField& field, double) {
  const auto [low, high] = field.range;
  return low == -high ? "±" + with_commas(high) : with_commas(low) + " … " + with_commas(high);
}
std::string allowed(const ReportField& field, Duration) { return allowed(field, 0.0); }
std::string allowed(const ReportField& field, RobotTime) { return allowed(field, 0.0); }
std::string allowed(const ReportField&, const std::optional<Vec2>&) { return "[x, y] or null"; }
std::string allowed(const ReportField&, const std::optional<Pose2>&) { return "[x, y, heading] or null"; }
std::string allowed(const ReportField&, bool) { return "true, false"; }
std::string allowed(const ReportField&, std::uint32_t) { return ""; }
std::string allowed(const ReportField&, std::uint64_t) { return ""; }
template <class Enum>
requires std::is_enum_v<Enum> std::string allowed(const ReportField&, Enum state) {
  std::string words;
  for (std::uint8_t i = 0; i < n_words(state); ++i) {
    words += std::string(i == 0 ? "`" : ", `") + to_string(static_cast<Enum>(i)) + "`";
  }
  return words;
}

TEST(ReportFields, TheLocalInterfaceListsThoseOfJson) {
  Words expected{"| field | unit | allowed | meaning |", "| --- | --- | --- | --- |"};
  for_each_field([&](const ReportField& field, const auto& value) {
    if (*field.json == '\0') return;
    const std::string unit = *field.unit == '\0' ? "" : std::string(field.unit) + " ";
    expected.push_back("| `" + std::string(field.json) + "` | " + unit + "| " + allowed(field, value) + " | " +
                       (field.need == robot::Need::required ? "required: " : "") + field.about + " |");
  });
  const Words lines = split_lines(read_source("docs/robot-interface.md").text);
  const auto begin = std::find(lines.begin(), lines.end(), expected[0]);
  const auto end = std::find(begin, lines.end(), "");
  std::string should_be;
  for (const std::string& line : expected) should_be += line + "\n";
  EXPECT_EQ(Words(begin, end), expected) << "the table should be\n" << should_be;
}

// -- core_api.h
// --------------------------------------------------------------------------------------------------------

Words numbers_of(const ReportField& field, std::uint64_t) {
  return {field.name + std::string("_high"), field.name + std::string("_low")};
}
Words numbers_of(const ReportField& field, RobotTime) {
  return {field.name + std::string("_s"), field.name + std::string("_ns")};
}
Words numbers_of(const ReportField& field, const std::optional<Vec2>&) {
  const std::string name = field.name;
  return {"has_" + name, name + "_x", name + "_y"};
}
Words numbers_of(const ReportField& field, const std::optional<Pose2>&) {
  const std::string name = field.name;
  return {"has_" + name, name + "_x", name + "_y", name + "_turn"};
}
template <class Value>
Words numbers_of(const ReportField& field, const Value&) {
  return {field.name};
}

TEST(ReportFields, TheNumbersOfCoreWasmAreNamedInThisOrder) {
  Words expected;
  for_each_field([&](const ReportField& field, const auto& value) {
    for (const std::string& name : numbers_of(field, value)) expected.push_back(in_capitals(name));
  });
  expected.push_back("SIZE");
  Words named;
  const std::string start = "  FORERUN_REPORT_";
  for (const std::string& line : split_lines(read_source("forerun/wasm/core_api.h").text)) {
    if (line.rfind(start, 0) == 0) named.push_back(line.substr(start.size(), line.find(',') - start.size()));
  }
  EXPECT_EQ(named, expected);
}

// -- the page
// ----------------------------------------------------------------------------------------------------------

std::size_t size_of(const std::string& type) { return std::stoul(type.substr(1)) / 8; }

// The shortest digits that give this number again.
std::string shortest(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

// `export const kName = ['a', 'b'] as const;` where the value is one of some words.
template <class Value>
Words word_list(const ReportField& field, const Value& value) {
  if constexpr (!std::is_enum_v<Value>) return {};
  std::string words;
  if constexpr (std::is_enum_v<Value>) {
    for (std::uint8_t i = 0; i < n_words(value); ++i) {
      words += std::string(i == 0 ? "'" : ", '") + to_string(static_cast<Value>(i)) + "'";
    }
  }
  return {"  " + std::string(field.name) + ": [" + words + "],"};
}

// What web/src/link/report_layout.ts must say.
Words page_layout() {
  Words numbers, flags, words;
  std::size_t at = 0;
  for_each_field([&](const ReportField& field, const auto& value) {
    for (const std::string& name : rows_of(field, value)) {
      const bool is_turn_of_odometry = name == "odometry_turn";
      const std::string type = is_turn_of_odometry ? "i16" : type_of(field.wire.as);
      const double step = is_turn_of_odometry ? robot::kOdometryTurnStep : field.wire.step;
      numbers.push_back("  " + name + ": { at: " + std::to_string(at) + ", as: '" + type +
                        "', step: " + shortest(step) + " },");
      at += size_of(type);
    }
    if (field.flag != 0) flags.push_back("  " + std::string(field.name) + ": " + std::to_string(field.flag) + ",");
    for (const std::string& list : word_list(field, value)) words.push_back(list);
  });
  Words lines;
  const auto add = [&](const char* name, const Words& rows) {
    lines.push_back("export const " + std::string(name) + " = {");
    lines.insert(lines.end(), rows.begin(), rows.end());
    lines.push_back("} as const;");
  };
  add("kNumbers", numbers);
  add("kFlags", flags);
  add("kWords", words);
  return lines;
}

TEST(ReportFields, ThePageReadsThemWhereTheyStand) {
  const Words expected = page_layout();
  Words lines;
  for (const std::string& line : split_lines(read_source("web/src/link/report_layout.ts").text)) {
    if (!line.empty() && line.rfind("//", 0) != 0) lines.push_back(line);
  }
  std::string should_be;
  for (const std::string& line : expected) should_be += line + "\n";
  EXPECT_EQ(lines, expected) << "web/src/link/report_layout.ts should say\n" << should_be;
}

// -- the list itself
// ---------------------------------------------------------------------------------------------------

TEST(ReportFields, EachHasItsOwnNamesAndFlag) {
  std::set<std::string> names, jsons;
  int flags = 0;
  for_each_field([&](const ReportField& field, const auto&) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    if (*field.json != '\0') {
      EXPECT_TRUE(jsons.insert(field.json).second) << field.json;
    }
    EXPECT_EQ(flags & field.flag, 0) << field.name;
    flags |= field.flag;
    EXPECT_NE(*field.about, '\0') << field.name;
    EXPECT_LE(field.range.low, field.range.high) << field.name;
  });
  EXPECT_EQ(flags, 15);
}

}  // namespace
}  // namespace forerun::test
