#include "forerun/clocks/envelope.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::clocks {

namespace {

double delay_at(const Crossing& crossing, double at, double slope) noexcept {
  return crossing.delay + slope * (at - crossing.at);
}

double least(const Crossing* first, int n, double at, double slope) noexcept {
  double result = kInfinity;
  for (int i = 0; i < n; ++i) result = std::min(result, delay_at(first[i], at, slope));
  return result;
}

void keep_lesser(Crossing& kept, const Crossing& crossing, double slope) noexcept {
  if (crossing.delay < delay_at(kept, crossing.at, slope)) kept = crossing;
}

}  // namespace

void Envelope::part() noexcept {
  opened_at_ = -kInfinity;
  in_long_ = per_long_;
}

void Envelope::join(double slope) noexcept {
  if (n_long_ < 2 || in_long_ >= per_long_) return;
  const Crossing last = long_[--n_long_];
  keep_lesser(long_[n_long_ - 1], last, slope);
}

void Envelope::forget_since(double since) noexcept {
  while (n_recent_ > 0 && recent_[newest_recent_].at >= since) {
    newest_recent_ = (newest_recent_ + kRecent - 1) % kRecent;
    --n_recent_;
  }
  while (n_long_ > 0 && long_[n_long_ - 1].at >= since) --n_long_;
  part();
}

void Envelope::shift(double before, double by) noexcept {
  for (Crossing& crossing : recent_) crossing.delay += crossing.at < before ? by : 0;
  for (Crossing& crossing : long_) crossing.delay += crossing.at < before ? by : 0;
}

void Envelope::move_times(double by) noexcept {
  for (Crossing& crossing : recent_) crossing.at += by;
  for (Crossing& crossing : long_) crossing.at += by;
  opened_at_ += by;
}

void Envelope::add(const Crossing& crossing, double slope) noexcept {
  if (n_recent_ == 0 || crossing.at >= opened_at_ + kBucketSeconds) {
    open_bucket(crossing, slope);
    return;
  }
  keep_lesser(recent_[newest_recent_], crossing, slope);
  keep_lesser(long_[n_long_ - 1], crossing, slope);
}

void Envelope::open_bucket(const Crossing& crossing, double slope) noexcept {
  opened_at_ = crossing.at;
  newest_recent_ = n_recent_ == 0 ? 0 : (newest_recent_ + 1) % kRecent;
  n_recent_ = std::min(n_recent_ + 1, kRecent);
  recent_[newest_recent_] = crossing;
  n_buckets_ = std::min(n_buckets_ + 1, kLong * kMostPerLong);

  if (n_long_ > 0 && in_long_ < per_long_) {
    keep_lesser(long_[n_long_ - 1], crossing, slope);
    ++in_long_;
    return;
  }
  if (n_long_ == kLong) make_room(slope);
  long_[n_long_++] = crossing;
  in_long_ = 1;
}

void Envelope::make_room(double slope) noexcept {
  if (per_long_ == kMostPerLong) {
    // forget the oldest
    std::copy(long_.begin() + 1, long_.end(), long_.begin());
    --n_long_;
    return;
  }
  // half as many buckets of twice the length
  per_long_ *= 2;
  n_long_ /= 2;
  for (int i = 0; i < n_long_; ++i) {
    long_[i] = long_[2 * i];
    keep_lesser(long_[i], long_[2 * i + 1], slope);
  }
}

double Envelope::recent(int n_buckets, double at, double slope) const noexcept {
  if (n_recent_ == 0) return lasting(at, slope);
  double result = kInfinity;
  for (int i = 0; i < std::min<int>(n_buckets, n_recent_); ++i) {
    const Crossing& crossing = recent_[(newest_recent_ + kRecent - i) % kRecent];
    result = std::min(result, delay_at(crossing, at, slope));
  }
  return result;
}

double Envelope::recent_since(double since, double at, double slope) const noexcept {
  const int n = n_recent_since(since);
  return n == 0 ? kInfinity : recent(n, at, slope);
}

int Envelope::n_recent_since(double since) const noexcept {
  int n = 0;
  while (n < n_recent_ && recent_[(newest_recent_ + kRecent - n) % kRecent].at >= since) ++n;
  return n;
}

double Envelope::level(double before, double slope) const noexcept {
  double result = kInfinity;
  for (const Crossing& crossing : *this) {
    if (crossing.at < before) result = std::min(result, delay_at(crossing, 0, slope));
  }
  return result;
}

double Envelope::spread(double slope) const noexcept {
  if (n_long_ < 2) return kInfinity;
  double sum = 0;
  double low = kInfinity;
  for (const Crossing& crossing : *this) {
    const double level = crossing.delay - slope * crossing.at;
    sum += level;
    low = std::min(low, level);
  }
  return (sum - n_long_ * low) / (n_long_ - 1);
}

double Envelope::lasting(double at, double slope) const noexcept { return least(long_.data(), n_long_, at, slope); }

}  // namespace forerun::clocks
