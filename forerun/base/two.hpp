// Two numbers at once, and the elementary functions of both: the bits of base/math.hpp's for each. Compilers turn these
// into vector instructions where there are any (SSE2, WebAssembly's simd128).
#pragma once

#include <cstdint>

namespace forerun {

using Two = double __attribute__((vector_size(16)));
using TwoBools = std::int64_t __attribute__((vector_size(16)));  // −1: true, 0: false

struct TwoSinCos {
  Two sin;
  Two cos;
};

[[nodiscard]] inline Two least(Two a, Two b) noexcept { return a < b ? a : b; }
[[nodiscard]] inline Two greatest(Two a, Two b) noexcept { return a > b ? a : b; }
[[nodiscard]] inline bool both(TwoBools bools) noexcept { return (bools[0] & bools[1]) != 0; }

[[nodiscard]] TwoSinCos sincos(Two angles) noexcept;
[[nodiscard]] Two sinc(Two x) noexcept;
[[nodiscard]] Two exp(Two x) noexcept;

}  // namespace forerun
