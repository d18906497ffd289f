#include "forerun/learn/drive.hpp"

#include <algorithm>

#include "forerun/base/random.hpp"

namespace forerun::learn {

DrivePoint between(const DrivePoint& a, const DrivePoint& b, double share) noexcept {
  const double turned = normalize_angle(b.pose.theta - a.pose.theta);
  return {{a.pose.x + (b.pose.x - a.pose.x) * share, a.pose.y + (b.pose.y - a.pose.y) * share,
           normalize_angle(a.pose.theta + turned * share)},
          a.driven + (b.driven - a.driven) * share};
}

std::optional<DrivePoint> Drive::at(double time) const noexcept {
  // times come rounded to nanoseconds, and clocks that count from 1970 leave fewer digits than that
  constexpr double kRounding = 1e-4;  // [steps]
  if (truth.empty()) return std::nullopt;
  const double last = static_cast<double>(truth.size() - 1);
  double place = (time - start) / kTruthStep;
  if (!(place >= -kRounding && place <= last + kRounding)) return std::nullopt;
  place = std::clamp(place, 0.0, last);
  const auto before = static_cast<std::size_t>(place);
  if (before + 1 == truth.size()) return truth.back();
  return between(truth[before], truth[before + 1], place - static_cast<double>(before));
}

void TruthRecorder::take(double time, const DrivePoint& now, std::vector<DrivePoint>& truth) {
  for (double t; (t = static_cast<double>(truth.size()) * kTruthStep) <= time;) {
    truth.push_back(time > before_time_ ? between(before_, now, (t - before_time_) / (time - before_time_)) : now);
  }
  before_ = now;
  before_time_ = time;
}

std::vector<bool> draw_arrivals(std::size_t n, double loss, std::uint64_t seed) {
  Random random(seed, 0x1057);
  std::vector<bool> arrived(n);
  for (std::size_t i = 0; i < n; ++i) arrived[i] = random.uniform() >= loss || i == 0;
  return arrived;
}

}  // namespace forerun::learn
