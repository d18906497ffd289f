// Datagrams that wait for their time, in memory that is taken once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/time.hpp"
#include "forerun/net/udp_socket.hpp"

namespace forerun::net {

// What the caller wants back with the bytes.
struct WaitingTag {
  std::uint64_t number = 0;  // of the datagram, in the order of arrival
  std::uint32_t client = 0;
  std::uint32_t generation = 0;  // of that client's place
  bool upwards = false;
  bool copy = false;
  Duration received;
};

class TimerHeap {
 public:
  explicit TimerHeap(std::size_t capacity);

  // False, and nothing changes, when all places are taken or the datagram is longer than kMaxDatagram.
  bool push(Duration due, Bytes bytes, const WaitingTag& tag) noexcept;
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  // Of the next one; what was pushed first comes first among equals.
  [[nodiscard]] Duration next_due() const noexcept { return heap_.front().due; }
  [[nodiscard]] const WaitingTag& next_tag() const noexcept { return slots_[heap_.front().slot].tag; }
  [[nodiscard]] Bytes next_bytes() const noexcept;
  void pop() noexcept;

 private:
  struct Slot {
    WaitingTag tag;
    std::size_t size = 0;
    std::array<std::uint8_t, kMaxDatagram> bytes;
  };
  struct Entry {
    Duration due;
    std::uint64_t order;
    std::uint32_t slot;
  };
  static bool later(const Entry& a, const Entry& b) noexcept;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<Entry> heap_;
  std::uint64_t pushed_ = 0;
};

}  // namespace forerun::net
