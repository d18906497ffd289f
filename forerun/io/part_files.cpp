#include "forerun/io/part_files.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

namespace forerun::io {
namespace {

// A place is taken before its path is written, and its path counts only when it is whole.
struct Place {
  std::atomic<bool> taken = false;
  std::atomic<bool> counts = false;
  std::array<char, PATH_MAX> path{};
};

static_assert(std::atomic<bool>::is_always_lock_free);
std::array<Place, 32> g_places;

}  // namespace

void note_part_file(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return;
  for (Place& place : g_places) {
    if (place.taken.exchange(true)) continue;
    std::memcpy(place.path.data(), path.c_str(), path.size() + 1);
    place.counts = true;
    return;
  }
}

void forget_part_file(const std::string& path) noexcept {
  for (Place& place : g_places) {
    if (!place.counts || path != place.path.data()) continue;
    place.counts = false;
    place.taken = false;
    return;
  }
}

void remove_part_files() noexcept {
  for (const Place& place : g_places) {
    if (place.counts) ::unlink(place.path.data());
  }
}

}  // namespace forerun::io
