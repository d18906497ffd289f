#include "forerun/base/random.hpp"

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"
#include "forerun/base/normal_table.hpp"

namespace forerun {
namespace {

std::uint64_t rotate_left(std::uint64_t word, int by) noexcept { return (word << by) | (word >> (64 - by)); }

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) noexcept {
  Hash hash;
  hash.add(seed);
  hash.add(stream);
  for (auto& word : state_) {
    hash.add(std::uint64_t{1});
    word = hash.value();
  }
}

std::uint64_t Random::bits() noexcept {
  auto& s = state_;
  const std::uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double Random::uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

std::uint64_t Random::below(std::uint64_t bound) noexcept {
  FORERUN_ASSERT(bound > 0);
  // reject the uneven tail, so that every value is equally likely
  const std::uint64_t tail = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t word = bits();
    if (word >= tail) return word % bound;
  }
}

double Random::normal() noexcept {
  // ziggurat: a random layer and a random point in it, which nearly always lies under the curve
  for (;;) {
    const std::uint64_t word = bits();
    const auto layer = static_cast<std::size_t>(word % kNormalLayers);
    const double in_unit = static_cast<double>(static_cast<std::int64_t>(word) >> 10) * 0x1p-53;  // in [−1, 1)
    const double x = in_unit * kNormalEdges[layer];
    if (std::fabs(x) < kNormalEdges[layer + 1]) return x;
    if (layer == 0) return x < 0 ? -normal_tail() : normal_tail();
    if (under_curve(layer, x)) return x;
  }
}

bool Random::under_curve(std::size_t layer, double x) noexcept {
  const double low = exp(-0.5 * square(kNormalEdges[layer]));
  const double high = exp(-0.5 * square(kNormalEdges[layer + 1]));
  return uniform(low, high) < exp(-0.5 * x * x);
}

double Random::normal_tail() noexcept {
  // Marsaglia: an exponential beyond the last edge, kept with the right probability; 1 − u is never 0
  constexpr double r = kNormalEdges[1];
  for (;;) {
    const double x = -log(1 - uniform()) / r;
    const double y = -log(1 - uniform());
    if (2 * y > x * x) return r + x;
  }
}

void Random::add_to(Hash& hash) const noexcept {
  for (const auto word : state_) hash.add(word);
}

}  // namespace forerun
