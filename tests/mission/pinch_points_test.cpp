#include "forerun/mission/pinch_points.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::mission {
namespace {

struct Line {
  std::vector<Vec2> places;
  std::vector<double> along{0};

  void add(Vec2 place) {
    if (!places.empty()) along.push_back(along.back() + distance(places.back(), place));
    places.push_back(place);
  }
};

// The whole distance matrix, entry by entry.
std::vector<std::uint32_t> returns_by_matrix(const Stations& stations, const PinchParams& params) {
  std::vector<std::uint32_t> returns(stations.size(), kNoReturn);
  for (std::uint32_t i = 0; i < stations.size(); ++i) {
    for (std::uint32_t j = i + 1; j < stations.size() && returns[i] == kNoReturn; ++j) {
      const Vec2 d = stations.place[j] - stations.place[i];
      const bool far_enough = stations.along[j] - stations.along[i] >= params.shortest_m;
      if (far_enough && dot(d, d) <= square(params.reach_m)) returns[i] = j;
    }
  }
  return returns;
}

// Wanders, turns about, goes over its own way again, and stands.
Line random_walk(Random& random, int n) {
  Line line;
  Pose2 at{random.uniform(-1, 1), random.uniform(-1, 1), 0};
  double turn = 0;
  while (static_cast<int>(line.places.size()) < n) {
    if (random.uniform() < 0.05) turn = random.uniform(-0.5, 0.5);
    if (random.uniform() < 0.02) at.theta += kPi;
    const double step = random.uniform() < 0.2 ? 0 : random.uniform(0.001, 0.04);
    at = {at.x + step * cos(at.theta), at.y + step * sin(at.theta), normalize_angle(at.theta + turn)};
    line.add(at.position());
  }
  return line;
}

TEST(PinchPoints, AreThoseOfTheWholeMatrix) {
  int n_found = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Line line = random_walk(random, 700);
    const PinchParams params{.reach_m = random.uniform(0.01, 0.2),
                             .shortest_m = random.uniform(0.05, 0.8),
                             .spacing_m = random.uniform(0.001, 0.03)};
    const Stations stations = make_stations(line.places, line.along, params.spacing_m);
    const auto returns = find_returns(stations, params);
    ASSERT_EQ(returns, returns_by_matrix(stations, params)) << "seed " << seed;
    for (const std::uint32_t back : returns) n_found += back != kNoReturn ? 1 : 0;
  }
  EXPECT_GT(n_found, 1000);
}

TEST(PinchPoints, AStraightWayHasNone) {
  Line line;
  for (int i = 0; i < 1000; ++i) line.add({0.004 * i, 1});
  const Stations stations = make_stations(line.places, line.along, 0.01);
  EXPECT_TRUE(pinch_points(stations, find_returns(stations, {})).empty());
}

TEST(PinchPoints, ALoopHasOneAtItsCrossing) {
  // in from the west, once round counter-clockwise above, on to the east
  Line line;
  for (int i = 0; i < 100; ++i) line.add({-1 + 0.01 * i, 0});
  for (int i = 0; i < 300; ++i) line.add(Vec2{0, 0.5} + unit_vector(-kPi / 2 + kTwoPi * i / 300) * 0.5);
  for (int i = 0; i < 100; ++i) line.add({0.01 * i, 0});
  const Stations stations = make_stations(line.places, line.along, 0.01);
  const auto pinches = pinch_points(stations, find_returns(stations, {}));
  ASSERT_EQ(pinches.size(), 1u);
  EXPECT_NEAR(distance(stations.place[pinches[0].from], stations.place[pinches[0].to]), 0, 0.01);
  EXPECT_NEAR(stations.along[pinches[0].to] - stations.along[pinches[0].from], kPi, 0.1);
}

TEST(PinchPoints, StandingStillIsOneStation) {
  Line line;
  for (int i = 0; i < 100; ++i) line.add({0.01 * i, 0});
  for (int i = 0; i < 5000; ++i) line.add({1, 0});
  for (int i = 0; i < 100; ++i) line.add({1 + 0.01 * i, 0});
  const Stations stations = make_stations(line.places, line.along, 0.01);
  EXPECT_LT(stations.size(), 210u);
  EXPECT_EQ(stations.index.back(), line.places.size() - 1);
}

}  // namespace
}  // namespace forerun::mission
