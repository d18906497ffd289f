// The drives whose last states are kept in tests/golden/drives.csv.
#pragma once

#include <string>

namespace forerun::test {

// The whole table, driven anew: a line a drive.
[[nodiscard]] std::string drive_golden_table();

}  // namespace forerun::test
