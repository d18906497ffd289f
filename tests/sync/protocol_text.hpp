// Reads bytes by the tables of docs/protocol.md, and by nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/bytes.hpp"

namespace forerun::test {

struct ProtocolField {
  std::size_t offset = 0;
  std::size_t size = 0;  // 0: the rest
  std::string type;
  std::string name;
  double unit = 1;
  std::string meaning;
};

// What a table says of some bytes.
struct ReadByText {
  std::map<std::string, std::int64_t> whole;               // numbers as they stand
  std::map<std::string, double> quantity;                  // times their units
  std::map<std::string, std::vector<std::uint8_t>> bytes;  // fields that are bytes
  bool complete = false;                                   // all fields were there
};

class ProtocolText {
 public:
  // The whole document.
  explicit ProtocolText(std::string_view text);

  [[nodiscard]] bool has(const std::string& table) const { return tables_.count(table) > 0; }
  [[nodiscard]] std::vector<std::string> names() const;
  // The table under the heading `### table`.
  [[nodiscard]] ReadByText read(const std::string& table, Bytes bytes) const;
  // Where the last field ends; 0 where it takes the rest.
  [[nodiscard]] std::size_t size_of(const std::string& table) const;
  [[nodiscard]] const std::vector<ProtocolField>& fields(const std::string& table) const { return tables_.at(table); }

 private:
  std::map<std::string, std::vector<ProtocolField>> tables_;
};

}  // namespace forerun::test
