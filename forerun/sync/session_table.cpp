#include "forerun/sync/session_table.hpp"

#include <utility>

namespace forerun::sync {
namespace {

constexpr std::uint32_t kSlotBits = 20;
constexpr std::uint32_t kSlotMask = (1u << kSlotBits) - 1;

}  // namespace

ServerSession* SessionTable::add() {
  std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else if (slots_.size() < largest_ && slot <= kSlotMask) {
    slots_.emplace_back();
    slots_.back().id = slot;
  } else {
    return nullptr;
  }
  ServerSession& session = slots_[slot];
  // a new generation, so that datagrams for the slot's last owner reach no one; never zero
  session.id += 1u << kSlotBits;
  if (session.id >> kSlotBits == 0) session.id += 1u << kSlotBits;
  session.state = ServerSession::State::unconfirmed;
  ++n_used_;
  return &session;
}

ServerSession* SessionTable::find(std::uint32_t id) noexcept {
  const std::size_t slot = id & kSlotMask;
  if (slot >= slots_.size()) return nullptr;
  ServerSession& session = slots_[slot];
  return session.state != ServerSession::State::free && session.id == id ? &session : nullptr;
}

void SessionTable::remove(ServerSession& session) noexcept {
  const std::uint32_t id = session.id;
  session = ServerSession{};
  session.id = id;
  free_.push_back(id & kSlotMask);
  --n_used_;
}

}  // namespace forerun::sync
