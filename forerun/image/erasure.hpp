// Spare parts for parts that get lost: of n parts and any number of spare ones, any n that arrive give the whole.
// A Reed–Solomon code with a Cauchy matrix over bytes; the first n are the parts themselves.
#pragma once

#include <cstdint>
#include <span>

#include "forerun/base/bytes.hpp"

namespace forerun::image {

// The spare part of this number, n ≤ index ≤ 255, of the parts that stand one behind the other in `parts`; it is as
// long as each of them.
void make_spare(Bytes parts, std::size_t n, std::uint8_t index, MutableBytes spare) noexcept;

// `indices[i]` is the number of the part that stands at place i of `parts`; all are different, and there are n ≤ 64 of
// them. Afterwards the parts themselves stand there, in order, and `indices` says so.
void recover_parts(MutableBytes parts, std::span<std::uint8_t> indices) noexcept;

}  // namespace forerun::image
