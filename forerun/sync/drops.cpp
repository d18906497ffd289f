#include "forerun/sync/drops.hpp"

namespace forerun::sync {

const char* to_string(Drop reason) noexcept {
  constexpr const char* kWords[kDropReasons] = {
      "too_short",    "too_long",    "wrong_version", "unknown_type", "bad_token", "busy",
      "bad_greeting", "not_allowed", "unexpected",    "no_session",   "bad_tag",   "replayed",
      "malformed",    "bad_state",   "outside_world", "bad_time",     "old_state"};
  const auto place = static_cast<std::size_t>(reason);
  return place < kDropReasons ? kWords[place] : "unknown";
}

}  // namespace forerun::sync
