// A budget that fills at a steady rate and holds only so much.
#pragma once

#include <algorithm>

#include "forerun/base/time.hpp"

namespace forerun {

class Bucket {
 public:
  // Takes as much of `wanted` as there is, in whole units. `rate` fills it each second, up to `size`. `now` counts from
  // any start that is long ago.
  double spend(Duration now, double wanted, double rate, double size) noexcept {
    const double earned = std::max(0.0, to_seconds(now - at_)) * rate;
    at_ = now;
    content_ = std::min(content_ + earned, size);
    const double taken = std::min(wanted, static_cast<double>(static_cast<std::int64_t>(content_)));
    content_ -= taken;
    return taken;
  }

 private:
  double content_ = 0;
  Duration at_;  // long ago: the first call finds it full
};

}  // namespace forerun
