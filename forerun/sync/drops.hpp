// Why a datagram, or a part of one, was not used. Everything from the network is counted by reason, never trusted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forerun::sync {

enum class Drop : std::uint8_t {
  too_short,      // shorter than its type needs
  too_long,       // longer than any datagram of the protocol
  wrong_version,  // another version of the protocol
  unknown_type,   // no such type of datagram
  bad_token,      // greeting without a token that we gave to this address lately
  busy,           // more greetings or sessions than the limits allow
  bad_greeting,   // handshake that does not authenticate
  not_allowed,    // key without the role that is needed
  unexpected,     // answer to nothing that we asked
  no_session,     // session that we do not know
  bad_tag,        // forged, damaged, or for other keys
  replayed,       // counter seen before, or too old to tell
  malformed,      // authentic, but its frames cannot be read
  bad_state,      // a state that cannot be: numbers out of range
  outside_world,  // position beyond the world
  bad_time,       // time stamp that cannot be
  old_state,      // older than what is known already
};
inline constexpr std::size_t kDropReasons = 17;

// Short words for statistics, as in JSON.
[[nodiscard]] const char* to_string(Drop reason) noexcept;

class DropCounts {
 public:
  void add(Drop reason) noexcept { ++counts_[static_cast<std::size_t>(reason)]; }
  [[nodiscard]] std::uint64_t of(Drop reason) const noexcept { return counts_[static_cast<std::size_t>(reason)]; }
  [[nodiscard]] std::uint64_t total() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count;
    return sum;
  }

 private:
  std::array<std::uint64_t, kDropReasons> counts_{};
};

}  // namespace forerun::sync
