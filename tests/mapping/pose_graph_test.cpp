// Poses held together by measurements: small graphs whose answer is known.
#include "forerun/mapping/pose_graph.hpp"

#include <gtest/gtest.h>

#include "forerun/base/random.hpp"

namespace forerun::mapping {
namespace {

PoseLink link(int from, int to, const Pose2& measured, double information = 100) {
  return {from, to, measured, identity<3>() * information};
}

TEST(PoseGraph, DerivativesAreThoseOfSmallSteps) {
  Random random(1, 0);
  constexpr double kStep = 1e-6;
  const auto pose = [&] { return Pose2{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-3, 3)}; };
  const auto moved = [](Pose2 p, std::size_t axis, double by) {
    (axis == 0 ? p.x : axis == 1 ? p.y : p.theta) += by;
    return p;
  };
  for (int trial = 0; trial < 20; ++trial) {
    const Pose2 from = pose(), to = pose();
    const PoseLink measured = link(0, 1, inverse(from) * to);
    const LinkError analytic = find_link_error(measured, from, to);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto by_from = (find_link_error(measured, moved(from, axis, kStep), to).error -
                            find_link_error(measured, moved(from, axis, -kStep), to).error) /
                           (2 * kStep);
      const auto by_to = (find_link_error(measured, from, moved(to, axis, kStep)).error -
                          find_link_error(measured, from, moved(to, axis, -kStep)).error) /
                         (2 * kStep);
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(analytic.by_from(row, axis), by_from[row], 1e-6);
        EXPECT_NEAR(analytic.by_to(row, axis), by_to[row], 1e-6);
      }
    }
  }
}

// Four steps of 1 m that end where one link says 3.5 m: five links as good as each other share the half metre.
TEST(PoseGraph, ALoopSharesItsErrorEvenly) {
  PoseGraph graph;
  for (int i = 0; i <= 4; ++i) graph.add_node({static_cast<double>(i), 0, 0});
  for (int i = 0; i < 4; ++i) graph.add_link(link(i, i + 1, {1, 0, 0}));
  graph.add_link(link(0, 4, {3.5, 0, 0}));
  graph.optimize();
  for (int i = 0; i <= 4; ++i) EXPECT_NEAR(graph.nodes()[static_cast<std::size_t>(i)].x, 0.9 * i, 1e-6);
}

TEST(PoseGraph, ABetterLinkGivesWayLess) {
  PoseGraph graph;
  for (int i = 0; i <= 2; ++i) graph.add_node({static_cast<double>(i), 0, 0});
  graph.add_link(link(0, 1, {1, 0, 0}, 300));
  graph.add_link(link(1, 2, {1, 0, 0}, 100));
  graph.add_link(link(0, 2, {1.6, 0, 0}, 100));
  graph.optimize();
  // variances 1/3, 1, 1: shares 1/7, 3/7 and 3/7 of 0.4 m
  EXPECT_NEAR(graph.nodes()[1].x, 1 - 0.4 / 7, 1e-6);
  EXPECT_NEAR(graph.nodes()[2].x, 2 - 1.6 / 7, 1e-6);
}

// A square driven with odometry that turns too little, closed by a right and a wrong link.
PoseGraph bent_square(bool wrong) {
  PoseGraph graph;
  Pose2 pose;
  graph.add_node(pose);
  for (int i = 0; i < 40; ++i) {
    const double turn = i % 10 == 9 ? kPi / 2 : 0;
    const Pose2 step{0.5, 0, turn - 0.008};
    pose = pose * step;
    graph.add_node(pose);
    graph.add_link(link(i, i + 1, step, 1e4));
  }
  PoseLink closure = link(0, 40, {0, 0, 0}, 1e4);
  closure.doubtful = true;
  graph.add_link(closure);
  closure.from = 2;
  closure.to = 38;
  closure.from_from_to = {-1, 1, -kPi / 2};
  graph.add_link(closure);
  if (wrong) {
    closure.from = 5;
    closure.to = 25;
    closure.from_from_to = {0, 0, 0};
    graph.add_link(closure);
  }
  graph.optimize();
  return graph;
}

TEST(PoseGraph, AClosureMendsTheWholeWay) {
  const PoseGraph graph = bent_square(false);
  EXPECT_LT(length(graph.nodes()[40].position()), 0.05);
  EXPECT_LT(distance(graph.nodes()[20].position(), {5, 5}), 0.3);
  for (const PoseLink& l : graph.links()) EXPECT_GT(l.weight, 0.5);
}

TEST(PoseGraph, AWrongClosureIsOverruled) {
  const PoseGraph graph = bent_square(true);
  EXPECT_LT(length(graph.nodes()[40].position()), 0.1);
  EXPECT_LT(distance(graph.nodes()[20].position(), {5, 5}), 0.4);
  EXPECT_LT(graph.links().back().weight, 0.05);
}

TEST(PoseGraph, EmptyAndSingleGraphsStay) {
  PoseGraph graph;
  graph.optimize();
  graph.add_node({1, 2, 3});
  graph.optimize();
  EXPECT_EQ(graph.nodes()[0], (Pose2{1, 2, 3}));
}

}  // namespace
}  // namespace forerun::mapping
