#include "forerun/mapping/likelihood_grid.hpp"

#include <algorithm>

#include "forerun/geom/box.hpp"

namespace forerun::mapping {
namespace {

constexpr int kBlur = 4;             // cells to each side that a surface reaches
constexpr double kBlurSigma = 0.07;  // how blurred surfaces are: errors of laser and pose within a reference [m]

using Kernel = std::array<std::array<std::uint8_t, 2 * kBlur + 1>, 2 * kBlur + 1>;

Kernel make_kernel() {
  Kernel kernel{};
  for (int y = -kBlur; y <= kBlur; ++y) {
    for (int x = -kBlur; x <= kBlur; ++x) {
      const double d2 = (x * x + y * y) * square(LikelihoodGrid::kCell);
      kernel[static_cast<std::size_t>(y + kBlur)][static_cast<std::size_t>(x + kBlur)] =
          static_cast<std::uint8_t>(255 * exp(-d2 / (2 * square(kBlurSigma))));
    }
  }
  return kernel;
}

}  // namespace

LikelihoodGrid::LikelihoodGrid(std::span<const SurfacePoint> points, double reach) {
  const auto near = [&](const SurfacePoint& p) { return dot(p.at, p.at) < square(reach); };
  Box2 area;
  for (const SurfacePoint& point : points) {
    if (near(point)) area.include(point.at);
  }
  if (area.empty()) area.include({0, 0});
  // below and to the left there is room for the largest square
  const double margin = ((1 << (kLevels - 1)) + kBlur + 1) * kCell;
  frame_.cell_size = kCell;
  frame_.origin = area.low - Vec2{margin, margin};
  frame_.width = static_cast<int>((area.size().x + margin) / kCell) + kBlur + 2;
  frame_.height = static_cast<int>((area.size().y + margin) / kCell) + kBlur + 2;
  for (auto& level : levels_) level.assign(frame_.size(), 0);
  for (const SurfacePoint& point : points) {
    if (near(point)) stamp(frame_.cell_of(point.at));
  }
  for (int level = 1; level < kLevels; ++level) gather(level);
}

void LikelihoodGrid::stamp(Cell middle) {
  static const Kernel kKernel = make_kernel();
  if (levels_[0][frame_.index(middle)] == 255) return;
  for (int y = -kBlur; y <= kBlur; ++y) {
    std::uint8_t* row = &levels_[0][frame_.index({middle.x - kBlur, middle.y + y})];
    const auto& values = kKernel[static_cast<std::size_t>(y + kBlur)];
    for (std::size_t x = 0; x < values.size(); ++x) row[x] = std::max(row[x], values[x]);
  }
}

// Each level from the one below: the largest of four squares of half the size.
void LikelihoodGrid::gather(int level) {
  const auto& fine = levels_[static_cast<std::size_t>(level - 1)];
  auto& coarse = levels_[static_cast<std::size_t>(level)];
  const auto half = static_cast<std::size_t>(1) << (level - 1);
  const auto width = static_cast<std::size_t>(frame_.width), height = static_cast<std::size_t>(frame_.height);
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t* low = &fine[y * width];
    const std::uint8_t* high = y + half < height ? &fine[(y + half) * width] : low;
    std::uint8_t* out = &coarse[y * width];
    for (std::size_t x = 0; x + half < width; ++x)
      out[x] = std::max(std::max(low[x], low[x + half]), std::max(high[x], high[x + half]));
    for (std::size_t x = width - std::min(half, width); x < width; ++x) out[x] = std::max(low[x], high[x]);
  }
}

}  // namespace forerun::mapping
