#include "forerun/learn/ellipse.hpp"

#include <cmath>

#include "forerun/geom/matrix.hpp"

namespace forerun::learn {

double Ellipse::area() const { return kPi / 4 * major * minor; }

std::optional<Ellipse> fit_ellipse(std::span<const Vec2> points) {
  if (points.size() < 5) return std::nullopt;
  Vec2 mean;
  for (const Vec2 p : points) mean = mean + p * (1.0 / static_cast<double>(points.size()));
  // a x² + b x y + c y² + d x + e y = 1, about the middle of the points
  Matrix<5, 5> normal;
  Vector<5> right;
  for (const Vec2 p : points) {
    const Vec2 at = p - mean;
    const Vector<5> terms{{{{at.x * at.x}, {at.x * at.y}, {at.y * at.y}, {at.x}, {at.y}}}};
    normal += terms * transposed(terms);
    right += terms;
  }
  const auto conic = solve_symmetric(normal, right);
  if (!conic) return std::nullopt;
  const double a = (*conic)[0], b = (*conic)[1], c = (*conic)[2], d = (*conic)[3], e = (*conic)[4];
  const double determinant = 4 * a * c - b * b;
  if (!(determinant > 0)) return std::nullopt;
  const Vec2 centre{(b * e - 2 * c * d) / determinant, (b * d - 2 * a * e) / determinant};
  // about the centre: (a x² + b x y + c y²) / level = 1
  const double level = 1 - (d * centre.x + e * centre.y) / 2;
  const double half_sum = (a + c) / 2, half_gap = std::sqrt(square((a - c) / 2) + b * b / 4);
  const double steep = (half_sum + half_gap) / level, flat = (half_sum - half_gap) / level;
  if (!(flat > 0)) return std::nullopt;
  return Ellipse{mean + centre, 2 / std::sqrt(flat), 2 / std::sqrt(steep)};
}

}  // namespace forerun::learn
