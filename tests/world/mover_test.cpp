#include "forerun/world/mover.hpp"

#include <gtest/gtest.h>

#include "forerun/world/ray_caster.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_worlds.hpp"

namespace forerun::world {
namespace {

Hit cast(const Mover& mover, const Ray& ray) {
  Hit hit;
  cast_on(mover, ray, hit);
  return hit;
}

TEST(Mover, ADiscIsMetAtItsSide) {
  const Hit hit = cast(make_disc({3, 0}, 0.5, 1.8, 4), {{0, 0, 1}, {1, 0, 0}});
  EXPECT_DOUBLE_EQ(hit.distance, 2.5);
  EXPECT_EQ(hit.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(hit.material, 4);
}

TEST(Mover, ADiscIsMissedBesideBehindAboveAndBeyondTheReach) {
  const Mover disc = make_disc({3, 0}, 0.5, 1.8, 0);
  EXPECT_FALSE(cast(disc, {{0, 0.501, 1}, {1, 0, 0}}).found());
  EXPECT_FALSE(cast(disc, {{0, 0, 1}, {-1, 0, 0}}).found());
  EXPECT_FALSE(cast(disc, {{0, 0, 1.801}, {1, 0, 0}}).found());
  EXPECT_FALSE(cast(disc, {{0, 0, 1}, {1, 0, 0}, 2.499}).found());
  EXPECT_TRUE(cast(disc, {{0, 0, 1}, {1, 0, 0}, 2.501}).found());
}

TEST(Mover, ABoxIsMetAtItsTurnedSide) {
  const Hit hit = cast(make_box({3, 0, kPi / 4}, {2, 2}, 1, 2), {{0, 0.5, 0.5}, {1, 0, 0}});
  EXPECT_NEAR(hit.distance, 3 - std::sqrt(2) + 0.5, 1e-12);
  EXPECT_NEAR(hit.normal.x, -std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(hit.normal.y, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(hit.material, 2);
}

TEST(Mover, ARayFromInsideDoesNotMeetIt) {
  EXPECT_FALSE(cast(make_disc({3, 0}, 0.5, 1.8, 0), {{3.2, 0, 1}, {1, 0, 0}}).found());
  EXPECT_FALSE(cast(make_box({3, 0, 1}, {1, 1}, 1.8, 0), {{3.2, 0, 1}, {1, 0, 0}}).found());
  EXPECT_FALSE(cast(make_box({3, 0, 1}, {1, 1}, 1.8, 0), {{3.2, 0, 1}, {0, 0, -1}}).found());
}

TEST(Mover, IsMetOnItsTopFromAbove) {
  const double s = std::sqrt(0.5);
  for (const Mover& mover : {make_disc({3, 0}, 0.5, 1, 0), make_box({3, 0, 0.3}, {1, 1}, 1, 0)}) {
    const Hit slanted = cast(mover, {{1, 0, 3}, {s, 0, -s}});
    EXPECT_NEAR(slanted.distance, 2 * std::sqrt(2), 1e-12);
    EXPECT_EQ(slanted.normal, (Vec3{0, 0, 1}));
    EXPECT_DOUBLE_EQ(cast(mover, {{3.1, 0.1, 3}, {0, 0, -1}}).distance, 2);
    EXPECT_FALSE(cast(mover, {{4, 0.1, 3}, {0, 0, -1}}).found());
  }
}

TEST(Mover, ANearerHitStays) {
  Hit hit{.distance = 2, .normal = {0, 0, 1}, .material = 9};
  cast_on(make_disc({3, 0}, 0.5, 1.8, 0), {{0, 0, 1}, {1, 0, 0}}, hit);
  EXPECT_EQ(hit.material, 9);
  hit.distance = 2.6;
  cast_on(make_disc({3, 0}, 0.5, 1.8, 0), {{0, 0, 1}, {1, 0, 0}}, hit);
  EXPECT_EQ(hit.material, 0);
}

TEST(Mover, ABoxIsMetLikeItsTriangles) {
  Random random(21);
  for (int round = 0; round < 30; ++round) {
    const Mover box = make_box({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-kPi, kPi)},
                               {random.uniform(0.1, 2), random.uniform(0.1, 2)}, random.uniform(0.2, 2), 0);
    World world;
    append_triangles(box, world.triangles);
    for (int i = 0; i < 500; ++i) {
      const Ray ray{{random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(0, 3)}, random_direction(random)};
      if (plan_distance(box, plan_view(ray.origin)) == 0 && ray.origin.z < box.high) continue;
      const Hit hit = cast(box, ray), twin = cast_by_brute_force(world, ray);
      // the triangles have no underside: what comes in from below meets their back
      if (hit.normal.z < 0) continue;
      ASSERT_EQ(hit.found(), twin.found());
      if (!hit.found()) continue;
      EXPECT_NEAR(hit.distance, twin.distance, 1e-9);
      EXPECT_NEAR(length(hit.normal - twin.normal), 0, 1e-9);
    }
  }
}

TEST(Mover, ItsTrianglesLookOutwards) {
  const Mover box = make_box({1, 2, 0.4}, {0.6, 0.8}, 1, 0);
  std::vector<Triangle> triangles;
  append_triangles(box, triangles);
  EXPECT_EQ(triangles.size(), 10u);
  for (const Triangle& t : triangles) {
    const Vec3 normal = cross(t.b - t.a, t.c - t.a);
    const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3) - Vec3{1, 2, 0.5};
    EXPECT_GT(dot(normal, middle), 0);
  }
}

TEST(Mover, AHitOnADiscLiesOnItAndNothingOfItBefore) {
  Random random(22);
  int n_hits = 0;
  for (int i = 0; i < 5000; ++i) {
    const Mover disc = make_disc({random.uniform(-1, 1), random.uniform(-1, 1)}, random.uniform(0.1, 1), 1.5, 0);
    const Ray ray{{random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(0, 3)}, random_direction(random)};
    const Hit hit = cast(disc, ray);
    const auto inside = [&](double t) {
      const Vec3 p = ray.origin + ray.direction * t;
      return p.z > 0 && p.z < 1.5 && plan_distance(disc, plan_view(p)) == 0;
    };
    if (hit.found()) {
      ++n_hits;
      EXPECT_LT(dot(hit.normal, ray.direction), 0);
      EXPECT_FALSE(inside(hit.distance - 1e-6));
    }
    if (inside(0)) {
      EXPECT_FALSE(hit.found());
      continue;
    }
    const double end = hit.found() ? hit.distance : 12;
    for (double t = 0; t < end - 1e-9; t += 0.05) ASSERT_FALSE(inside(t));
  }
  EXPECT_GT(n_hits, 100);
}

TEST(Mover, ADoorLeafTurnsFromClosedToOpen) {
  const Door door{.name = "d",
                  .hinge = {1, 2},
                  .width = 0.9,
                  .height = 2,
                  .thickness = 0.04,
                  .closed_angle = 0,
                  .open_angle = kPi / 2,
                  .material = 3};
  const Mover closed = make_leaf(door, 0), open = make_leaf(door, 1), half = make_leaf(door, 0.5);
  EXPECT_NEAR(closed.pose.x, 1.45, 1e-12);
  EXPECT_NEAR(closed.pose.y, 2, 1e-12);
  EXPECT_NEAR(open.pose.x, 1, 1e-12);
  EXPECT_NEAR(open.pose.y, 2.45, 1e-12);
  EXPECT_NEAR(half.pose.theta, kPi / 4, 1e-12);
  EXPECT_DOUBLE_EQ(closed.half_length, 0.45);
  EXPECT_DOUBLE_EQ(closed.half_width, 0.02);
  EXPECT_DOUBLE_EQ(closed.high, 2);
  EXPECT_EQ(closed.material, 3);
  EXPECT_NEAR(plan_distance(closed, {1.9, 2}), 0, 1e-12);
  EXPECT_NEAR(plan_distance(closed, {2.0, 2}), 0.1, 1e-12);
}

TEST(Mover, MeasuresTheDistanceToItsOutline) {
  const Mover disc = make_disc({1, 1}, 0.5, 1, 0);
  EXPECT_DOUBLE_EQ(plan_distance(disc, {3, 1}), 1.5);
  EXPECT_EQ(plan_distance(disc, {1.2, 1.2}), 0);
  const Mover box = make_box({0, 0, kPi / 2}, {4, 2}, 1, 0);
  EXPECT_NEAR(plan_distance(box, {2, 0}), 1, 1e-12);
  EXPECT_NEAR(plan_distance(box, {0, 2.5}), 0.5, 1e-12);
  EXPECT_NEAR(plan_distance(box, {4, 6}), 5, 1e-12);
  EXPECT_EQ(plan_distance(box, {0.5, -1.5}), 0);
}

TEST(Mover, ComesWithinReachWhereItsOutlineDoes) {
  // two roads
  Random random(21);
  int n_near = 0;
  for (int i = 0; i < 4000; ++i) {
    const Pose2 pose{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-kPi, kPi)};
    const Mover mover = i % 2 == 0 ? make_disc(pose.position(), random.uniform(0.1, 1), 1.8, 0)
                                   : make_box(pose, {random.uniform(0.1, 2), random.uniform(0.1, 2)}, 1.8, 0);
    const Vec2 point{random.uniform(-3, 3), random.uniform(-3, 3)};
    const double reach = random.uniform(0, 1);
    ASSERT_EQ(comes_within(mover, point, reach), plan_distance(mover, point) < reach) << i;
    n_near += comes_within(mover, point, reach) ? 1 : 0;
  }
  EXPECT_GT(n_near, 300);
}

TEST(Mover, TakesNothingFromTheHeap) {
  const Mover disc = make_disc({3, 0}, 0.5, 1.8, 0), box = make_box({2, 0, 0.1}, {1, 1}, 1.8, 0);
  Hit hit;
  const AllocationCounter counter;
  cast_on(disc, {{0, 0, 1}, {1, 0, 0}}, hit);
  cast_on(box, {{0, 0, 1}, {1, 0, 0}}, hit);
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_TRUE(hit.found());
}

}  // namespace
}  // namespace forerun::world
