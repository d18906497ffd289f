#include "forerun/navigate/value_function.hpp"

#include <algorithm>
#include <bit>

// How it works. Value iteration needs no sweeps when cells are worked on in the order of their values: a cell's
// neighbours give it a value only upwards, by at least the cheapest step, 1. So all values below the bucket's low end
// plus 1 are final, and each cell hands its value on once. Buckets narrower than 1 are all the order that is needed.
//
// The fixed point is unique, and min and rounded addition are monotone, so every order of work reaches the same bits.

namespace forerun::navigate {
namespace {

constexpr unsigned kFromNowhere = kDirections;  // arrival of the goal, and of others that must try all moves

// The moves that may improve a neighbour of a cell that was itself reached from p, in direction `arrival`.
// A cheapest way never turns back by more than 90°, and by 90° only round a taken cell or on rough ground: otherwise
// a way from p that leaves this cell out is strictly cheaper. Turns of 45° are all kept, because two ways of the same
// length may differ in the last bit.
constexpr DirectionSet useful_moves(unsigned arrival, Surroundings surroundings) noexcept {
  const DirectionSet allowed = allowed_moves(free_neighbours(surroundings));
  if (arrival == kFromNowhere) return allowed;
  const DirectionSet ahead = only(arrival) | only(arrival + 1) | only(arrival + 7);
  // the cells beside p: a diagonal from p past one of them is shorter than the turn by 90°
  const auto shut = [&](unsigned turn) { return !contains(free_neighbours(surroundings), arrival + turn); };
  const bool rough = (surroundings & kRough) != 0;
  const bool left = rough || (!is_diagonal(arrival) && shut(3));
  const bool right = rough || (!is_diagonal(arrival) && shut(5));
  return allowed & (ahead | (left ? only(arrival + 2) : 0) | (right ? only(arrival + 6) : 0));
}

using MoveTable = std::array<std::array<DirectionSet, kSurroundings>, kDirections + 1>;

constexpr MoveTable make_move_table() noexcept {
  MoveTable table{};
  for (unsigned arrival = 0; arrival <= kFromNowhere; ++arrival) {
    for (std::size_t s = 0; s < kSurroundings; ++s) {
      table[arrival][s] = useful_moves(arrival, static_cast<Surroundings>(s));
    }
  }
  return table;
}

constexpr MoveTable kUsefulMoves = make_move_table();

// Hands the values of single nodes on to their neighbours. Kept small and apart so that it lives in registers.
// In a repair there are finite values that no wave has brought.
template <bool kRepair, bool kFactors>
class Wave {
 public:
  Wave(const PlanningGrid& grid, double* values, std::uint8_t* arrivals, BucketQueue& queue) noexcept
      : values_(values),
        arrivals_(arrivals),
        surroundings_(grid.surroundings().data()),
        factors_(grid.factors().data()),
        offsets_(grid.offsets()),
        queue_(&queue) {}

  void operator()(Node node, double low) noexcept {
    const double value = values_[node];
    if (value < low) return;  // has had its turn in a lower bucket
    ++n_expanded_;
    const double factor = kFactors ? factors_[node] : 1.0F;
    const double straight = value + factor;
    const double diagonal = value + kSqrt2 * factor;
    const unsigned arrival = arrivals_[node];
    // by far the most frequent case, without a loop
    if (surroundings_[node] == kAllFree && arrival != kFromNowhere) {
      const unsigned left = (arrival + 1) % kDirections;
      const unsigned right = (arrival + 7) % kDirections;
      if (is_diagonal(arrival)) {
        offer(node, arrival, diagonal);
        offer(node, left, straight);
        offer(node, right, straight);
      } else {
        offer(node, arrival, straight);
        offer(node, left, diagonal);
        offer(node, right, diagonal);
      }
      return;
    }
    for (unsigned moves = kUsefulMoves[arrival][surroundings_[node]]; moves != 0; moves &= moves - 1) {
      const auto direction = static_cast<unsigned>(std::countr_zero(moves));
      offer(node, direction, is_diagonal(direction) ? diagonal : straight);
    }
  }

  [[nodiscard]] std::size_t n_expanded() const noexcept { return n_expanded_; }

 private:
  void offer(Node from, unsigned direction, double value) noexcept {
    const Node node = from + offsets_[direction];
    const double old = values_[node];
    if (!(value < old)) return;
    values_[node] = value;
    arrivals_[node] = static_cast<std::uint8_t>(direction);
    // a node that waits in the right bucket already stays there
    const std::int64_t bucket = BucketQueue::bucket_of(value);
    const bool waits = !kRepair && old < kInfinity && BucketQueue::bucket_of(old) == bucket;
    if (waits) return;
    queue_->push(bucket, node);
    // its turn comes soon: what it will look at then is fetched from memory meanwhile
    __builtin_prefetch(&surroundings_[node]);
    __builtin_prefetch(&values_[node + offsets_[direction]]);
    if constexpr (kFactors) __builtin_prefetch(&factors_[node]);
  }

  double* values_;
  std::uint8_t* arrivals_;
  const Surroundings* surroundings_;
  const float* factors_;
  std::array<Node, kDirections> offsets_;
  BucketQueue* queue_;
  std::size_t n_expanded_ = 0;
};

// Calls visit(node) for every node whose moves may have changed, the cells themselves and their neighbours, while it
// returns true.
template <class Visit>
bool visit_changed(const PlanningGrid& grid, std::span<const Cell> changed, Visit&& visit) noexcept {
  for (const Cell cell : changed) {
    if (!grid.frame().contains(cell)) continue;
    if (!visit(grid.node(cell))) return false;
    for (const Node offset : grid.offsets()) {
      if (!visit(grid.node(cell) + offset)) return false;
    }
  }
  return true;
}

static_assert(static_cast<double>(kMaxFactor) * kSqrt2 < BucketQueue::kReach);

}  // namespace

ValueFunction::ValueFunction(const GridFrame& frame)
    : frame_(frame),
      values_(static_cast<std::size_t>(frame.width + 2) * static_cast<std::size_t>(frame.height + 2), kInfinity),
      arrivals_(values_.size(), kFromNowhere),
      // of two neighbours only the cheaper pushes the other, and there are four such pairs a cell; a repair pushes
      // each cell once more
      queue_(5 * values_.size()),
      // a repair that touches more than this is no cheaper than a new plan
      seeds_(values_.size() / 8 + 1024),
      raised_(values_.size() / 8 + 1024) {}

// Calls work(node, low) for all seeds and all that is pushed meanwhile, bucket by bucket, until done(low).
template <class Done, class Work>
Work ValueFunction::work_in_order(Done done, Work work) noexcept {
  std::size_t next = 0;
  for (std::int64_t bucket = 0; next < seeds_.size() || !queue_.empty(); ++bucket) {
    if (queue_.empty()) bucket = BucketQueue::bucket_of(seeds_[next].value);
    const double low = BucketQueue::low(bucket);
    if (done(low)) break;
    for (; next < seeds_.size() && seeds_[next].value < BucketQueue::low(bucket + 1); ++next) {
      queue_.push(bucket, seeds_[next].node);
    }
    queue_.drain(bucket, [&work, low](Node node) { work(node, low); });
  }
  return work;
}

// Lets the values spread from the seeds until that of one node is certain.
template <bool kRepair>
void ValueFunction::lower(const PlanningGrid& grid, Node until) noexcept {
  const auto done = [value = &values_[until]](double low) { return *value < low + 1; };
  const auto spread = [&](auto wave) { n_expanded_ += work_in_order(done, wave).n_expanded(); };
  if (grid.has_factors()) {
    spread(Wave<kRepair, true>(grid, values_.data(), arrivals_.data(), queue_));
  } else {
    spread(Wave<kRepair, false>(grid, values_.data(), arrivals_.data(), queue_));
  }
}

bool ValueFunction::plan(const PlanningGrid& grid, Cell goal) noexcept {
  // the corner of the border never gets a value, so this plan goes on to the end
  const bool possible = plan_until(grid, goal, {-1, -1});
  complete_ = true;
  return possible;
}

bool ValueFunction::plan_until(const PlanningGrid& grid, Cell goal, Cell start) noexcept {
  FORERUN_CHECK(grid.frame() == frame_);
  std::fill(values_.begin(), values_.end(), kInfinity);
  goal_ = goal;
  complete_ = false;
  n_expanded_ = 0;
  if (!grid.is_free(goal)) return false;

  const Node goal_node = grid.node(goal);
  values_[goal_node] = 0;
  arrivals_[goal_node] = kFromNowhere;
  queue_.clear();
  queue_.push(0, goal_node);
  seeds_.shrink(0);
  lower<false>(grid, frame_.contains(start) ? grid.node(start) : 0);
  return true;
}

void ValueFunction::repair(const PlanningGrid& grid, std::span<const Cell> changed) noexcept {
  FORERUN_CHECK(grid.frame() == frame_);
  n_expanded_ = 0;
  const bool goal_stays = grid.is_free(goal_) && value(goal_) == 0;
  const bool repaired =
      complete_ && goal_stays && seed_suspects(grid, changed) && raise_unsupported(grid) && seed_lowered(grid, changed);
  if (!repaired) {
    plan(grid, goal_);
    return;
  }
  lower<true>(grid, 0);
}

// The least value that the neighbours give.
ValueFunction::Seed ValueFunction::best_label(const PlanningGrid& grid, Node node) const noexcept {
  Seed best{kInfinity, node, kFromNowhere};
  if (!grid.is_free(node)) return best;
  for (unsigned moves = grid.moves(node); moves != 0; moves &= moves - 1) {
    const auto d = static_cast<unsigned>(std::countr_zero(moves));
    const Node from = node + grid.offsets()[d];
    const double label = values_[from] + step_length(d) * grid.factor(from);
    if (label < best.value) best = {label, node, opposite(d)};
  }
  return best;
}

void ValueFunction::sort_seeds() noexcept {
  std::sort(seeds_.begin(), seeds_.end(),
            [](const Seed& a, const Seed& b) { return a.value != b.value ? a.value < b.value : a.node < b.node; });
}

// False when there are too many.
bool ValueFunction::seed_suspects(const PlanningGrid& grid, std::span<const Cell> changed) noexcept {
  queue_.clear();
  seeds_.shrink(0);
  const bool fits = visit_changed(grid, changed, [&](Node node) {
    return values_[node] == kInfinity || seeds_.push_back({values_[node], node, kFromNowhere});
  });
  sort_seeds();
  return fits;
}

// Withdraws each value that no neighbour gives any more; false when there are too many. A neighbour that gives a value
// is at least 1 lower, so in the order of the values its own fate is known by then.
bool ValueFunction::raise_unsupported(const PlanningGrid& grid) noexcept {
  const Node goal_node = grid.node(goal_);
  bool fits = true;
  raised_.shrink(0);
  const auto examine = [&](Node node, double) {
    if (values_[node] == kInfinity || node == goal_node) return;
    const Seed best = best_label(grid, node);
    if (best.value <= values_[node]) {
      arrivals_[node] = static_cast<std::uint8_t>(best.arrival);
      return;
    }
    values_[node] = kInfinity;
    fits = fits && raised_.push_back(node);
    // those who had their value from here
    for (unsigned d = 0; d < kDirections; ++d) {
      const Node heir = node + grid.offsets()[d];
      if (values_[heir] < kInfinity && arrivals_[heir] == d) queue_.push(BucketQueue::bucket_of(values_[heir]), heir);
    }
  };
  work_in_order([&](double) { return !fits; }, examine);
  n_expanded_ += raised_.size();
  return fits;
}

// Gives new values to all that were withdrawn and to all whose moves have changed; false when there are too many.
bool ValueFunction::seed_lowered(const PlanningGrid& grid, std::span<const Cell> changed) noexcept {
  seeds_.shrink(0);
  const auto examine = [&](Node node) {
    const Seed best = best_label(grid, node);
    return best.value >= values_[node] || seeds_.push_back(best);
  };
  if (!std::all_of(raised_.begin(), raised_.end(), examine) || !visit_changed(grid, changed, examine)) return false;

  // only now, so that no label rests on another that is not final
  sort_seeds();
  std::size_t n_kept = 0;
  for (const Seed& seed : seeds_) {
    if (seed.value >= values_[seed.node]) continue;  // listed twice
    values_[seed.node] = seed.value;
    arrivals_[seed.node] = static_cast<std::uint8_t>(seed.arrival);
    seeds_[n_kept++] = seed;
  }
  seeds_.shrink(n_kept);
  return true;
}

}  // namespace forerun::navigate
