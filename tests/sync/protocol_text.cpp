#include "tests/sync/protocol_text.hpp"

#include <cmath>
#include <sstream>

namespace forerun::test {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

// "0.1 mm" is a ten-thousandth, "1/65536 turn" a share of 2π, nothing is one.
double read_unit(const std::string& text) {
  if (text.empty()) return 1;
  static const std::map<std::string, double> kUnits{{"", 1},
                                                    {"ns", 1e-9},
                                                    {"us", 1e-6},
                                                    {"ms", 1e-3},
                                                    {"mm", 1e-3},
                                                    {"mm/s", 1e-3},
                                                    {"mm/s2", 1e-3},
                                                    {"mrad", 1e-3},
                                                    {"mrad/s", 1e-3},
                                                    {"mrad/s2", 1e-3},
                                                    {"turn", 2 * 3.14159265358979323846}};
  const auto blank = text.find(' ');
  const std::string number = text.substr(0, blank);
  const std::string unit = blank == std::string::npos ? "" : text.substr(blank + 1);
  const auto slash = number.find('/');
  const double factor = slash == std::string::npos
                            ? std::stod(number)
                            : std::stod(number.substr(0, slash)) / std::stod(number.substr(slash + 1));
  return factor * kUnits.at(unit);
}

std::int64_t read_whole(Bytes bytes, bool is_signed) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  const std::size_t bits = bytes.size() * 8;
  if (is_signed && bits < 64 && (value >> (bits - 1) & 1) != 0) value |= ~std::uint64_t{0} << bits;
  return static_cast<std::int64_t>(value);
}

}  // namespace

ProtocolText::ProtocolText(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string heading;
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("### ", 0) == 0) heading = line.substr(4);
    if (line.rfind("| offset |", 0) == 0) {
      in_table = true;
      continue;
    }
    if (line.rfind("|", 0) != 0) in_table = false;
    if (!in_table || line.rfind("| ---", 0) == 0) continue;
    const auto cells = cells_of(line);
    tables_[heading].push_back({.offset = std::stoul(cells.at(0)),
                                .size = cells.at(1) == "rest" ? 0 : std::stoul(cells.at(1)),
                                .type = cells.at(2),
                                .name = cells.at(3),
                                .unit = read_unit(cells.at(4)),
                                .meaning = cells.at(5)});
  }
}

std::vector<std::string> ProtocolText::names() const {
  std::vector<std::string> names;
  for (const auto& [name, fields] : tables_) names.push_back(name);
  return names;
}

std::size_t ProtocolText::size_of(const std::string& table) const {
  const ProtocolField& last = tables_.at(table).back();
  return last.size == 0 ? 0 : last.offset + last.size;
}

ReadByText ProtocolText::read(const std::string& table, Bytes bytes) const {
  ReadByText read{.complete = true};
  for (const ProtocolField& field : tables_.at(table)) {
    if (bytes.size() < field.offset + field.size) {
      read.complete = false;
      break;
    }
    const std::size_t size = field.size == 0 ? bytes.size() - field.offset : field.size;
    const Bytes part = bytes.subspan(field.offset, size);
    if (field.type == "bytes") {
      read.bytes[field.name] = {part.begin(), part.end()};
    } else {
      const std::int64_t whole = read_whole(part, field.type[0] == 'i');
      read.whole[field.name] = whole;
      read.quantity[field.name] = static_cast<double>(whole) * field.unit;
    }
  }
  return read;
}

}  // namespace forerun::test
