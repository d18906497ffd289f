#include "forerun/predict/outline.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace forerun::predict {
namespace {

constexpr std::size_t kCells = 32;  // each way
constexpr std::size_t kNodes = kCells + 1;
constexpr std::size_t kCorners = 32;  // of an ellipse

// An ellipse that is drawn as it is.
Outline round_ellipse(const Ellipse& ellipse, double margin) noexcept {
  Outline outline;
  const Pose2 frame{ellipse.centre.x, ellipse.centre.y, ellipse.heading};
  for (std::size_t i = 0; i < kCorners; ++i) {
    const SinCos at = sincos(kTwoPi * static_cast<double>(i) / double{kCorners});
    outline.points.push_back(frame * Vec2{(ellipse.major + margin) * at.cos, (ellipse.minor + margin) * at.sin});
  }
  outline.ends.push_back(kCorners);
  return outline;
}

// Less than 0 within, more outside, at the nodes of a grid; then the lines along which it is 0 (marching squares).
class Contour {
 public:
  Contour(const Region& region, double margin) noexcept;
  [[nodiscard]] Outline trace() noexcept;

 private:
  using Edge = std::uint16_t;
  static constexpr Edge kNone = 0xffff;
  static constexpr std::size_t kEdges = 2 * kNodes * kNodes;

  [[nodiscard]] static Edge along_x(std::size_t x, std::size_t y) noexcept { return static_cast<Edge>(y * kNodes + x); }
  [[nodiscard]] static Edge along_y(std::size_t x, std::size_t y) noexcept {
    return static_cast<Edge>(kNodes * kNodes + y * kNodes + x);
  }
  [[nodiscard]] Vec2 node(std::size_t x, std::size_t y) const noexcept {
    return {low_.x + static_cast<double>(x) * step_, low_.y + static_cast<double>(y) * step_};
  }
  [[nodiscard]] bool near_floor(const FloorMask& floor, Vec2 place) const noexcept;
  void link(std::size_t x, std::size_t y) noexcept;
  [[nodiscard]] Vec2 crossing(Edge edge) const noexcept;
  void add_ring(Edge first, std::size_t every, Outline& outline) noexcept;

  Vec2 low_;
  double step_;  // [m]
  double margin_;
  std::array<double, kNodes * kNodes> values_{};
  std::array<Edge, kEdges> next_{};  // the line goes on there
  std::size_t n_edges_ = 0;
};

Contour::Contour(const Region& region, double margin) noexcept : margin_(margin) {
  const FloorMask around = square_around(region);
  const double edge = around.cell_size * double{FloorMask::kSize} + 2 * margin;
  step_ = edge / double{kCells - 2};  // one free cell all round
  low_ = around.low - Vec2{margin + step_, margin + step_};
  values_.fill(1);
  for (Ellipse part : region.parts) {
    part.major += margin;
    part.minor += margin;
    const EllipseForm form(part);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = std::min(values_[i], form(node(i % kNodes, i / kNodes)) - 1);
    }
  }
  if (!region.floor) return;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] < 0 && !near_floor(*region.floor, node(i % kNodes, i / kNodes))) values_[i] = 1;
  }
}

bool Contour::near_floor(const FloorMask& floor, Vec2 place) const noexcept {
  if (floor.contains(place)) return true;
  for (int i = 0; i < 16; ++i) {
    const SinCos at = sincos(kTwoPi * i / 8);
    if (floor.contains(place + Vec2{at.cos, at.sin} * (i < 8 ? margin_ / 2 : margin_))) return true;
  }
  return false;
}

// Counterclockwise round the cell, a line begins where it goes out, and ends where it came in before.
void Contour::link(std::size_t x, std::size_t y) noexcept {
  const std::array<bool, 4> within{values_[y * kNodes + x] < 0, values_[y * kNodes + x + 1] < 0,
                                   values_[(y + 1) * kNodes + x + 1] < 0, values_[(y + 1) * kNodes + x] < 0};
  const std::array<Edge, 4> edges{along_x(x, y), along_y(x + 1, y), along_x(x, y + 1), along_y(x, y)};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!within[i] || within[(i + 1) % 4]) continue;
    for (std::size_t back = 1; back < 4; ++back) {
      const std::size_t k = (i + 4 - back) % 4;
      if (within[k] || !within[(k + 1) % 4]) continue;
      next_[edges[i]] = edges[k];
      ++n_edges_;
      break;
    }
  }
}

Vec2 Contour::crossing(Edge edge) const noexcept {
  const std::size_t i = edge % (kNodes * kNodes);
  const bool upward = edge >= kNodes * kNodes;
  const std::size_t k = upward ? i + kNodes : i + 1;
  const double share = values_[i] / (values_[i] - values_[k]);
  return node(i % kNodes, i / kNodes) + (upward ? Vec2{0, share * step_} : Vec2{share * step_, 0});
}

void Contour::add_ring(Edge first, std::size_t every, Outline& outline) noexcept {
  const std::size_t begin = outline.points.size();
  std::size_t n = 0;
  for (Edge at = first; next_[at] != kNone; ++n) {
    if (n % every == 0) outline.points.push_back(crossing(at));
    const Edge following = next_[at];
    next_[at] = kNone;
    at = following;
  }
  if (outline.points.size() - begin < 3 || !outline.ends.push_back(outline.points.size())) outline.points.resize(begin);
}

Outline Contour::trace() noexcept {
  next_.fill(kNone);
  for (std::size_t y = 0; y < kCells; ++y) {
    for (std::size_t x = 0; x < kCells; ++x) link(x, y);
  }
  const std::size_t room = Outline::kMostPoints - Outline::kMostRings;
  const std::size_t every = (n_edges_ + room - 1) / room;
  Outline outline;
  for (std::size_t i = 0; i < kEdges; ++i) {
    if (next_[i] != kNone) add_ring(static_cast<Edge>(i), every, outline);
  }
  return outline;
}

}  // namespace

Outline outline_of(const Region& region, double margin) noexcept {
  if (region.parts.empty()) return {};
  if (region.parts.size() == 1 && !region.floor) return round_ellipse(region.parts[0], margin);
  return Contour(region, margin).trace();
}

}  // namespace forerun::predict
