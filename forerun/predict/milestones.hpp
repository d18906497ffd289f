// Where the robot was predicted to be, at even times since its report: the same however often the prediction is asked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/math.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::predict {

class Milestones {
 public:
  static constexpr Duration kStep = from_seconds(0.25);

  void clear() noexcept { places_.clear(); }
  // The place one step after the one before; the first one is the report's. Those beyond two minutes are left out.
  void add(Vec2 place) noexcept { places_.push_back(place); }

  // When the next one is due, after the report.
  [[nodiscard]] Duration next() const noexcept {
    return Duration{kStep.ns * static_cast<std::int64_t>(places_.size())};
  }
  [[nodiscard]] bool full() const noexcept { return places_.full(); }
  [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
  // So many seconds after the report, at most at the last one; straight between two of them.
  [[nodiscard]] Vec2 at(double seconds) const noexcept {
    const double steps = clamp(seconds / to_seconds(kStep), 0.0, static_cast<double>(places_.size() - 1));
    const auto before = static_cast<std::size_t>(steps);
    const std::size_t next = before + 1 < places_.size() ? before + 1 : before;
    return places_[before] + (places_[next] - places_[before]) * (steps - static_cast<double>(before));
  }
  // After how many seconds the robot was to pass nearest to this place.
  [[nodiscard]] double passes(Vec2 place) const noexcept {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < places_.size(); ++i) {
      if (distance(places_[i], place) < distance(places_[nearest], place)) nearest = i;
    }
    return static_cast<double>(nearest) * to_seconds(kStep);
  }

 private:
  FixedVector<Vec2, 512> places_;
};

}  // namespace forerun::predict
