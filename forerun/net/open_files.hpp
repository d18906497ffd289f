// Many connections need many open files.
#pragma once

#include <cstddef>

#include "forerun/base/result.hpp"

namespace forerun::net {

// Raises this program's own limit where the system lets it.
[[nodiscard]] Result<void> allow_open_files(std::size_t needed);

}  // namespace forerun::net
