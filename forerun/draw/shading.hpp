// Colours of the plan view: tones of materials, and grids as small pictures.
#pragma once

#include <cstdint>
#include <string>

#include "forerun/geom/grid.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

// A colour to which materials are drawn, so that the whole picture stays calm.
struct Tone {
  double red = 1, green = 1, blue = 1;  // as on the screen, 0 … 1
  double share = 0.5;                   // of this colour in the mixture
};

inline constexpr Tone kFloorTone{0.985, 0.98, 0.965, 0.86};
inline constexpr Tone kFurnitureTone{0.96, 0.94, 0.90, 0.45};
inline constexpr Tone kOutlineTone{0.30, 0.28, 0.26, 0.55};
inline constexpr Tone kCutTone{0.17, 0.19, 0.22, 0.72};

// "#rrggbb".
[[nodiscard]] std::string mix(const world::Material& material, const Tone& tone);

// PNG, row 0 on top. Empty when the grid is.
[[nodiscard]] std::string shade_free(const Grid<std::uint8_t>& free, bool y_down);
[[nodiscard]] std::string shade_values(const Grid<float>& values, double contour);

}  // namespace forerun::draw
