#include "forerun/respond/trust.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::respond {
namespace {

constexpr double kRemembered = 30;    // errors count for about so long [s]
constexpr double kPrior = 20;         // what recordings said counts like so many errors
constexpr double kNegligible = 0.01;  // a way that is believed so much less than the best one has no say
// no way is believed to be better than this: sensors are not
constexpr Squares kFloor{1e-8, 1e-8};

// The better one is believed far more.
double weight_of(double square, double best) noexcept {
  const double fourth = forerun::square(forerun::square(best / square));
  return fourth * fourth;
}

}  // namespace

Trust::Trust(const Model& model) noexcept : model_(model) {}

void Trust::learn(std::size_t horizon, const WaySquares& off, double elapsed) noexcept {
  Memory& memory = memories_[horizon];
  const double keep = exp(-std::max(elapsed, 0.0) / kRemembered);
  memory.weight = memory.weight * keep + 1;
  for (std::size_t way = 0; way < kWays; ++way) {
    memory.sums[way].place = memory.sums[way].place * keep + off[way].place;
    memory.sums[way].heading = memory.sums[way].heading * keep + off[way].heading;
  }
}

Squares Trust::expected(std::size_t horizon, std::size_t way) const noexcept {
  const Memory& memory = memories_[horizon];
  const Squares& prior = model_.horizons[horizon].squares[way];
  const double weight = memory.weight + kPrior;
  return {(memory.sums[way].place + kPrior * prior.place) / weight + kFloor.place,
          (memory.sums[way].heading + kPrior * prior.heading) / weight + kFloor.heading};
}

Trust::Weights Trust::weights(double ahead) const noexcept {
  const auto& all = model_.horizons;
  std::size_t late = 0;
  while (late + 1 < all.size() && all[late].horizon < ahead) ++late;
  const std::size_t early = late > 0 && all[late].horizon > ahead ? late - 1 : late;
  const double share = early < late ? (ahead - all[early].horizon) / (all[late].horizon - all[early].horizon) : 1;
  Weights weights;
  Squares best{kInfinity, kInfinity};
  for (std::size_t way = 0; way < kWays; ++way) {
    const Squares b = expected(late, way), a = early < late ? expected(early, way) : b;
    Squares& squares = weights.of[way];
    squares = {a.place + (b.place - a.place) * share, a.heading + (b.heading - a.heading) * share};
    best = {std::min(best.place, squares.place), std::min(best.heading, squares.heading)};
  }
  for (std::size_t way = 0; way < kWays; ++way) {
    Squares& weight = weights.of[way];
    weight = {weight_of(weight.place, best.place), weight_of(weight.heading, best.heading)};
    weights.counts[way] = weight.place > kNegligible || weight.heading > kNegligible;
  }
  return weights;
}

Pose2 blend(const Ways& ways, const Trust::Weights& weights) noexcept {
  double places = 0, headings = 0;
  Pose2 sum;
  for (std::size_t way = 0; way < kWays; ++way) {
    if (!weights.counts[way]) continue;
    const auto& [place, heading] = weights.of[way];
    sum.x += place * ways[way].x;
    sum.y += place * ways[way].y;
    sum.theta += heading * ways[way].theta;
    places += place;
    headings += heading;
  }
  return {sum.x / places, sum.y / places, sum.theta / headings};
}

}  // namespace forerun::respond
