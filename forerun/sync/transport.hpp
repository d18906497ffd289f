// One end of an open session: seals and opens data datagrams, and keeps the stamps from which clocks are compared.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/sync/address.hpp"
#include "forerun/sync/drops.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/outbox.hpp"
#include "forerun/sync/replay_window.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

class Transport {
 public:
  Transport() = default;
  Transport(const TransportKeys& keys, std::uint32_t remote_session) noexcept
      : keys_(keys), remote_session_(remote_session) {}

  // Seals the content that stands behind the header's room in `datagram`; gives the size of the whole.
  std::size_t seal(const Cipher& cipher, MutableBytes datagram, std::size_t content_size) noexcept;

  struct Opened {
    Bytes content;                // in the caller's buffer
    std::uint64_t counter = 0;    // of the datagram
    bool newest = false;          // no later one came before it; never of one with an image, see `open`
    std::uint64_t n_sent = 0;     // datagrams of the other side that this one is the first to tell of, itself included
    std::optional<Drop> problem;  // nothing was opened
  };
  // Each datagram opens once. `now` is the local clock [ns]; `buffer` has room for kLargestDatagram bytes. Those that
  // carry images are passed by when it is judged what is the newest: they are many, and a report that one of them
  // overtook is the newest all the same, nor has it arrived because one of them has.
  [[nodiscard]] Opened open(const Cipher& cipher, Bytes datagram, std::int64_t now, MutableBytes buffer) noexcept;

  // What the next datagram says of time.
  [[nodiscard]] Stamp stamp(std::int64_t now) const noexcept;
  [[nodiscard]] std::uint64_t next_counter() const noexcept { return next_counter_; }
  [[nodiscard]] bool heard() const noexcept { return heard_; }

 private:
  TransportKeys keys_;
  std::uint32_t remote_session_ = 0;
  bool heard_ = false;
  std::uint64_t next_counter_ = 0;
  ReplayWindow window_;
  std::uint64_t n_known_ = 0;        // datagrams that the other side has sent, as far as anything tells
  std::uint64_t heard_counter_ = 0;  // the newest datagram of the other side, and when it came
  std::int64_t heard_at_ = 0;
};

// One data datagram in the making: `Draft(…)`, frames, `send`.
class Draft {
 public:
  Draft(Transport& transport, const Cipher& cipher, Outbox& outbox, std::int64_t now) noexcept;
  // False when there is no room left for it.
  bool add(FrameKind kind, Bytes body) noexcept;
  void send(const Address& to) noexcept;

 private:
  Transport& transport_;
  const Cipher& cipher_;
  Outbox& outbox_;
  MutableBytes datagram_;
  ByteWriter content_;
};

// When the latest datagrams were sent, by their counters: the first of the four time stamps.
template <std::size_t N>
class SentTimes {
 public:
  void remember(std::uint64_t counter, std::int64_t time) noexcept { entries_[counter % N] = {counter, time, true}; }
  // The time of the newest datagram whose counter ends in these 16 bits; `next` is the counter that comes next.
  [[nodiscard]] std::optional<std::int64_t> find(std::uint16_t low, std::uint64_t next) const noexcept {
    const std::uint64_t back = (next - 1 - low) & 0xffff;
    if (next == 0 || back >= next) return std::nullopt;
    const Entry& entry = entries_[(next - 1 - back) % N];
    if (!entry.used || entry.counter != next - 1 - back) return std::nullopt;
    return entry.time;
  }

 private:
  struct Entry {
    std::uint64_t counter = 0;
    std::int64_t time = 0;
    bool used = false;
  };
  std::array<Entry, N> entries_{};
};

}  // namespace forerun::sync
