// An image for tests, and its parts.
#pragma once

#include <vector>

#include "forerun/image/erasure.hpp"
#include "forerun/image/wire.hpp"

namespace forerun::test {

inline std::vector<std::uint8_t> some_image(std::size_t size, std::uint8_t seed = 1) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 7 + seed);
  return bytes;
}

inline image::Info info_of(std::uint32_t number, std::size_t size) {
  return {.number = number,
          .taken = {1'000'000'000 + std::int64_t{number}},
          .place = {1.5, -2.5, 0.45},
          .attitude = {0, 0.1, 2.0},
          .field_of_view = 0.9,
          .width = 320,
          .height = 240,
          .size = static_cast<std::uint32_t>(size)};
}

// The body of a frame that carries this part.
inline std::vector<std::uint8_t> body_of(const image::Info& info, const std::vector<std::uint8_t>& whole,
                                         std::uint8_t index) {
  const std::size_t n = image::n_parts(info.size), length = image::part_size(info.size);
  std::vector<std::uint8_t> parts = whole, spare(length);
  parts.resize(n * length);
  if (index >= n) image::make_spare(parts, n, index, spare);
  const Bytes bytes = index < n ? Bytes(parts).subspan(index * length, length) : Bytes(spare);
  std::array<std::uint8_t, image::kHeaderSize + image::kLargestPart> room;
  const Bytes body = encode(image::Part{info, index, bytes}, room);
  return {body.begin(), body.end()};
}

}  // namespace forerun::test
