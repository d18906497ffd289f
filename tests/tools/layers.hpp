// The rules of tools/layers.txt, applied to the text of a source file.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/source_tree.hpp"

namespace forerun::test {

struct Room {
  bool core = false;
  std::set<std::string> may_include;  // itself too
};

using Layers = std::map<std::string, Room>;

[[nodiscard]] Layers parse_layers(const std::string& text);

// The room of `forerun/<room>/…`.
[[nodiscard]] std::string room_of(const std::string& path);

// One complaint a line: what is wrong, and where.
[[nodiscard]] std::vector<std::string> check_layers(const Layers& layers, const SourceFile& file);

}  // namespace forerun::test
