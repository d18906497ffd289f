// Surface points sorted into squares, to find the nearest one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/mapping/surface.hpp"

namespace forerun::mapping {

class SurfaceIndex {
 public:
  // `reach` is how far nearest() looks [m].
  SurfaceIndex(std::span<const SurfacePoint> points, double reach);

  // The nearest point of the same kind within reach: of a surface that faces the same way, to 60 degrees, or of what is
  // on no line; null where there is none.
  [[nodiscard]] const SurfacePoint* nearest(const SurfacePoint& to) const;

 private:
  std::vector<SurfacePoint> points_;   // square after square
  std::vector<std::uint32_t> starts_;  // of each square in `points_`, and the end of the last one
  GridFrame frame_;
};

}  // namespace forerun::mapping
