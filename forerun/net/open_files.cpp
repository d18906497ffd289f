#include "forerun/net/open_files.hpp"

#include <sys/resource.h>

#include <string>

namespace forerun::net {

Result<void> allow_open_files(std::size_t needed) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= needed) return {};
  if (limit.rlim_max < needed) {
    return Error{"so many connections need " + std::to_string(needed) + " open files, but this system allows " +
                     std::to_string(limit.rlim_max) + " (ulimit -n)",
                 ErrorKind::impossible};
  }
  limit.rlim_cur = needed;
  setrlimit(RLIMIT_NOFILE, &limit);
  return {};
}

}  // namespace forerun::net
