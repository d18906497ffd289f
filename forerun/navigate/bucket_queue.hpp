// A queue of nodes in the order of their values, without a heap: values are sorted into narrow buckets only.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "forerun/base/check.hpp"
#include "forerun/navigate/scratch_list.hpp"

namespace forerun::navigate {

// A ring of buckets. Each is a chain of chunks from one pool; a chunk is used again as soon as it is worked off, so
// that a wave front lives in a small, warm piece of memory. Nothing is allocated after construction.
class BucketQueue {
 public:
  // Narrower than √2 − 1: of the two neighbours that can give a cell the same value, over a diagonal and over a
  // straight step, the first is then always worked on first. The second finds nothing to do, which the processor learns
  // to foresee.
  static constexpr double kBucketsPerUnit = 4;
  static constexpr std::uint32_t kBuckets = 256;
  // A value that is pushed lies less than this above the bucket that is being drained.
  static constexpr double kReach = (kBuckets - 2) / kBucketsPerUnit;

  static std::int64_t bucket_of(double value) noexcept { return static_cast<std::int64_t>(value * kBucketsPerUnit); }
  // The least value in a bucket.
  static double low(std::int64_t bucket) noexcept { return static_cast<double>(bucket) / kBucketsPerUnit; }

  // Has room for this many entries at once.
  explicit BucketQueue(std::size_t capacity)
      : entries_((capacity / kChunk + kBuckets + 2) * kChunk), next_ends_(entries_.capacity() / kChunk) {}

  void clear() noexcept {
    ends_.fill(0);
    n_in_use_ = 0;
    n_touched_ = 1;
    first_spare_ = 0;
  }
  [[nodiscard]] bool empty() const noexcept { return n_in_use_ == 0; }

  void push(std::int64_t bucket, std::uint32_t node) noexcept {
    std::uint32_t& end = ends_[slot(bucket)];
    if (end % kChunk == 0) end = begin_chunk(end);
    entries_[end++] = node;
  }

  // Calls work(node) for everything in the bucket and empties it. The work may push, but not into this bucket.
  template <class Work>
  void drain(std::int64_t bucket, Work&& work) noexcept {
    std::uint32_t end = std::exchange(ends_[slot(bucket)], 0);
    if (end != 0) --n_in_use_;
    while (end != 0) {
      const std::uint32_t chunk = (end - 1) / kChunk;
      for (std::uint32_t i = chunk * kChunk; i < end; ++i) work(entries_[i]);
      end = std::exchange(next_ends_[chunk], first_spare_);
      first_spare_ = chunk;
    }
  }

 private:
  static constexpr std::uint32_t kChunk = 256;

  static std::size_t slot(std::int64_t bucket) noexcept { return static_cast<std::size_t>(bucket) % kBuckets; }

  // Takes a chunk, chained to the full one that ends at `end` (0: the bucket was empty), and returns where it begins.
  std::uint32_t begin_chunk(std::uint32_t end) noexcept {
    if (end == 0) ++n_in_use_;
    std::uint32_t chunk = first_spare_;
    if (chunk != 0) {
      first_spare_ = next_ends_[chunk];
    } else {
      FORERUN_CHECK(n_touched_ < next_ends_.size());
      chunk = n_touched_++;
    }
    next_ends_[chunk] = end;
    return chunk * kChunk;
  }

  std::array<std::uint32_t, kBuckets> ends_{};  // where the next entry of each bucket goes; 0: empty
  std::uint32_t n_in_use_ = 0;                  // buckets that are not empty
  std::uint32_t n_touched_ = 1;                 // chunks ever used; chunk 0 never is, because an end of 0 means empty
  std::uint32_t first_spare_ = 0;               // chain of chunks to use again; 0: none
  ScratchList<std::uint32_t> entries_;
  std::vector<std::uint32_t> next_ends_;  // of a chunk in use: the end of the next one; of a spare one: the next spare
};

}  // namespace forerun::navigate
