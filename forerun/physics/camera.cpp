#include "forerun/physics/camera.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace forerun::physics {
namespace {

constexpr double kNear = 0.02;                     // nothing nearer is drawn [m]
constexpr Vec3 kSun{0.36, 0.24, 0.9};              // where most light comes from
constexpr double kAmbient = 0.45, kDirect = 0.55;  // shares of light
constexpr double kTile = 0.25;                     // of the pattern [m]
constexpr double kPattern = 0.10;                  // how much darker every other tile is
constexpr std::array<float, 3> kSky{0.55f, 0.68f, 0.85f};

struct Corner {
  double x = 0, y = 0;  // in the picture, from its upper left corner [pixels]
};

// Up to four corners are left of a triangle that is cut at the near plane.
struct Cut {
  std::array<Vec3, 4> corners;
  std::size_t n = 0;
};

// In the camera's frame, where x is the depth.
Cut cut_near(const std::array<Vec3, 3>& triangle) noexcept {
  Cut cut;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 p = triangle[i], q = triangle[(i + 1) % 3];
    if (p.x >= kNear) cut.corners[cut.n++] = p;
    if ((p.x >= kNear) != (q.x >= kNear)) cut.corners[cut.n++] = p + (q - p) * ((kNear - p.x) / (q.x - p.x));
  }
  return cut;
}

// A pattern of tiles on the two axes along which the surface lies.
double pattern(Vec3 p, Vec3 normal) noexcept {
  const double nx = std::fabs(normal.x), ny = std::fabs(normal.y), nz = std::fabs(normal.z);
  const double u = nx > ny && nx > nz ? p.y : p.x;
  const double v = nz >= nx && nz >= ny ? p.y : p.z;
  const auto tile = [](double t) { return static_cast<std::int64_t>(std::floor(t / kTile + 1e-6)); };
  return ((tile(u) + tile(v)) & 1) != 0 ? 1 - kPattern : 1;
}

struct Span {
  double from = kInfinity, to = -kInfinity;
  void add(double value) noexcept {
    from = std::min(from, value);
    to = std::max(to, value);
  }
};

// Of a triangle in the picture: convex.
struct Outline {
  std::array<Corner, 4> corners;
  std::size_t n = 0;

  [[nodiscard]] Span rows() const noexcept {
    Span span;
    for (std::size_t i = 0; i < n; ++i) span.add(corners[i].y);
    return span;
  }
  // Where a level line enters and leaves it.
  [[nodiscard]] Span at(double y) const noexcept {
    Span span;
    for (std::size_t i = 0; i < n; ++i) {
      const Corner p = corners[i], q = corners[(i + 1) % n];
      if ((p.y <= y) != (q.y <= y)) span.add(p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)));
    }
    return span;
  }
};

std::uint8_t to_byte(float linear) noexcept {
  // near enough to sRGB
  return static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(linear, 0.0f, 1.0f))));
}

}  // namespace

// A triangle's plane, and how it looks in the light.
struct CameraView::Surface {
  Vec3 normal;
  double height = 0;  // of the plane above the camera, along the normal [m]
  std::array<float, 3> colour{};
  bool patterned = false;
};

// Nothing of a triangle that is a line, or seen from its edge.
std::optional<CameraView::Surface> CameraView::make_surface(const ColouredTriangle& t, Vec3 camera, bool patterned) {
  const Vec3 across = cross(t.b - t.a, t.c - t.a);
  const double size = length(across);
  if (size < 1e-12) return std::nullopt;
  const Vec3 normal = across * (1 / size);
  const double height = dot(normal, t.a - camera);
  if (std::fabs(height) < 1e-9) return std::nullopt;
  const double facing = height > 0 ? -dot(normal, kSun) : dot(normal, kSun);
  const auto lit = static_cast<float>(kAmbient + kDirect * std::max(0.0, facing));
  return Surface{normal, height, {t.red * lit, t.green * lit, t.blue * lit}, patterned};
}

struct CameraView::Frame {
  explicit Frame(const Camera& c)
      : camera(c), scale(0.5 * c.height / std::tan(0.5 * c.field_of_view)), middle{0.5 * c.width, 0.5 * c.height} {}

  [[nodiscard]] Vec3 seen(Vec3 p) const noexcept {
    const Vec3 d = p - camera.place;
    return {dot(d, camera.axes.x), dot(d, camera.axes.y), dot(d, camera.axes.z)};
  }
  [[nodiscard]] Corner project(Vec3 p) const noexcept {
    return {middle.x - scale * p.y / p.x, middle.y - scale * p.z / p.x};
  }
  // Through the middle of a pixel, one long in depth.
  [[nodiscard]] Vec3 direction(int column, int row) const noexcept {
    const double y = (middle.x - (column + 0.5)) / scale, z = (middle.y - (row + 0.5)) / scale;
    return camera.axes.x + camera.axes.y * y + camera.axes.z * z;
  }

  const Camera& camera;
  double scale;  // pixels of what is one wide at depth one
  Vec2 middle;
};

CameraView::CameraView(const world::World& world) {
  triangles_.reserve(world.triangles.size());
  for (const world::Triangle& t : world.triangles) {
    const world::Material& m = world.materials[static_cast<std::size_t>(t.material)];
    triangles_.push_back(
        {t.a, t.b, t.c, static_cast<float>(m.red), static_cast<float>(m.green), static_cast<float>(m.blue)});
  }
}

void CameraView::clear(const Camera& camera) {
  width_ = camera.width;
  height_ = camera.height;
  const std::size_t n = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  nearness_.assign(n, 0);
  light_.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i)
    std::copy(kSky.begin(), kSky.end(), light_.begin() + static_cast<std::ptrdiff_t>(3 * i));
}

void CameraView::fill(const ColouredTriangle& triangle, const Frame& frame, bool patterned) {
  const Cut cut = cut_near({frame.seen(triangle.a), frame.seen(triangle.b), frame.seen(triangle.c)});
  const std::optional<Surface> surface = make_surface(triangle, frame.camera.place, patterned);
  if (cut.n < 3 || !surface) return;
  Outline outline{{}, cut.n};
  for (std::size_t i = 0; i < cut.n; ++i) outline.corners[i] = frame.project(cut.corners[i]);
  const auto [top, bottom] = outline.rows();
  const int last_row = static_cast<int>(std::min(height_ - 1.0, std::ceil(bottom - 0.5) - 1));
  for (int row = static_cast<int>(std::max(0.0, std::ceil(top - 0.5))); row <= last_row; ++row) {
    const Span span = outline.at(row + 0.5);
    const int first = static_cast<int>(std::max(0.0, std::ceil(span.from - 0.5)));
    const int last = static_cast<int>(std::min(width_ - 1.0, std::ceil(span.to - 0.5) - 1));
    fill_row(*surface, frame, row, first, last);
  }
}

void CameraView::fill_row(const Surface& surface, const Frame& frame, int row, int first, int last) {
  const std::size_t begin = static_cast<std::size_t>(row) * static_cast<std::size_t>(width_);
  for (int column = first; column <= last; ++column) {
    const Vec3 direction = frame.direction(column, row);
    const double nearness = dot(surface.normal, direction) / surface.height;
    const std::size_t pixel = begin + static_cast<std::size_t>(column);
    if (!(nearness > nearness_[pixel])) continue;
    nearness_[pixel] = static_cast<float>(nearness);
    const Vec3 there = frame.camera.place + direction * (1 / nearness);
    const auto shade = static_cast<float>(surface.patterned ? pattern(there, surface.normal) : 1.0);
    for (std::size_t i = 0; i < 3; ++i) light_[3 * pixel + i] = surface.colour[i] * shade;
  }
}

void CameraView::finish(Picture& picture) const {
  picture.width = width_;
  picture.height = height_;
  picture.rgb.resize(light_.size());
  std::transform(light_.begin(), light_.end(), picture.rgb.begin(), to_byte);
}

void CameraView::draw(const Camera& camera, std::span<const ColouredTriangle> others, Picture& picture) {
  clear(camera);
  const Frame frame(camera);
  for (const ColouredTriangle& triangle : triangles_) fill(triangle, frame, true);
  for (const ColouredTriangle& triangle : others) fill(triangle, frame, false);
  finish(picture);
}

}  // namespace forerun::physics
