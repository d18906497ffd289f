// How much a browser may say.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace forerun::web {

using WebClock = std::chrono::steady_clock;

[[nodiscard]] inline std::chrono::milliseconds to_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

// So many a second, and as many at once.
class MessageBudget {
 public:
  explicit MessageBudget(double per_s) : per_s_(per_s), left_(per_s), at_(WebClock::now()) {}
  [[nodiscard]] bool take() {
    const auto now = WebClock::now();
    left_ = std::min(per_s_, left_ + per_s_ * std::chrono::duration<double>(now - at_).count());
    at_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double per_s_;
  double left_;
  WebClock::time_point at_;
};

}  // namespace forerun::web
