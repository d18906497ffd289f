#include "forerun/predict/mixture.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace forerun::predict {
namespace {

// Parts stay apart where one for both would say this much less (Runnalls' bound of what is lost) [nats].
constexpr double kApart = 0.2;

double size_of(const Spread& s) noexcept { return sqrt(std::max(s.xx * s.yy - square(s.xy), 1e-16)); }

MixturePart both(const MixturePart& a, const MixturePart& b) noexcept {
  const double weight = a.weight + b.weight;
  if (!(weight > 0)) return a;
  const double share = b.weight / weight;
  const Vec2 apart = b.centre - a.centre;
  const double between = share * (1 - share);
  const auto mean = [&](double p, double q) { return p + (q - p) * share; };
  return {a.centre + apart * share,
          {mean(a.spread.xx, b.spread.xx) + between * square(apart.x),
           mean(a.spread.xy, b.spread.xy) + between * apart.x * apart.y,
           mean(a.spread.yy, b.spread.yy) + between * square(apart.y), mean(a.spread.evenness, b.spread.evenness)},
          weight};
}

// What is lost by one part for both (Runnalls' bound, twice).
double lost_by_joining(const MixturePart& a, const MixturePart& b, double log_a, double log_b) noexcept {
  const double joined = log(size_of(both(a, b).spread));
  return a.weight * (joined - log_a) + b.weight * (joined - log_b);
}

// Joins the two that lose least until that is too much. What each pair loses is kept, so that joining two asks only
// about pairs with the new part.
class Joining {
 public:
  explicit Joining(Opinions& parts) noexcept : parts_(parts) {
    for (std::size_t i = 0; i < parts_.size(); ++i) weigh(i, i);
  }
  void join_near() noexcept {
    while (parts_.size() > 1) {
      const auto [a, b] = nearest();
      if (lost_[a][b] > kApart && parts_.size() <= kMostParts) return;
      join(a, b);
    }
  }

 private:
  using Row = std::array<double, kMostOpinions>;

  // With all before `end`.
  void weigh(std::size_t i, std::size_t end) noexcept {
    logs_[i] = log(size_of(parts_[i].spread));
    for (std::size_t k = 0; k < end; ++k) {
      if (k != i) lost_[std::min(i, k)][std::max(i, k)] = lost_by_joining(parts_[i], parts_[k], logs_[i], logs_[k]);
    }
  }
  [[nodiscard]] std::pair<std::size_t, std::size_t> nearest() const noexcept {
    std::pair<std::size_t, std::size_t> best{0, 1};
    for (std::size_t a = 0; a < parts_.size(); ++a) {
      for (std::size_t b = a + 1; b < parts_.size(); ++b) {
        if (lost_[a][b] < lost_[best.first][best.second]) best = {a, b};
      }
    }
    return best;
  }
  void join(std::size_t a, std::size_t b) noexcept {
    parts_[a] = both(parts_[a], parts_[b]);
    const std::size_t last = parts_.size() - 1;
    parts_[b] = parts_[last];
    logs_[b] = logs_[last];
    for (std::size_t k = 0; k < last; ++k) {
      if (k != b) lost_[std::min(b, k)][std::max(b, k)] = lost_[k][last];
    }
    parts_.pop_back();
    weigh(a, last);
  }

  Opinions& parts_;
  Row logs_{};
  std::array<Row, kMostOpinions> lost_{};  // [a][b] with a < b
};

}  // namespace

Mixture make_mixture(Opinions parts) noexcept {
  double sum = 0;
  for (const MixturePart& part : parts) sum += part.weight;
  Joining(parts).join_near();
  Mixture mixture;
  for (const MixturePart& part : parts) mixture.push_back({part.centre, part.spread, part.weight / sum});
  return mixture;
}

Reaches reaches_of(const Mixture& mixture, double share) noexcept {
  Reaches reaches;
  if (mixture.size() == 1) {
    reaches.push_back(sqrt(-2 * log(1 - share)));
    return reaches;
  }
  std::array<double, kMostParts> peak{};  // logarithm of the density at the centre
  double low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < mixture.size(); ++i) {
    peak[i] = log(std::max(mixture[i].weight, 1e-9) / size_of(mixture[i].spread));
    low = std::min(low, peak[i]);
    high = std::max(high, peak[i]);
  }
  low -= 40;
  for (int k = 0; k < 50; ++k) {
    const double level = (low + high) / 2;
    double within = 0;
    for (std::size_t i = 0; i < mixture.size(); ++i)
      within += mixture[i].weight * (1 - exp(std::min(0.0, level - peak[i])));
    (within > share ? low : high) = level;
  }
  for (std::size_t i = 0; i < mixture.size(); ++i) reaches.push_back(sqrt(2 * std::max(0.0, peak[i] - low)));
  return reaches;
}

}  // namespace forerun::predict
