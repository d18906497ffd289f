#include "forerun/navigate/roomy_blocks.hpp"

#include <algorithm>

#include "forerun/base/four.hpp"

namespace forerun::navigate {
namespace {

constexpr int kBlock = 4;        // cells along an edge
constexpr float kSlack = 1e-4F;  // clearances nearer to each other than this are not told apart [m]

Four clamp_four(Four x, float low, float high) noexcept {
  const Four lows = all_four(low), highs = all_four(high);
  x = x > lows ? x : lows;
  return x < highs ? x : highs;
}

}  // namespace

// One block more than needed each way, so that what is rounded across the edge of the map still has one.
RoomyBlocks::RoomyBlocks(const Grid<float>& clearance)
    : frame_(clearance.frame()),
      width_(frame_.width / kBlock + 2),
      height_(frame_.height / kBlock + 2),
      roomiest_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), -1.0F) {
  const auto with_beside = [](int cell, int step) { return std::max(cell + step, 0) / kBlock; };
  for (int y = 0; y < frame_.height; ++y) {
    for (int x = 0; x < frame_.width; ++x) {
      // a cell counts in its block and, at its rim, in those beside it
      for (int by = with_beside(y, -1); by <= with_beside(y, 1); ++by) {
        for (int bx = with_beside(x, -1); bx <= with_beside(x, 1); ++bx) {
          float& roomiest = roomiest_[static_cast<std::size_t>(by * width_ + bx)];
          roomiest = std::max(roomiest, clearance[Cell{x, y}]);
        }
      }
    }
  }
}

RoomyBlocks::Look RoomyBlocks::look_from(const Transform2& world_from_laser) const noexcept {
  const double per_meter = 1 / (frame_.cell_size * kBlock);
  const Vec2 at = (world_from_laser.translation - frame_.origin) * per_meter;
  return {static_cast<float>(at.x), static_cast<float>(at.y),
          static_cast<float>(world_from_laser.rotation.cos * per_meter),
          static_cast<float>(world_from_laser.rotation.sin * per_meter)};
}

std::uint32_t RoomyBlocks::roomy(const Look& look, const float* directions_x, const float* directions_y,
                                 const float* ranges, const Doubt& doubt) const noexcept {
  if (roomiest_.empty()) return 0xf;
  const Four range = load_four(ranges);
  const FourBools counts = (range > all_four(0)) & (range < all_four(doubt.farthest));
  const Four r = counts ? range : all_four(0);
  const Four ahead = r * load_four(directions_x), aside = r * load_four(directions_y);
  // outside the map nothing is known
  const Four x = clamp_four(look.x + (ahead * look.cos - aside * look.sin), -2, static_cast<float>(width_) + 2);
  const Four y = clamp_four(look.y + (ahead * look.sin + aside * look.cos), -2, static_cast<float>(height_) + 2);
  const Four allowed = doubt.least + doubt.share * r - kSlack;
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto bx = static_cast<std::int32_t>(x[i]), by = static_cast<std::int32_t>(y[i]);
    const bool inside = counts[i] != 0 && bx >= 0 && bx < width_ && by >= 0 && by < height_;
    if (inside && roomiest_[static_cast<std::size_t>(by * width_ + bx)] > allowed[i]) bits |= 1U << i;
  }
  return bits;
}

}  // namespace forerun::navigate
