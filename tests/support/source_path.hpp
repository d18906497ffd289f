// Where the project's own files are.
#pragma once

#include <string>

namespace forerun::test {

// `path` from the root of the repository.
[[nodiscard]] std::string source_path(const std::string& path = "");

}  // namespace forerun::test
