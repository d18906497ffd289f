// Floor on which things stand here and there: where they close a passage that has another way round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/scratch_list.hpp"

namespace forerun::navigate {

// What stands connected is one patch of covered cells. After construction nothing allocates.
class OpenFloor {
 public:
  struct Judgement {
    std::size_t place = 0;  // floor of fewer cells is of no use to a robot
    int near = 0;           // a way round within so many cells of a patch is near
  };

  // What is free in the grid is open.
  explicit OpenFloor(const PlanningGrid& grid);

  // Nothing is covered or closed any more.
  void clear() noexcept;
  // Something stands there. False when there is no room to remember it.
  bool cover(Node node) noexcept;
  // Closes each patch, in the order in which they were begun, that parts the floor near it, but not all of it: what has
  // a way round near by can be driven round, and what has none cuts a place off. Floor of no use behind a patch that is
  // closed is closed as well.
  // The work is bounded: what is too much stays open.
  void close(const Judgement& judgement) noexcept;

  [[nodiscard]] bool is_open(Node node) const noexcept { return labels_[node] == kOpen; }
  [[nodiscard]] std::size_t most_closed() const noexcept { return closed_.capacity(); }
  [[nodiscard]] std::span<const Node> closed() const noexcept { return {closed_.begin(), closed_.size()}; }

 private:
  using Label = std::uint16_t;
  static constexpr Label kClosed = 0, kOpen = 1, kCovered = 2, kFirstSide = 3;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kMostSides = 2048, kMostPatches = 512;

  // Cells beside each other in a row, as many as there are in the window.
  struct Run {
    Node first = 0, last = 0;
    std::uint32_t next = kNone;  // that waits to be looked beside
  };
  // Floor beside a patch, as far as it is known. Sides that meet become one.
  struct Side {
    std::uint32_t parent = 0;  // itself, or one that it has become part of
    std::uint32_t head = kNone, tail = kNone;
    std::size_t n_cells = 0;
    bool is_whole = false;  // all of it is known
    bool leaves = false;    // it goes on outside the window
  };
  // Part of the floor that is looked at, by node as if they were cells.
  struct Window {
    Node left = 0, right = 0;  // columns
    Node first = 0, last = 0;  // nodes
  };
  using Patch = std::span<const Node>;

  void gather_patches() noexcept;
  [[nodiscard]] bool gather_patch(Node start) noexcept;
  [[nodiscard]] Window whole() const noexcept;
  [[nodiscard]] Window around(Patch patch, int margin) const noexcept;
  void judge(Patch patch, const Judgement& judgement) noexcept;
  void label_all(Patch patch, Label label) noexcept;
  [[nodiscard]] Run relabel(Node node, Label to) noexcept;
  template <class Visit>
  bool visit_beside(const Run& run, Visit&& visit) const noexcept;
  [[nodiscard]] bool find_sides(Patch patch) noexcept;
  [[nodiscard]] bool add_run(Node node, std::uint32_t side) noexcept;
  [[nodiscard]] std::uint32_t root_of(std::uint32_t side) const noexcept;
  std::uint32_t join(std::uint32_t a, std::uint32_t b) noexcept;
  [[nodiscard]] bool grow(std::uint32_t side) noexcept;
  [[nodiscard]] bool stays_in_one(Patch patch, std::size_t place) noexcept;
  [[nodiscard]] bool is_one_left() const noexcept { return n_growing_ <= (n_whole_places_ > 0 ? 0U : 1U); }
  void forget_sides() noexcept;
  void close_useless(std::size_t place) noexcept;

  Node stride_;
  std::vector<Label> labels_;   // by node
  ScratchList<Node> covered_;   // patch by patch, when they have been gathered
  ScratchList<Node> gathered_;  // the same, while that is done
  FixedVector<std::size_t, kMostPatches> patch_ends_;
  ScratchList<Node> closed_;
  std::vector<Side> sides_;
  ScratchList<Run> runs_;  // of all sides
  Window window_;
  std::size_t n_runs_left_ = 0;     // to be looked beside, before it is too much
  std::size_t n_growing_ = 0;       // sides that are neither whole nor part of others
  std::size_t n_whole_places_ = 0;  // sides that are whole, and of use
};

}  // namespace forerun::navigate
