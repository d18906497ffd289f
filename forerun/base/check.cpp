#include "forerun/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace forerun {

void fail_check(const char* promise, const char* file, int line) noexcept {
  std::fprintf(stderr, "forerun: broken promise: %s (%s:%d)\n", promise, file, line);
  std::abort();
}

}  // namespace forerun
