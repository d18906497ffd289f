// Text for pages and pictures: numbers, and foreign words that must not become markup.
#pragma once

#include <string>
#include <string_view>

#include "forerun/geom/vec.hpp"

namespace forerun::draw {

// The text as content or attribute of an element: nothing in it is a tag, and control characters are gone.
[[nodiscard]] std::string escape(std::string_view text);
// With this many decimals.
[[nodiscard]] std::string fixed(double value, int decimals);
// With at most three decimals and no zeros at the end: for coordinates.
[[nodiscard]] std::string brief(double value);
// "x y", for the path of a picture.
[[nodiscard]] std::string brief(Vec2 place);

}  // namespace forerun::draw
