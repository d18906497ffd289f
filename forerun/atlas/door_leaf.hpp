// A door's leaf in its doorway, described as one would say it: hinged in the east, swinging north.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/atlas/walls.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// East is along x, north along y.
inline const std::vector<std::string> kCompass{"east", "north", "west", "south"};

struct Leaf {
  std::string name;
  std::size_t hinge = 0;   // side of the doorway, as a place in kCompass
  std::size_t swings = 1;  // side of the wall to which it opens, as a place in kCompass
  double opens_deg = 90;
  double height = 2.1;  // [m]
  bool open = true;     // at the beginning
  std::int32_t material = 0;
};

// The hinge stands at the corner of wall and doorway on the side to which the leaf opens, so that an open leaf leaves
// the doorway's whole width. Nothing when the directions do not fit the wall.
[[nodiscard]] std::optional<world::Door> hang_leaf(const Cut& cut, const Leaf& leaf);

}  // namespace forerun::atlas
