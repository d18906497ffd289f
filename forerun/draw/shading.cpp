#include "forerun/draw/shading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "forerun/io/image.hpp"

namespace forerun::draw {

namespace {

using Rgba = std::array<std::uint8_t, 4>;

// Linear light to what a screen wants.
double to_screen(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

int to_byte(double x) { return static_cast<int>(std::lround(std::clamp(x, 0.0, 1.0) * 255)); }

// From the goal's deep blue to pale sand far away: lightness alone tells near from far.
Rgba value_colour(double share, bool on_contour) {
  constexpr std::array<std::array<double, 3>, 4> kRamp{
      {{0.16, 0.32, 0.52}, {0.36, 0.58, 0.70}, {0.70, 0.82, 0.80}, {0.96, 0.94, 0.86}}};
  const double at = std::clamp(share, 0.0, 1.0) * 3;
  const auto i = static_cast<std::size_t>(std::min(at, 2.999));
  const double t = at - static_cast<double>(i), dim = on_contour ? 0.82 : 1;
  Rgba colour{0, 0, 0, 235};
  for (std::size_t c = 0; c < 3; ++c) {
    colour[c] = static_cast<std::uint8_t>(to_byte(dim * ((1 - t) * kRamp[i][c] + t * kRamp[i + 1][c])));
  }
  return colour;
}

template <class ColourOf>
std::string paint(const GridFrame& frame, bool y_down, ColourOf&& colour_of) {
  if (frame.width < 1 || frame.height < 1) return {};
  std::vector<std::uint8_t> pixels;
  pixels.reserve(frame.size() * 4);
  for (int row = 0; row < frame.height; ++row) {
    for (int x = 0; x < frame.width; ++x) {
      const Rgba colour = colour_of(Cell{x, y_down ? row : frame.height - 1 - row});
      pixels.insert(pixels.end(), colour.begin(), colour.end());
    }
  }
  const Result<std::string> png = io::encode_png(frame.width, frame.height, pixels);
  return png ? *png : std::string();
}

}  // namespace

std::string mix(const world::Material& material, const Tone& tone) {
  const auto channel = [&](double linear, double towards) {
    return to_byte((1 - tone.share) * to_screen(linear) + tone.share * towards);
  };
  const std::array<int, 3> rgb{channel(material.red, tone.red), channel(material.green, tone.green),
                               channel(material.blue, tone.blue)};
  constexpr const char* kHex = "0123456789abcdef";
  std::string text = "#";
  for (const int byte : rgb) {
    text += kHex[byte / 16];
    text += kHex[byte % 16];
  }
  return text;
}

std::string shade_free(const Grid<std::uint8_t>& free, bool y_down) {
  return paint(free.frame(), y_down, [&](Cell c) {
    return free[c] != 0 ? Rgba{247, 245, 240, 255} : Rgba{62, 66, 73, 255};
  });
}

std::string shade_values(const Grid<float>& values, double contour) {
  const GridFrame& frame = values.frame();
  double highest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) highest = std::max(highest, static_cast<double>(values[i]));
  }
  const auto band = [&](Cell c) {
    return frame.contains(c) && std::isfinite(values[c]) && contour > 0 ? std::floor(values[c] / contour) : -1.0;
  };
  return paint(frame, false, [&](Cell c) {
    if (!std::isfinite(values[c])) return Rgba{0, 0, 0, 0};
    const double here = band(c), right = band({c.x + 1, c.y}), above = band({c.x, c.y + 1});
    const bool on_contour = (right >= 0 && right != here) || (above >= 0 && above != here);
    return value_colour(highest > 0 ? static_cast<double>(values[c]) / highest : 0.0, on_contour);
  });
}

}  // namespace forerun::draw
