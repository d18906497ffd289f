// Pinch points of long paths: each point of the path is looked up in a grid, whatever the path does.
#include <benchmark/benchmark.h>

#include "forerun/base/random.hpp"
#include "forerun/mission/pinch_points.hpp"

namespace forerun::bench {
namespace {

constexpr int kPoints = 100'000;

struct Line {
  std::vector<Vec2> places;
  std::vector<double> along;
  void add(Vec2 place) {
    along.push_back(places.empty() ? 0 : along.back() + distance(places.back(), place));
    places.push_back(place);
  }
};

// Round and round in a hall, at random among desks, or to and fro in one place.
Line make_line(int kind) {
  Line line;
  Random random(1);
  Vec2 at{};
  double heading = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double angle = 0.001 * i;
    heading += random.uniform(-0.2, 0.2);
    at = at + unit_vector(heading) * 0.02;
    const Vec2 shake{0.3 * sin(2.3 * angle), 0.3 * sin(3.1 * i)};
    line.add(kind == 0 ? unit_vector(angle) * 10 : kind == 1 ? at : shake);
  }
  return line;
}

void find_pinch_points(benchmark::State& state) {
  const Line line = make_line(static_cast<int>(state.range(0)));
  std::size_t n = 0;
  for (auto _ : state) {
    const mission::PinchParams params;
    const auto stations = mission::make_stations(line.places, line.along, params.spacing_m);
    n = mission::pinch_points(stations, mission::find_returns(stations, params)).size();
    benchmark::DoNotOptimize(n);
  }
  state.counters["pinch points"] = static_cast<double>(n);
}
BENCHMARK(find_pinch_points)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace forerun::bench
