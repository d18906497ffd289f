// Which reports a viewer has, told from the counters that its stamps echo: nothing is sent for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/time.hpp"

namespace forerun::sync {

struct Receipt {
  std::uint32_t sequence = 0;  // of the newest report that the viewer has
  bool missed = false;         // the newest one that was sent to it should have come, and has not
};

class Receipts {
 public:
  // A report went out in the datagram with this counter.
  void on_sent(std::uint64_t counter, std::uint32_t sequence, RobotTime now) noexcept {
    sent_[n_sent_++ % sent_.size()] = {counter, sequence, now, false};
    missed_ = false;  // nobody can know yet
  }

  // The viewer's newest datagram from here is the one with counter `echo`; what it says took `round_trip` to come
  // about.
  void on_echo(std::uint64_t echo, Duration round_trip, RobotTime now) noexcept {
    const std::uint64_t n = n_sent_ < sent_.size() ? n_sent_ : sent_.size();
    for (std::uint64_t i = 1; i <= n; ++i) {
      Sent& sent = sent_[(n_sent_ - i) % sent_.size()];
      if (sent.counter > echo) {
        // had it come through, the viewer would have known of it when it spoke
        sent.missed = sent.missed || sent.at + round_trip + kJitter < now;
        if (i == 1) missed_ = sent.missed;
        continue;
      }
      // one that was overtaken by something else than a report counts as come, unless the viewer spoke without it
      if (sent.counter != echo && sent.missed) continue;
      if (i == 1) missed_ = false;
      newest_ = sent.sequence;
      return;
    }
  }

  // Nothing until the viewer is known to have a report.
  [[nodiscard]] std::optional<Receipt> newest() const noexcept {
    if (!newest_) return std::nullopt;
    return Receipt{*newest_, missed_};
  }

 private:
  static constexpr Duration kJitter = from_seconds(0.1);

  struct Sent {
    std::uint64_t counter = 0;
    std::uint32_t sequence = 0;
    RobotTime at;
    bool missed = false;
  };
  std::array<Sent, 16> sent_{};
  std::uint64_t n_sent_ = 0;
  std::optional<std::uint32_t> newest_;
  bool missed_ = false;
};

}  // namespace forerun::sync
