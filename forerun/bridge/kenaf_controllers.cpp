#include "forerun/bridge/kenaf_controllers.hpp"

#include <algorithm>

namespace forerun::bridge {

KenafControllers::Heard KenafControllers::hear(std::span<const std::uint8_t> bytes, const sync::Address& from,
                                               double now_s) {
  const auto datagram = kenaf::decode(bytes);
  if (!datagram) return {Verdict::nonsense, {}, {}, false};
  Controller* one = find(from, now_s);
  if (one == nullptr) return {Verdict::too_many, {}, {}, false};
  const bool known = one->session == datagram->session;
  if (known && !kenaf::is_newer(datagram->sequence, one->sequence)) return {Verdict::old, {}, {}, false};
  one->session = datagram->session;
  one->sequence = datagram->sequence;
  one->heard_s = now_s;
  Heard heard{Verdict::taken, {}, {}, false};
  for (const kenaf::CanFrame& frame : datagram->frames) {
    if (const auto tracks = kenaf::decode_tracks(frame)) heard.tracks = tracks;
    if (const auto flippers = kenaf::decode_flippers(frame)) heard.flippers = flippers;
    heard.asks = heard.asks || frame.id == kenaf::kAskId;
  }
  if (!heard.tracks && !heard.flippers) return heard;
  if (another_drives(*one, now_s)) return {Verdict::not_its_turn, {}, {}, heard.asks};
  one->commanded_s = now_s;
  return heard;
}

KenafControllers::Controller* KenafControllers::find(const sync::Address& from, double now_s) {
  for (Controller& one : controllers_) {
    if (one.address == from) return &one;
  }
  std::erase_if(controllers_, [&](const Controller& one) { return now_s - one.heard_s > kRemembered_s; });
  if (controllers_.size() >= kMost) return nullptr;
  controllers_.push_back({from, std::nullopt, 0, now_s});
  return &controllers_.back();
}

bool KenafControllers::another_drives(const Controller& one, double now_s) const {
  return std::any_of(controllers_.begin(), controllers_.end(), [&](const Controller& other) {
    return &other != &one && now_s - other.commanded_s < kHasTheWheel_s;
  });
}

std::vector<sync::Address> KenafControllers::listeners(double now_s) const {
  std::vector<sync::Address> found;
  for (const Controller& one : controllers_) {
    if (now_s - one.heard_s <= kRemembered_s) found.push_back(one.address);
  }
  return found;
}

}  // namespace forerun::bridge
