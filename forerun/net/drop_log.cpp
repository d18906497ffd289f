#include "forerun/net/drop_log.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace forerun::net {

void DropLog::look(double now_s, const sync::DropCounts& drops) {
  if (now_s < next_ || drops.total() == told_.total()) return;
  next_ = now_s + 1;
  const std::uint64_t more = drops.total() - told_.total();
  std::string reasons;
  for (std::size_t i = 0; i < sync::kDropReasons; ++i) {
    const auto reason = static_cast<sync::Drop>(i);
    const std::uint64_t of_this = drops.of(reason) - told_.of(reason);
    if (of_this > 0)
      reasons += (reasons.empty() ? "" : ", ") + std::string(sync::to_string(reason)) + " " + std::to_string(of_this);
  }
  on_complaint_("dropped " + std::to_string(more) + (more == 1 ? " datagram (" : " datagrams (") + reasons + ")");
  told_ = drops;
}

nlohmann::ordered_json to_json(const sync::DropCounts& drops) {
  auto counts = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < sync::kDropReasons; ++i) {
    const auto reason = static_cast<sync::Drop>(i);
    if (drops.of(reason) > 0) counts[sync::to_string(reason)] = drops.of(reason);
  }
  return counts;
}

}  // namespace forerun::net
