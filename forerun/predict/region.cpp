#include "forerun/predict/region.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "forerun/geom/box.hpp"

namespace forerun::predict {
namespace {

// Bits first … last − 1, counted from 0.
std::uint64_t bits_between(double first, double last) noexcept {
  const double end = FloorMask::kSize;
  const auto from = static_cast<unsigned>(clamp(first, 0.0, end)), to = static_cast<unsigned>(clamp(last, 0.0, end));
  const auto below = [](unsigned n) { return n >= FloorMask::kSize ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; };
  return from < to ? below(to) & ~below(from) : 0;
}

// Of the points of an ellipse in a row: which cells have their centres among them.
std::uint64_t cells_of(const EllipseForm& form, const FloorMask& mask, double y) noexcept {
  const auto [low, high] = form.at_height(y);
  if (!(low <= high)) return 0;
  const auto cell = [&](double x) { return std::ceil((x - mask.low.x) / mask.cell_size - 0.5); };
  return bits_between(cell(low), cell(high));
}

}  // namespace

EllipseForm::EllipseForm(const Ellipse& ellipse) noexcept : centre_(ellipse.centre) {
  const SinCos turn = sincos(ellipse.heading);
  const double along = 1 / square(ellipse.major), across = 1 / square(ellipse.minor);
  xx_ = along * square(turn.cos) + across * square(turn.sin);
  xy_ = 2 * (along - across) * turn.cos * turn.sin;
  yy_ = along * square(turn.sin) + across * square(turn.cos);
}

EllipseForm::Span EllipseForm::at_height(double y) const noexcept {
  const double dy = y - centre_.y;
  const double half = xy_ * dy / (2 * xx_);
  const double inside = square(half) - (yy_ * square(dy) - 1) / xx_;
  if (!(inside >= 0)) return {1, 0};
  return {centre_.x - half - sqrt(inside), centre_.x - half + sqrt(inside)};
}

bool Ellipse::contains(Vec2 point) const noexcept { return EllipseForm(*this)(point) <= 1; }

// The nearest point of the ellipse lies where the gradient points at the outer one; in one quadrant, by bisection over
// its Lagrange multiplier (Eberly).
double Ellipse::distance_to(Vec2 point) const noexcept {
  if (contains(point)) return 0;
  const Vec2 off = Transform2({centre.x, centre.y, heading}).to_local(point);
  const double x = off.x < 0 ? -off.x : off.x, y = off.y < 0 ? -off.y : off.y;
  const auto value = [&](double t) {
    return square(major * x / (t + square(major))) + square(minor * y / (t + square(minor))) - 1;
  };
  double low = 0, high = major * x + minor * y;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (value(middle) > 0 ? low : high) = middle;
  }
  const Vec2 nearest{square(major) * x / (high + square(major)), square(minor) * y / (high + square(minor))};
  return distance(nearest, Vec2{x, y});
}

bool FloorMask::contains(Vec2 point) const noexcept {
  const double x = (point.x - low.x) / cell_size, y = (point.y - low.y) / cell_size;
  const bool within = x >= 0 && y >= 0 && x < double{kSize} && y < double{kSize};
  return within && at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
}

FloorMask square_around(const Region& region) noexcept {
  Box2 box;
  for (const Ellipse& part : region.parts) {
    const SinCos turn = sincos(part.heading);
    const Vec2 half{sqrt(square(part.major * turn.cos) + square(part.minor * turn.sin)),
                    sqrt(square(part.major * turn.sin) + square(part.minor * turn.cos))};
    box.include(part.centre - half);
    box.include(part.centre + half);
  }
  const double edge = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
  const Vec2 middle = (box.low + box.high) * 0.5;
  return {middle - Vec2{edge / 2, edge / 2}, edge / double{FloorMask::kSize}, {}};
}

bool Region::contains(Vec2 point) const noexcept {
  if (floor && !floor->contains(point)) return false;
  return std::any_of(parts.begin(), parts.end(), [&](const Ellipse& part) { return part.contains(point); });
}

FloorMask Region::cells() const noexcept {
  FloorMask cells = floor ? *floor : square_around(*this);
  std::array<std::uint64_t, FloorMask::kSize> within{};
  for (const Ellipse& part : parts) {
    const EllipseForm form(part);
    for (std::size_t y = 0; y < within.size(); ++y) within[y] |= cells_of(form, cells, cells.centre_of(0, y).y);
  }
  for (std::size_t y = 0; y < within.size(); ++y) cells.rows[y] = floor ? cells.rows[y] & within[y] : within[y];
  return cells;
}

double Region::distance_to(Vec2 point) const noexcept {
  if (contains(point)) return 0;
  double nearest = kInfinity;
  if (!floor) {
    for (const Ellipse& part : parts) nearest = std::min(nearest, part.distance_to(point));
    return nearest;
  }
  const FloorMask within = cells();
  for (std::size_t y = 0; y < FloorMask::kSize; ++y) {
    for (std::size_t x = 0; x < FloorMask::kSize; ++x) {
      if (within.at(x, y)) nearest = std::min(nearest, distance(within.centre_of(x, y), point));
    }
  }
  return nearest;
}

double Region::radius() const noexcept {
  if (parts.empty()) return 0;
  if (parts.size() == 1 && !floor) return sqrt(parts[0].major * parts[0].minor);
  const FloorMask within = cells();
  int n = 0;
  for (const std::uint64_t row : within.rows) n += std::popcount(row);
  return within.cell_size * sqrt(n / kPi);
}

}  // namespace forerun::predict
