#include "forerun/net/timer_heap.hpp"

#include <algorithm>

namespace forerun::net {

TimerHeap::TimerHeap(std::size_t capacity) : slots_(capacity) {
  free_.reserve(capacity);
  heap_.reserve(capacity);
  for (std::size_t i = capacity; i > 0; --i) free_.push_back(static_cast<std::uint32_t>(i - 1));
}

bool TimerHeap::later(const Entry& a, const Entry& b) noexcept {
  return a.due != b.due ? a.due > b.due : a.order > b.order;
}

bool TimerHeap::push(Duration due, Bytes bytes, const WaitingTag& tag) noexcept {
  if (free_.empty() || bytes.size() > kMaxDatagram) return false;
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Slot& slot = slots_[place];
  slot.tag = tag;
  slot.size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), slot.bytes.begin());
  heap_.push_back({due, pushed_++, place});
  std::push_heap(heap_.begin(), heap_.end(), later);
  return true;
}

Bytes TimerHeap::next_bytes() const noexcept {
  const Slot& slot = slots_[heap_.front().slot];
  return {slot.bytes.data(), slot.size};
}

void TimerHeap::pop() noexcept {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  free_.push_back(heap_.back().slot);
  heap_.pop_back();
}

}  // namespace forerun::net
