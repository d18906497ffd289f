// A running 64-bit hash of exact bit patterns: two runs agree to the last bit, or their hashes differ.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>

namespace forerun {

class Hash {
 public:
  // Whole numbers count by value, whatever their width.
  template <std::integral Whole>
  void add(Whole number) noexcept {
    mix(static_cast<std::uint64_t>(number));
  }
  void add(double value) noexcept {
    // both zeros are the same number, and so are all that are none (compilers differ in the sign of NaN)
    if (value == 0) value = 0;
    if (value != value) value = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    mix(bits);
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  void mix(std::uint64_t word) noexcept {
    // one round of splitmix64 over the state and the word
    state_ = (state_ ^ word) + 0x9e3779b97f4a7c15u;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9u;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebu;
    state_ ^= state_ >> 31;
  }

  std::uint64_t state_ = 0x666f726572756e21u;  // "forerun!"
};

}  // namespace forerun
