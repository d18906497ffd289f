// Objects that an operator brings to the robot, such as missions. The viewer offers one and says so again until it
// hears what became of it; the robot side pulls it chunk by chunk, and hands it to the robot when the whole is
// verified.
#pragma once

#include <optional>
#include <vector>

#include "forerun/base/bucket.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/sync/bulk.hpp"
#include "forerun/sync/command_gate.hpp"

namespace forerun::sync {

// The viewer's part: one object at a time.
class Delivery {
 public:
  // Takes the place of what was under way; gives the object's number.
  std::uint64_t begin(Duration now, ObjectKind kind, std::vector<std::uint8_t> bytes, const Cipher& cipher);
  void cancel() noexcept { *this = {}; }
  void on_verdict(const Verdict& verdict) noexcept;

  // Sends what is due, or what is asked for: `send(FrameKind, Bytes body)`. `now` counts from any start.
  template <class Send>
  void tick(Duration now, Send&& send) {
    if (!due_ || (now < *due_ && *due_ - now <= kAgain)) return;
    due_ = now + kAgain;
    send(FrameKind::offer, Bytes(encode(*store_.find(object_))));
  }
  template <class Send>
  void answer(Duration now, Request request, Send&& send) {
    if (!due_ || request.object != object_) return;
    due_ = now + kAgain;  // it is known there
    if (request.count > 0) {
      n_asked_ = std::max(n_asked_, request.first + request.count);
      const double wanted = std::min(request.count, kMostChunksPerRequest);
      request.count = static_cast<std::uint16_t>(budget_.spend(now, wanted, kChunksPerSecond, kChunksPerSecond / 2));
      if (request.count == 0) return;
    }
    store_.answer(request, send);
  }

  [[nodiscard]] std::uint64_t object() const noexcept { return object_; }
  [[nodiscard]] std::optional<Duration> due() const noexcept { return due_; }  // nothing: none is under way
  // How much of the object the robot side has asked for, 0 … 1.
  [[nodiscard]] double share() const noexcept;
  [[nodiscard]] const std::optional<Verdict>& verdict() const noexcept { return verdict_; }

 private:
  static constexpr Duration kAgain = from_seconds(0.5);
  static constexpr double kChunksPerSecond = 1000;

  BulkStore store_;
  std::uint64_t object_ = 0;
  std::optional<Duration> due_;
  std::uint32_t n_asked_ = 0;  // chunks, from the first on
  std::uint32_t n_chunks_ = 0;
  std::optional<Verdict> verdict_;
  Bucket budget_;
};

// The robot side's part: what one session may bring.
class Inbox {
 public:
  static constexpr std::size_t kMostObjects = 16;       // a session, in five minutes
  static constexpr std::uint32_t kMostBytes = 4 << 20;  // all of them together

  explicit Inbox(const Cipher& cipher) noexcept : receiver_(cipher, {kMostBytes, 0}) {}

  // The answer, where there is one already; else it is fetched, in place of what was under way. Only what was begun
  // goes on where the robot side has no `room` for more.
  [[nodiscard]] std::optional<Verdict> on_offer(Duration now, const Offer& offer, bool room = true);
  // The answer, when this was the last that was missing; the robot has it then.
  [[nodiscard]] std::optional<Verdict> on_chunk(Duration now, const Chunk& chunk, const Key& who, RobotSide& robot);
  void on_sign_of_life() noexcept { receiver_.on_sign_of_life(); }
  template <class Send>
  void tick(Duration now, Duration round_trip, Send&& send) {
    receiver_.tick(now, round_trip, send);
  }
  [[nodiscard]] bool is_fetching() const noexcept { return receiver_.status() == BulkStatus::fetching; }
  // Another session goes on with it: what is under way counts, what came before does not.
  void begin_session() noexcept;

 private:
  static constexpr Duration kCountAnew = from_seconds(300);   // after this time a session may bring as much again
  static constexpr Duration kRefusalLife = from_seconds(10);  // one who offers it later wants to know again

  struct Known {
    Verdict verdict;
    Duration at;
  };
  [[nodiscard]] Known* find(std::uint64_t object) noexcept;

  BulkReceiver receiver_;
  FixedVector<Known, kMostObjects> known_;  // the newest last
  std::optional<Duration> counted_since_;
  std::size_t n_objects_ = 0;
  std::uint32_t n_bytes_ = 0;
};

}  // namespace forerun::sync
