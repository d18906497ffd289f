// Grey pictures of maps: PGM (P2 and P5, 8 and 16 bit) and PNG.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"

namespace forerun::io {

inline constexpr std::size_t kMostPixels = std::size_t{64} << 20;

// Rows from top to bottom.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<float> brightness;      // 0 black … 1 white; colours are averaged
  std::vector<std::uint8_t> visible;  // 0 where the picture is transparent, 1 elsewhere

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

// The first bytes decide which format it is; `file` is the name used in messages.
[[nodiscard]] Result<Image> parse_image(std::string_view bytes, const std::string& file);
[[nodiscard]] Result<Image> load_image(const std::string& path);

// A PNG of red, green, blue and opacity, four bytes a pixel, rows from top to bottom.
[[nodiscard]] Result<std::string> encode_png(int width, int height, const std::vector<std::uint8_t>& rgba);

}  // namespace forerun::io
