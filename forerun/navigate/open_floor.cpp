#include "forerun/navigate/open_floor.hpp"

#include <algorithm>
#include <utility>

// How it works. All floor beside a patch was connected through it. From each stretch of that floor a flood goes out, in
// turns, until the floods have met, or one has come to its end: first in a window around the patch, then everywhere. So
// a box beside which there is room costs its outline, and a door that cuts a room off costs as much as the room is
// large. Diagonal steps need both cells beside them: what is connected at all is connected by straight steps.

namespace forerun::navigate {

OpenFloor::OpenFloor(const PlanningGrid& grid)
    : stride_(static_cast<Node>(grid.frame().width + 2)),
      labels_(grid.n_nodes(), kClosed),
      covered_(grid.n_nodes() / 8 + 1024),
      gathered_(covered_.capacity()),
      closed_(2 * covered_.capacity()),
      runs_(covered_.capacity()) {
  for (Node node = 0; node < labels_.size(); ++node) labels_[node] = grid.is_free(node) ? kOpen : kClosed;
  sides_.reserve(kMostSides);
}

void OpenFloor::clear() noexcept {
  label_all(closed(), kOpen);
  label_all({covered_.begin(), covered_.size()}, kOpen);
  closed_.shrink(0);
  covered_.shrink(0);
}

bool OpenFloor::cover(Node node) noexcept {
  if (labels_[node] != kOpen) return true;
  if (!covered_.push_back(node)) return false;
  labels_[node] = kCovered;
  return true;
}

void OpenFloor::close(const Judgement& judgement) noexcept {
  gather_patches();
  n_runs_left_ = 4 * runs_.capacity();
  std::size_t begin = 0;
  for (const std::size_t end : patch_ends_) {
    // some of it may have been closed behind another patch
    const auto last = std::remove_if(covered_.begin() + begin, covered_.begin() + end,
                                     [&](Node node) { return labels_[node] != kOpen; });
    if (const Patch patch{covered_.begin() + begin, last}; !patch.empty()) judge(patch, judgement);
    begin = end;
  }
  covered_.shrink(0);
}

// Sorts the covered cells, and opens them until they are judged. Of too many patches the later ones stay open.
void OpenFloor::gather_patches() noexcept {
  window_ = whole();
  gathered_.shrink(0);
  patch_ends_.clear();
  for (const Node node : covered_) {
    if (labels_[node] != kCovered) continue;
    if (!gather_patch(node) || !patch_ends_.push_back(gathered_.size())) break;
  }
  label_all({covered_.begin(), covered_.size()}, kOpen);
  std::swap(covered_, gathered_);
}

bool OpenFloor::gather_patch(Node start) noexcept {
  runs_.shrink(0);
  const auto look = [&](Node node) { return labels_[node] != kCovered || runs_.push_back(relabel(node, kOpen)); };
  bool fits = look(start);
  for (std::size_t i = 0; fits && i < runs_.size(); ++i) {
    const Run run = runs_[i];
    for (Node node = run.first; node <= run.last; ++node) fits = fits && gathered_.push_back(node);
    fits = fits && visit_beside(run, look);
  }
  return fits;
}

OpenFloor::Window OpenFloor::whole() const noexcept {
  return {0, stride_ - 1, 0, static_cast<Node>(labels_.size() - 1)};
}

OpenFloor::Window OpenFloor::around(Patch patch, int margin) const noexcept {
  const auto rows = static_cast<Node>(labels_.size() / stride_), more = static_cast<Node>(margin);
  Node left = stride_, right = 0, low = rows, high = 0;
  for (const Node node : patch) {
    left = std::min(left, node % stride_);
    right = std::max(right, node % stride_);
    low = std::min(low, node / stride_);
    high = std::max(high, node / stride_);
  }
  return {left - std::min(left, more), std::min(right + more, stride_ - 1), (low - std::min(low, more)) * stride_,
          (std::min(high + more, rows - 1) + 1) * stride_ - 1};
}

void OpenFloor::judge(Patch patch, const Judgement& judgement) noexcept {
  label_all(patch, kClosed);
  window_ = around(patch, judgement.near);
  bool stays_open = stays_in_one(patch, judgement.place);
  forget_sides();
  if (!stays_open) {
    window_ = whole();
    stays_open = !stays_in_one(patch, judgement.place);
    if (!stays_open) close_useless(judgement.place);
    forget_sides();
  }
  if (stays_open) {
    label_all(patch, kOpen);
    return;
  }
  for (const Node node : patch) (void)closed_.push_back(node);
}

void OpenFloor::label_all(Patch patch, Label label) noexcept {
  for (const Node node : patch) labels_[node] = label;
}

// Gives another label to the whole run of cells that a node belongs to, as far as the window goes.
OpenFloor::Run OpenFloor::relabel(Node node, Label to) noexcept {
  const Label from = labels_[node];
  const Node column = node % stride_;
  const Node first = node - (column - window_.left), last = node + (window_.right - column);
  Run run{node, node};
  while (run.first > first && labels_[run.first - 1] == from) --run.first;
  while (run.last < last && labels_[run.last + 1] == from) ++run.last;
  for (Node i = run.first; i <= run.last; ++i) labels_[i] = to;
  return run;
}

// Calls visit(node) for all above and below, while it returns true.
template <class Visit>
bool OpenFloor::visit_beside(const Run& run, Visit&& visit) const noexcept {
  for (const Node row : {run.first - stride_, run.first + stride_}) {
    for (Node i = row; i <= row + (run.last - run.first); ++i) {
      if (!visit(i)) return false;
    }
  }
  return true;
}

// False when there is no room for them.
bool OpenFloor::find_sides(Patch patch) noexcept {
  sides_.clear();
  runs_.shrink(0);
  n_growing_ = n_whole_places_ = 0;
  for (const Node node : patch) {
    for (const Node beside : {node - 1, node + 1, node - stride_, node + stride_}) {
      if (labels_[beside] != kOpen) continue;
      if (sides_.size() == kMostSides) return false;
      const auto side = static_cast<std::uint32_t>(sides_.size());
      sides_.push_back({.parent = side});
      ++n_growing_;
      if (!add_run(beside, side)) return false;
    }
  }
  return true;
}

bool OpenFloor::add_run(Node node, std::uint32_t side) noexcept {
  const auto number = static_cast<std::uint32_t>(runs_.size());
  if (!runs_.push_back({node, node})) return false;
  const Run run = relabel(node, static_cast<Label>(kFirstSide + side));
  runs_[number] = run;
  Side& its = sides_[side];
  if (its.head == kNone) {
    its.head = number;
  } else {
    runs_[its.tail].next = number;
  }
  its.tail = number;
  its.n_cells += run.last - run.first + 1;
  its.leaves = its.leaves || labels_[run.first - 1] == kOpen || labels_[run.last + 1] == kOpen;
  return true;
}

std::uint32_t OpenFloor::root_of(std::uint32_t side) const noexcept {
  while (sides_[side].parent != side) side = sides_[side].parent;
  return side;
}

// Both are roots, and neither is whole.
std::uint32_t OpenFloor::join(std::uint32_t a, std::uint32_t b) noexcept {
  Side &kept = sides_[std::min(a, b)], &other = sides_[std::max(a, b)];
  if (kept.head == kNone) {
    kept.head = other.head;
    kept.tail = other.tail;
  } else if (other.head != kNone) {
    runs_[kept.tail].next = other.head;
    kept.tail = other.tail;
  }
  kept.n_cells += other.n_cells;
  kept.leaves = kept.leaves || other.leaves;
  other.parent = std::min(a, b);
  --n_growing_;
  return other.parent;
}

// A few runs farther; false when that is too much.
bool OpenFloor::grow(std::uint32_t side) noexcept {
  constexpr int kTurn = 8;
  const auto look = [&](Node node) {
    const Label label = labels_[node];
    if (label == kOpen) {
      if (node >= window_.first && node <= window_.last) return add_run(node, side);
      sides_[side].leaves = true;
    } else if (label >= kFirstSide) {
      const std::uint32_t other = root_of(label - kFirstSide);
      if (other != side) side = join(side, other);
    }
    return true;
  };
  for (int i = 0; i < kTurn; ++i) {
    if (sides_[side].head == kNone) {
      sides_[side].is_whole = true;
      --n_growing_;
      return true;
    }
    if (n_runs_left_ == 0) return false;
    --n_runs_left_;
    const Run run = runs_[sides_[side].head];
    sides_[side].head = run.next;
    if (!visit_beside(run, look)) return false;
  }
  return true;
}

// Whether no more than one of the sides of a closed patch is of use by itself. Of those that are not, the last one to
// grow is where the others lead. False when it is too much to find out.
bool OpenFloor::stays_in_one(Patch patch, std::size_t place) noexcept {
  if (!find_sides(patch)) return false;
  while (!is_one_left()) {
    for (std::uint32_t i = 0; i < sides_.size() && !is_one_left(); ++i) {
      if (sides_[i].parent == i && !sides_[i].is_whole && !grow(i)) return false;
    }
    std::size_t n_places = 0;
    n_whole_places_ = 0;
    for (std::uint32_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i].parent != i || (sides_[i].n_cells < place && !sides_[i].leaves)) continue;
      ++n_places;
      n_whole_places_ += sides_[i].is_whole ? 1 : 0;
    }
    if (n_whole_places_ > 0 && n_places > 1) return false;
  }
  return true;
}

void OpenFloor::forget_sides() noexcept {
  for (const Run& run : runs_) {
    for (Node i = run.first; i <= run.last; ++i) labels_[i] = labels_[i] >= kFirstSide ? kOpen : labels_[i];
  }
  runs_.shrink(0);
}

// Where there is no room for that, it stays open.
void OpenFloor::close_useless(std::size_t place) noexcept {
  for (const Run& run : runs_) {
    const Side& side = sides_[root_of(labels_[run.first] - kFirstSide)];
    if (!side.is_whole || side.n_cells >= place) continue;
    for (Node i = run.first; i <= run.last; ++i) {
      if (closed_.size() + covered_.size() < closed_.capacity() && closed_.push_back(i)) labels_[i] = kClosed;
    }
  }
}

}  // namespace forerun::navigate
