#include "forerun/image/erasure.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "forerun/base/check.hpp"
#include "forerun/base/fixed_vector.hpp"

namespace forerun::image {
namespace {

// Bytes as polynomials modulo x^8 + x^4 + x^3 + x^2 + 1, whose powers of x reach all but zero.
struct Tables {
  std::array<std::uint8_t, 512> power{};  // of x; twice around, so that sums of logarithms need no remainder
  std::array<std::uint8_t, 256> log{};
};

constexpr Tables make_tables() noexcept {
  Tables t;
  unsigned value = 1;
  for (unsigned i = 0; i < 255; ++i) {
    t.power[i] = t.power[i + 255] = static_cast<std::uint8_t>(value);
    t.log[value] = static_cast<std::uint8_t>(i);
    value = value < 0x80 ? value << 1 : (value << 1) ^ 0x11d;
  }
  return t;
}
constexpr Tables kTables = make_tables();

std::uint8_t inverse(std::uint8_t a) noexcept { return kTables.power[255u - kTables.log[a]]; }

// `to` += factor · `from`.
void add_multiple(MutableBytes to, Bytes from, std::uint8_t factor) noexcept {
  if (factor == 0) return;
  const std::uint8_t* row = &kTables.power[kTables.log[factor]];
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i] != 0) to[i] ^= row[kTables.log[from[i]]];
  }
}

void multiply(MutableBytes bytes, std::uint8_t factor) noexcept {
  const std::uint8_t* row = &kTables.power[kTables.log[factor]];
  for (std::uint8_t& byte : bytes) byte = byte == 0 ? std::uint8_t{0} : row[kTables.log[byte]];
}

// How much of a part is in a spare one: never zero, and every square of these can be solved.
std::uint8_t share(std::uint8_t spare, std::uint8_t part) noexcept {
  return inverse(static_cast<std::uint8_t>(spare ^ part));
}

// Parts that stand one behind the other.
struct Rows {
  MutableBytes bytes;
  std::size_t length = 0;
  [[nodiscard]] MutableBytes operator[](std::size_t i) const noexcept { return bytes.subspan(i * length, length); }
};

constexpr std::size_t kMostMissing = 64;
using Missing = FixedVector<std::uint8_t, kMostMissing>;  // places that hold spare parts

// Each part that came goes to its own place, spare ones where something is missing.
void put_in_place(const Rows& rows, std::span<std::uint8_t> indices) noexcept {
  for (std::size_t i = 0; i < indices.size();) {
    const std::size_t at = indices[i];
    if (at >= indices.size() || at == i) {
      ++i;
      continue;
    }
    std::swap_ranges(rows[i].begin(), rows[i].end(), rows[at].begin());
    std::swap(indices[i], indices[at]);
  }
}

// The spare parts hold nothing but what is missing: a square of equations, solved one column after the other.
void solve(const Rows& rows, std::span<const std::uint8_t> indices, const Missing& missing) noexcept {
  const std::size_t n = missing.size();
  std::array<std::array<std::uint8_t, kMostMissing>, kMostMissing> matrix;
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) matrix[r][c] = share(indices[missing[r]], missing[c]);
  }
  for (std::size_t c = 0; c < n; ++c) {
    // every leading square of a Cauchy matrix can be solved: what stands here is not zero
    const std::uint8_t scale = inverse(matrix[c][c]);
    const MutableBytes pivot(matrix[c].data(), n);
    multiply(pivot, scale);
    multiply(rows[missing[c]], scale);
    for (std::size_t r = 0; r < n; ++r) {
      const std::uint8_t factor = matrix[r][c];
      if (r == c || factor == 0) continue;
      add_multiple({matrix[r].data(), n}, pivot, factor);
      add_multiple(rows[missing[r]], rows[missing[c]], factor);
    }
  }
}

}  // namespace

void make_spare(Bytes parts, std::size_t n, std::uint8_t index, MutableBytes spare) noexcept {
  FORERUN_CHECK(index >= n && parts.size() == n * spare.size());
  std::fill(spare.begin(), spare.end(), std::uint8_t{0});
  for (std::size_t j = 0; j < n; ++j) {
    add_multiple(spare, parts.subspan(j * spare.size(), spare.size()), share(index, static_cast<std::uint8_t>(j)));
  }
}

void recover_parts(MutableBytes parts, std::span<std::uint8_t> indices) noexcept {
  const std::size_t n = indices.size();
  const Rows rows{parts, parts.size() / n};
  put_in_place(rows, indices);
  Missing missing;
  for (std::size_t i = 0; i < n; ++i) {
    if (indices[i] >= n) FORERUN_CHECK(missing.push_back(static_cast<std::uint8_t>(i)));
  }
  // what is known is taken out of the spare parts
  for (const std::uint8_t m : missing) {
    for (std::size_t j = 0; j < n; ++j) {
      if (indices[j] == j) add_multiple(rows[m], rows[j], share(indices[m], static_cast<std::uint8_t>(j)));
    }
  }
  solve(rows, indices, missing);
  for (std::size_t i = 0; i < n; ++i) indices[i] = static_cast<std::uint8_t>(i);
}

}  // namespace forerun::image
