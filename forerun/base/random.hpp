// Random numbers that are the same on every machine. Every stream is seeded explicitly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "forerun/base/hash.hpp"

namespace forerun {

// xoshiro256++ (Blackman and Vigna): small, fast, and passes the usual batteries.
class Random {
 public:
  Random() noexcept : Random(0) {}
  // Streams of one seed with different numbers are independent of each other.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept;

  [[nodiscard]] std::uint64_t bits() noexcept;
  [[nodiscard]] double uniform() noexcept;                          // in [0, 1)
  [[nodiscard]] double uniform(double low, double high) noexcept;   // in [low, high)
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept;  // in [0, bound), bound > 0
  [[nodiscard]] double normal() noexcept;                           // zero mean, unit variance

  // Takes the generator's whole state into a hash.
  void add_to(Hash& hash) const noexcept;

 private:
  // A point of a layer that is not wholly under the curve: under it?
  [[nodiscard]] bool under_curve(std::size_t layer, double x) noexcept;
  // A normal number beyond the outermost layer's edge.
  [[nodiscard]] double normal_tail() noexcept;

  std::array<std::uint64_t, 4> state_;
};

}  // namespace forerun
