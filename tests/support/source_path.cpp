#include "tests/support/source_path.hpp"

namespace forerun::test {

std::string source_path(const std::string& path) { return FORERUN_SOURCE_DIR "/" + path; }

}  // namespace forerun::test
