// Forgets secrets: compilers drop a plain memset of memory that nobody reads again, but not a volatile write.
#pragma once

#include "forerun/base/bytes.hpp"

namespace forerun {

inline void wipe(MutableBytes bytes) noexcept {
  volatile std::uint8_t* at = bytes.data();
  for (std::size_t i = 0; i < bytes.size(); ++i) at[i] = 0;
}

}  // namespace forerun
