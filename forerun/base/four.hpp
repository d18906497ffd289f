// Four short numbers at once. Compilers turn these into vector instructions where there are any (SSE2, WebAssembly's
// simd128); the results are the same without.
#pragma once

#include <cstdint>
#include <cstring>

namespace forerun {

using Four = float __attribute__((vector_size(16)));
using FourBools = std::int32_t __attribute__((vector_size(16)));  // −1: true, 0: false

[[nodiscard]] inline Four load_four(const float* from) noexcept {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
inline void store_four(float* to, Four four) noexcept { std::memcpy(to, &four, sizeof four); }
[[nodiscard]] inline Four all_four(double x) noexcept {
  const auto f = static_cast<float>(x);
  return Four{f, f, f, f};
}
[[nodiscard]] inline Four min_four(Four a, Four b) noexcept { return a < b ? a : b; }
[[nodiscard]] inline Four max_four(Four a, Four b) noexcept { return a > b ? a : b; }
[[nodiscard]] inline bool any_of_four(FourBools bools) noexcept {
  std::uint64_t halves[2];
  std::memcpy(halves, &bools, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// Bit i says what element i does.
[[nodiscard]] inline std::uint32_t bits_of_four(FourBools bools) noexcept {
#if defined(__SSE2__)
  Four signs;
  std::memcpy(&signs, &bools, sizeof signs);
  return static_cast<std::uint32_t>(__builtin_ia32_movmskps(signs));
#elif defined(__wasm_simd128__)
  return static_cast<std::uint32_t>(__builtin_wasm_bitmask_i32x4(bools));
#else
  const FourBools weighted = bools & FourBools{1, 2, 4, 8};
  std::uint64_t halves[2];
  std::memcpy(halves, &weighted, sizeof halves);
  const std::uint64_t both = halves[0] | halves[1];
  return static_cast<std::uint32_t>(both | both >> 32);
#endif
}

}  // namespace forerun
