#include "forerun/mobility/matching.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "forerun/base/math.hpp"

namespace forerun::mobility {
namespace {

enum class From : std::uint8_t { both, a, b };

double norm(const Frame& frame) { return std::hypot(frame.x, frame.z); }

// Costs of the best way to each pair of frames, one row of `b` after the other, and where it came from.
class Table {
 public:
  Table(std::span<const Frame> a, std::span<const Frame> b) : columns_(b.size()), from_(a.size() * b.size()) {
    std::vector<double> before(columns_, kInfinity), now(columns_);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        double best = i == 0 && j == 0 ? 0 : kInfinity;
        const auto try_from = [&](double cost, From from) {
          if (!(cost < best)) return;
          best = cost;
          from_[i * columns_ + j] = from;
        };
        if (i > 0 && j > 0) try_from(before[j - 1], From::both);
        if (i > 0) try_from(before[j], From::a);
        if (j > 0) try_from(now[j - 1], From::b);
        now[j] = best + std::fabs(norm(a[i]) - norm(b[j]));
      }
      std::swap(before, now);
    }
  }

  // The pair before this one on the best way.
  [[nodiscard]] Pair before(Pair pair) const {
    const From from = from_[pair.a * columns_ + pair.b];
    return {from == From::b ? pair.a : pair.a - 1, from == From::a ? pair.b : pair.b - 1};
  }

 private:
  std::size_t columns_;
  std::vector<From> from_;
};

struct Mean {
  double sum = 0, most = 0;
  void add(double error) {
    sum += std::fabs(error);
    most = std::max(most, std::fabs(error));
  }
};

}  // namespace

std::vector<Pair> match(std::span<const Frame> a, std::span<const Frame> b) {
  if (a.empty() || b.empty()) return {};
  const Table table(a, b);
  std::vector<Pair> pairs{{a.size() - 1, b.size() - 1}};
  while (pairs.back().a > 0 || pairs.back().b > 0) pairs.push_back(table.before(pairs.back()));
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

MatchErrors errors_of(std::span<const Frame> a, std::span<const Frame> b, std::span<const Pair> pairs) {
  if (pairs.empty()) return {};
  Mean whole, x, z, pitch;
  for (const Pair& pair : pairs) {
    const Frame &p = a[pair.a], &q = b[pair.b];
    whole.add(std::hypot(p.x - q.x, p.z - q.z));
    x.add(p.x - q.x);
    z.add(p.z - q.z);
    pitch.add(normalize_angle(p.pitch - q.pitch));
  }
  const auto n = static_cast<double>(pairs.size());
  return {whole.sum / n, whole.most, x.sum / n, x.most, z.sum / n, z.most, pitch.sum / n, pitch.most};
}

}  // namespace forerun::mobility
