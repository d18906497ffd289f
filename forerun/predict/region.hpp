// Where the robot is with a stated probability (BEY-2): in one of several ellipses, on floor that it can have reached.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/math.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::predict {

struct Ellipse {
  Vec2 centre;
  double major = 0;  // semi-axes [m]
  double minor = 0;
  double heading = 0;  // of the major axis [rad]

  [[nodiscard]] bool contains(Vec2 point) const noexcept;
  // How far outside a point is [m]; 0 inside.
  [[nodiscard]] double distance_to(Vec2 point) const noexcept;
};

// An ellipse as a function of the plane: less than 1 inside, 1 on the rim, and with the square of the distance from the
// centre.
class EllipseForm {
 public:
  explicit EllipseForm(const Ellipse& ellipse) noexcept;
  [[nodiscard]] double operator()(Vec2 point) const noexcept {
    const Vec2 off = point - centre_;
    return xx_ * off.x * off.x + xy_ * off.x * off.y + yy_ * off.y * off.y;
  }
  // From where to where along x the points with this y are inside; the first larger: none is.
  struct Span {
    double low = 0, high = 0;
  };
  [[nodiscard]] Span at_height(double y) const noexcept;

 private:
  Vec2 centre_;
  double xx_, xy_, yy_;
};

// Which places of a square are floor that can have been reached.
struct FloorMask {
  static constexpr std::size_t kSize = 64;  // cells each way

  Vec2 low;              // corner
  double cell_size = 0;  // [m]
  std::array<std::uint64_t, kSize> rows{};

  [[nodiscard]] bool contains(Vec2 point) const noexcept;
  [[nodiscard]] bool at(std::size_t x, std::size_t y) const noexcept { return (rows[y] >> x & 1U) != 0; }
  [[nodiscard]] Vec2 centre_of(std::size_t x, std::size_t y) const noexcept {
    return {low.x + (static_cast<double>(x) + 0.5) * cell_size, low.y + (static_cast<double>(y) + 0.5) * cell_size};
  }
};

inline constexpr std::size_t kMostParts = 4;

struct Region {
  FixedVector<Ellipse, kMostParts> parts;
  std::optional<FloorMask> floor;  // none: it lies on floor as a whole

  [[nodiscard]] bool contains(Vec2 point) const noexcept;
  // How far outside a point is [m]; 0 inside.
  [[nodiscard]] double distance_to(Vec2 point) const noexcept;
  // All of it, as cells whose centres are within.
  [[nodiscard]] FloorMask cells() const noexcept;
  // Of the disc with the same area [m].
  [[nodiscard]] double radius() const noexcept;
};

// That holds all parts, with nothing in it.
[[nodiscard]] FloorMask square_around(const Region& region) noexcept;

}  // namespace forerun::predict
