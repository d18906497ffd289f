// The fastest datagrams of one direction, of the last seconds and of the last minutes: queueing only ever adds.
#pragma once

#include <array>
#include <cstdint>

namespace forerun::clocks {

// When a datagram crossed the network, and how long that took by two clocks that differ.
struct Crossing {
  double at = 0;     // local time [s]
  double delay = 0;  // [ns]
};

// Keeps the least crossing of each of the newest short buckets, and of longer ones that reach back for minutes. A
// bucket begins with a crossing, so silence does not empty them. Clocks of different rate let all delays grow by
// `slope` [ns/s]; crossings are compared as if they had happened at one time.
class Envelope {
 public:
  static constexpr int kRecent = 12;
  static constexpr int kLong = 16;
  static constexpr int kMostPerLong = 48;  // short buckets in a long one: some twelve minutes in all
  static constexpr double kBucketSeconds = 1;

  void add(const Crossing& crossing, double slope) noexcept;
  // The next crossing begins a bucket, so that what follows stays apart from what was before.
  void part() noexcept;
  // Undoes that for the long buckets.
  void join(double slope) noexcept;
  // Takes back what came at this time and later.
  void forget_since(double since) noexcept;
  // A clock was set: all delays before a time become longer by so much [ns].
  void shift(double before, double by) noexcept;
  // The clock that tells the times of crossings was set [s].
  void move_times(double by) noexcept;

  [[nodiscard]] bool empty() const noexcept { return n_long_ == 0; }
  // The least delay, as of some time, in the newest buckets (where there are none: in all) and in all that is kept. Not
  // for an empty envelope.
  [[nodiscard]] double recent(int n_buckets, double at, double slope) const noexcept;
  [[nodiscard]] double lasting(double at, double slope) const noexcept;
  // The same in the newest buckets that began at a time or later; infinite when there are none.
  [[nodiscard]] double recent_since(double since, double at, double slope) const noexcept;
  [[nodiscard]] int n_recent_since(double since) const noexcept;
  // The least of all that was kept before a time, as of time zero; infinite when there was nothing.
  [[nodiscard]] double level(double before, double slope) const noexcept;
  // How far the long buckets lie above all that is kept, on average [ns]; and how long they are [s].
  [[nodiscard]] double spread(double slope) const noexcept;
  [[nodiscard]] double long_seconds() const noexcept { return per_long_ * kBucketSeconds; }
  // Short buckets so far.
  [[nodiscard]] int n_buckets() const noexcept { return n_buckets_; }

  // The least crossings of the long buckets.
  [[nodiscard]] const Crossing* begin() const noexcept { return long_.data(); }
  [[nodiscard]] const Crossing* end() const noexcept { return long_.data() + n_long_; }
  [[nodiscard]] int size() const noexcept { return n_long_; }

 private:
  void open_bucket(const Crossing& crossing, double slope) noexcept;
  void make_room(double slope) noexcept;

  std::array<Crossing, kLong> long_{};
  std::array<Crossing, kRecent> recent_{};  // in a ring
  double opened_at_ = 0;                    // the newest short bucket [s]
  std::int32_t n_long_ = 0;
  std::int32_t n_recent_ = 0;
  std::int32_t newest_recent_ = 0;
  std::int32_t n_buckets_ = 0;
  std::int32_t in_long_ = 0;   // short buckets in the newest long one
  std::int32_t per_long_ = 3;  // as many fit in; doubles when all long ones are full
};

}  // namespace forerun::clocks
