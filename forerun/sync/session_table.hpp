// The robot side's sessions: one small slot each, found by the number that the datagram names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/bucket.hpp"
#include "forerun/base/time.hpp"
#include "forerun/sync/address.hpp"
#include "forerun/sync/clock_map.hpp"
#include "forerun/sync/delivery.hpp"
#include "forerun/sync/receipts.hpp"
#include "forerun/sync/transport.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

// What the robot side keeps in addition of those who may operate.
struct OperatorState {
  RobotsClockMap clock;
  SentTimes<256> sent_times;
  Receipts receipts;
  // of the newest datagram: when the operator sent it, and the round trip that it completed
  OperatorTime stamped;
  std::optional<Duration> round_trip;
  std::unique_ptr<Inbox> inbox;  // once an object was offered
};

using WelcomeBytes = std::array<std::uint8_t, kWelcomeSize>;

struct ServerSession {
  enum class State : std::uint8_t { free, unconfirmed, open };

  State state = State::free;
  Role role = Role::none;
  std::uint32_t id = 0;        // slot and generation
  std::uint32_t replaces = 0;  // when confirmed, this session ends
  Address address;
  Key peer{};
  Role wanted = Role::none;                     // what the viewer asked for
  std::uint16_t clock = 0;                      // which clock the viewer goes by
  RobotTime heard_at;                           // or when it was made
  RobotTime proved_at;                          // the viewer was known to receive at its address
  bool has_report = false;                      // the viewer was heard to have one
  std::optional<std::uint64_t> report_counter;  // of the first datagram with a report
  Bucket chunks;                                // of objects that it may still be sent
  Transport transport;
  std::unique_ptr<WelcomeBytes> welcome;     // until confirmed: the same greeting gets the same answer
  std::unique_ptr<OperatorState> operating;  // only with Role::operate
};

class SessionTable {
 public:
  explicit SessionTable(std::size_t largest) noexcept : largest_(largest) {}

  // A free slot with a number of its own, or nothing when all are taken.
  [[nodiscard]] ServerSession* add();
  // The session of this number; nothing when it is none, or no more.
  [[nodiscard]] ServerSession* find(std::uint32_t id) noexcept;
  void remove(ServerSession& session) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return n_used_; }
  // All slots, free ones included, for going through them in portions.
  [[nodiscard]] std::vector<ServerSession>& slots() noexcept { return slots_; }

 private:
  std::size_t largest_;
  std::size_t n_used_ = 0;
  std::vector<ServerSession> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace forerun::sync
