// Prints tests/golden/drives.csv as this compiler's program drives it.
#include <cstdio>

#include "tests/sim/golden_drives.hpp"

int main() { return std::fputs(forerun::test::drive_golden_table().c_str(), stdout) < 0; }
