// Large objects over a bad link: who lacks one pulls it, chunk by chunk, and uses it only when the whole is verified.
//
// The side that holds objects remembers nothing about those that ask. The side that fetches asks again for what did not
// come, for as long as it takes: a link that was down for minutes costs those minutes and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

inline constexpr std::uint16_t kMostChunksPerRequest = 32;  // a longer request is answered in part

class BulkStore {
 public:
  // Keeps an object for all who ask and gives its number. Not empty, less than 4 GiB.
  std::uint64_t add(ObjectKind kind, std::vector<std::uint8_t> bytes, const Cipher& cipher);
  void remove(std::uint64_t object) { objects_.erase(object); }
  // Nothing where there is no such object.
  [[nodiscard]] const Offer* find(std::uint64_t object) const noexcept;

  // Calls `send(FrameKind, Bytes body)` with the offer or the chunks that are asked for; false for what it does not
  // have.
  template <class Send>
  bool answer(const Request& request, Send&& send) const {
    const auto place = objects_.find(request.object);
    if (place == objects_.end()) return false;
    const auto& [offer, bytes] = place->second;
    if (request.count == 0) {
      send(FrameKind::offer, Bytes(encode(offer)));
      return true;
    }
    const std::uint32_t end = n_chunks(offer.size);
    if (request.first >= end) return false;
    const std::uint32_t n = std::min<std::uint32_t>({request.count, kMostChunksPerRequest, end - request.first});
    for (std::uint32_t i = request.first; i < request.first + n; ++i) {
      const Bytes content = Bytes(bytes).subspan(std::size_t{i} * kChunkSize, chunk_length(offer.size, i));
      std::array<std::uint8_t, kChunkHeaderSize + kChunkSize> body;
      send(FrameKind::chunk, encode(Chunk{request.object, i, content}, body));
    }
    return true;
  }

 private:
  struct Object {
    Offer offer;
    std::vector<std::uint8_t> bytes;
  };
  std::unordered_map<std::uint64_t, Object> objects_;
};

struct BulkParams {
  std::uint32_t largest_object = 64u << 20;         // larger ones are refused before memory is taken [bytes]
  int most_mismatches = 3;                          // so often the whole may be wrong before the fetch fails
  Duration unknown_round_trip = from_seconds(0.5);  // assumed while none was measured
  Duration shortest_wait = from_seconds(0.05);      // before a chunk is asked for again
  Duration longest_wait = from_seconds(4);          // while nothing comes at all
};

template <class Visit>
void visit_fields(BulkParams& p, Visit&& visit) {
  visit("largest_object_bytes", p.largest_object,
        Field{1, 4294967295.0, "larger ones are refused before memory is taken [bytes]"});
  visit("most_mismatches", p.most_mismatches, Field{0, 100, "so often the whole may be wrong before the fetch fails"});
  visit("unknown_round_trip_s", p.unknown_round_trip, Field{0.001, 60, "assumed while none was measured [s]"});
  visit("shortest_wait_s", p.shortest_wait, Field{0.001, 60, "before a chunk is asked for again [s]"});
  visit("longest_wait_s", p.longest_wait, Field{0.001, 600, "while nothing comes at all [s]"});
}

// Negative is failure, zero idle, positive progress.
enum class BulkStatus : std::int8_t { failed = -1, idle = 0, asking = 1, fetching = 2, complete = 3 };

enum class BulkFailure : std::uint8_t { none, too_large, mismatch };

struct BulkCounts {
  std::uint64_t requests = 0;    // frames sent
  std::uint64_t chunks = 0;      // taken
  std::uint64_t duplicates = 0;  // came again
  std::uint64_t refused = 0;     // offers and chunks of another object, out of place or of a wrong length
  std::uint64_t timeouts = 0;    // chunks that did not come in time
  int mismatches = 0;            // the whole was not what had been offered
};

// Fetches one object at a time. Chunks come in any order.
class BulkReceiver {
 public:
  // `cipher` must outlive the receiver.
  explicit BulkReceiver(const Cipher& cipher, const BulkParams& params = {}) noexcept
      : cipher_(cipher), params_(params) {}

  // Forgets what was under way and fetches this object. The one that is being fetched or is complete is kept.
  void begin(std::uint64_t object) noexcept;
  void begin(const Offer& offer);
  void cancel() noexcept;

  // Something else came over the same link: it is not down, and what is missing was lost.
  void on_sign_of_life() noexcept { something_came(); }
  void on_offer(const Offer& offer);
  void on_chunk(const Chunk& chunk);

  // Sends what is due: `send(FrameKind, Bytes body)`. Call it some times a round trip, or more often. `now` counts from
  // any start and never goes back; `round_trip` as measured, zero while unknown.
  template <class Send>
  void tick(Duration now, Duration round_trip, Send&& send) {
    Plan plan = make_plan(now, round_trip);
    for (const Request& request : plan) send(FrameKind::request, Bytes(encode(request)));
  }

  [[nodiscard]] BulkStatus status() const noexcept { return status_; }
  [[nodiscard]] BulkFailure failure() const noexcept { return failure_; }
  [[nodiscard]] std::uint64_t object() const noexcept { return object_; }
  [[nodiscard]] ObjectKind kind() const noexcept { return offer_.kind; }     // once the offer came
  [[nodiscard]] std::uint32_t size() const noexcept { return offer_.size; }  // likewise; 0 before
  [[nodiscard]] double progress() const noexcept;                            // 0 … 1
  [[nodiscard]] const BulkCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::size_t window() const noexcept { return window_; }
  // The verified object; empty unless complete.
  [[nodiscard]] Bytes bytes() const noexcept { return status_ == BulkStatus::complete ? Bytes(bytes_) : Bytes{}; }
  // Hands it over and becomes idle.
  [[nodiscard]] std::vector<std::uint8_t> take() noexcept;

 private:
  static constexpr std::size_t kLargestWindow = 256;  // chunks under way
  static constexpr std::size_t kSmallestWindow = 6;
  static constexpr std::size_t kFirstWindow = 32;
  static constexpr std::size_t kWindowStep = 8;  // a round

  enum class Piece : std::uint8_t { missing, asked, here };
  struct Asked {
    std::uint32_t index = 0;
    std::uint64_t turn = 0;  // counts all that was asked for
    Duration at;
  };
  using Plan = FixedVector<Request, kLargestWindow>;

  [[nodiscard]] Plan make_plan(Duration now, Duration round_trip) noexcept;
  [[nodiscard]] Duration patience() const noexcept;
  [[nodiscard]] bool is_queueing() const noexcept;
  [[nodiscard]] bool is_worth_asking_twice() const noexcept;
  void note_order(const Asked& asked) noexcept;
  void settle_order() noexcept;
  void give_up_late_chunks() noexcept;
  void adapt_window() noexcept;
  void ask_for_offer(Plan& plan) noexcept;
  void ask_for_chunks(Plan& plan) noexcept;
  void measure(Duration round_trip) noexcept;
  void something_came() noexcept;
  void wait_longer() noexcept;
  void verify();
  void release() noexcept;
  void fail(BulkFailure why) noexcept;

  const Cipher& cipher_;
  BulkParams params_;
  BulkStatus status_ = BulkStatus::idle;
  BulkFailure failure_ = BulkFailure::none;
  std::uint64_t object_ = 0;
  Offer offer_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Piece> pieces_;
  std::uint32_t n_here_ = 0;
  std::uint32_t next_ = 0;                        // all before it are here or asked for
  FixedVector<Asked, kLargestWindow> under_way_;  // asked for, not here
  BulkCounts counts_;

  Duration now_;
  double round_trip_ = 0;           // smoothed [s]
  double shortest_round_trip_ = 0;  // since the beginning; zero: unknown [s]
  std::uint64_t n_asked_ = 0;       // chunks, again and again
  std::uint64_t newest_came_ = 0;   // the turn of what was asked for last of all that came
  std::uint64_t waited_for_ = 0;    // and what it was when this was looked at last,
  Duration waited_since_;           // which was then
  std::uint64_t overtaken_ = 0;     // turns before this one were overtaken some time ago
  Duration chunk_came_;             // the newest one
  Duration quiet_since_;            // nothing came since then
  std::optional<Duration> offer_asked_;
  int backoff_ = 0;  // doublings of the patience
  std::size_t window_ = kFirstWindow;
  std::size_t came_ = 0, lost_ = 0;   // in this round
  std::optional<double> usual_loss_;  // nothing before the first round
  bool was_crowded_ = false;
};

}  // namespace forerun::sync
