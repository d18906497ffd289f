// The warning of paper 2: what the operator sees arrived too late (PSS-10).
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/time.hpp"

namespace forerun::clocks {

struct LatenessParams {
  double limit_s = 0.4;      // a packet that took longer is late [s]
  double doubt = 2;          // so many times the stated uncertainty counts against the packet
  int clear_packets = 5;     // so many timely packets in a row clear the warning,
  double clear_after_s = 3;  // not sooner than this after the last late one [s]
};

template <class Visit>
void visit_fields(LatenessParams& p, Visit&& visit) {
  visit("limit_s", p.limit_s, Field{0.001, 60, "a packet that took longer is late [s]"});
  visit("doubt", p.doubt, Field{0, 10, "so many times the stated uncertainty counts against the packet"});
  visit("clear_packets", p.clear_packets, Field{1, 1000, "so many timely packets in a row clear the warning"});
  visit("clear_after_s", p.clear_after_s, Field{0, 600, "not sooner than this after the last late one [s]"});
}

// Raised by the packet that is late, with the same call; cleared with hysteresis, so that it does not flicker. When in
// doubt it warns. The uncertainty holds 95 times out of 100, which is not enough for a warning that must not be missed:
// so it is taken `doubt` times. What the round trip rules out is no doubt: a packet never took longer than its own
// round trip.
class Lateness {
 public:
  explicit Lateness(const LatenessParams& params = {}) noexcept;

  // A packet arrived. `transit` is negative when the clocks are known worse than it was fast.
  // `longest` is the round trip that it completed, if that is known.
  void on_packet(OperatorTime now, Duration transit, Duration uncertainty,
                 std::optional<Duration> longest = std::nullopt) noexcept;

  [[nodiscard]] bool late(OperatorTime now) const noexcept;
  [[nodiscard]] Duration last_transit() const noexcept { return last_transit_; }
  [[nodiscard]] std::uint32_t warnings() const noexcept { return n_warnings_; }  // how often it was raised

 private:
  LatenessParams params_;
  Duration last_transit_{};
  OperatorTime last_late_{};
  int n_timely_ = 0;  // since then, in a row
  std::uint32_t n_warnings_ = 0;
  bool raised_ = false;
};

}  // namespace forerun::clocks
