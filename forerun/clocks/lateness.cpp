#include "forerun/clocks/lateness.hpp"

namespace forerun::clocks {

Lateness::Lateness(const LatenessParams& params) noexcept : params_(params) {}

void Lateness::on_packet(OperatorTime now, Duration transit, Duration uncertainty,
                         std::optional<Duration> longest) noexcept {
  last_transit_ = transit;
  const bool maybe_late = to_seconds(transit) + params_.doubt * to_seconds(uncertainty) > params_.limit_s;
  const bool can_be_late = !longest || to_seconds(*longest) > params_.limit_s;
  if (maybe_late && can_be_late) {
    if (!late(now)) ++n_warnings_;
    raised_ = true;
    last_late_ = now;
    n_timely_ = 0;
    return;
  }
  // a clock that was set back must not prolong the warning
  if (now < last_late_) last_late_ = now;
  if (n_timely_ < params_.clear_packets) ++n_timely_;
  raised_ = late(now);
}

bool Lateness::late(OperatorTime now) const noexcept {
  if (!raised_) return false;
  const bool settled = n_timely_ >= params_.clear_packets && to_seconds(now - last_late_) >= params_.clear_after_s;
  return !settled;
}

}  // namespace forerun::clocks
