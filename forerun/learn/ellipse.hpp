// The ellipse nearest to points of a closed way.
#pragma once

#include <optional>
#include <span>

#include "forerun/geom/vec.hpp"

namespace forerun::learn {

struct Ellipse {
  Vec2 centre;
  double major = 0;  // whole axes [m]
  double minor = 0;

  [[nodiscard]] double area() const;  // [m²]
};

// Least squares over the equation of a conic. None where the points lie on no ellipse, such as on a line.
[[nodiscard]] std::optional<Ellipse> fit_ellipse(std::span<const Vec2> points);

}  // namespace forerun::learn
