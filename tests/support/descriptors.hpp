// How many files and sockets this program has open.
#pragma once

#include <filesystem>
#include <iterator>

namespace forerun::test {

inline std::size_t n_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace forerun::test
