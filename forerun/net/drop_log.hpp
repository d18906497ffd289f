// Says what was dropped from the network: one line a second at most, and only when there is something to say.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <utility>

#include "forerun/base/time.hpp"
#include "forerun/net/complaint.hpp"
#include "forerun/sync/drops.hpp"

namespace forerun::net {

class DropLog {
 public:
  explicit DropLog(OnComplaint on_complaint = print_complaint) : on_complaint_(std::move(on_complaint)) {}

  // `now_s` is any steady time [s].
  void look(double now_s, const sync::DropCounts& drops);

 private:
  OnComplaint on_complaint_;
  sync::DropCounts told_;
  double next_ = 0;
};

// Reasons that have occurred, with their counts.
[[nodiscard]] nlohmann::ordered_json to_json(const sync::DropCounts& drops);

}  // namespace forerun::net
