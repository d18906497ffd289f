// The project's own files, for tests about the code itself.
#pragma once

#include <string>
#include <vector>

namespace forerun::test {

struct SourceFile {
  std::string path;  // from the root of the repository
  std::string text;
};

// Files below `folder` whose names end in one of `endings` (all files when empty), sorted by path.
[[nodiscard]] std::vector<SourceFile> read_tree(const std::string& folder, const std::vector<std::string>& endings);

// One file, or an empty text when there is none.
[[nodiscard]] SourceFile read_source(const std::string& path);

[[nodiscard]] std::vector<std::string> split_lines(const std::string& text);

// C++ with everything in comments turned into spaces; with `literals`, also what stands in quotes.
struct Blank {
  bool literals = false;
};
[[nodiscard]] std::string blank_out(const std::string& code, Blank what);

}  // namespace forerun::test
