// How long the functions of a source file are. No parser: it trusts the formatting that another test enforces.
#pragma once

#include <string>
#include <vector>

#include "tests/support/source_tree.hpp"

namespace forerun::test {

struct FunctionLength {
  std::string where;  // path:line of its first line
  std::string name;
  int lines = 0;  // from the first line of its signature to its closing brace
};

// Free functions, members and those in classes; what is nested in a function counts as part of it.
[[nodiscard]] std::vector<FunctionLength> measure_functions(const SourceFile& file);

}  // namespace forerun::test
