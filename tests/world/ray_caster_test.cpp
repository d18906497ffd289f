#include "forerun/world/ray_caster.hpp"

#include <gtest/gtest.h>

#include "forerun/geom/pose.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_worlds.hpp"

namespace forerun::world {
namespace {

// A wall in the plane x = 2 from y = −1 to 1 and z = 0 to 3.
World make_wall() {
  World world{.name = "wall", .materials = {{}, {}}, .triangles = {}, .doors = {}};
  world.triangles.push_back({{2, -1, 0}, {2, 1, 0}, {2, 1, 3}, 1});
  world.triangles.push_back({{2, -1, 0}, {2, 1, 3}, {2, -1, 3}, 1});
  return world;
}

World make_floor() {
  World world{.name = "floor", .materials = {{}}, .triangles = {}, .doors = {}};
  world.triangles.push_back({{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, 0});
  world.triangles.push_back({{0, 0, 0}, {8, 8, 0}, {0, 8, 0}, 0});
  return world;
}

void expect_same(const Hit& fast, const Hit& slow) {
  EXPECT_EQ(fast.distance, slow.distance);
  EXPECT_EQ(fast.material, slow.material);
  // the halves of one wall may have normals that differ by a rounding
  EXPECT_NEAR(length(fast.normal - slow.normal), 0, 1e-15);
}

Vec3 towards(Vec3 from, Vec3 to) {
  const Vec3 d = to - from;
  return d * (1 / length(d));
}

TEST(RayCaster, FindsDistanceNormalAndMaterialOfAWall) {
  const RayCaster caster(make_wall());
  const Hit hit = caster.cast({{0.5, 0.25, 1}, {1, 0, 0}});
  EXPECT_DOUBLE_EQ(hit.distance, 1.5);
  EXPECT_EQ(hit.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(hit.material, 1);
}

TEST(RayCaster, ConesMeetWhatTheirRaysMeet) {
  Random random(51);
  int n_hits = 0;
  for (int i = 0; i < 30; ++i) {
    const World world = i % 3 == 0 ? random_triangles(random, 40 + 20 * i) : random_rooms(random, 5 + 2 * i);
    const RayCaster caster(world);
    for (int k = 0; k < 60; ++k) {
      const Vec3 origin{random.uniform(-6, 6), random.uniform(-6, 6), random.uniform(0, 3)};
      const SinCos heading = sincos(random.uniform(-kPi, kPi)), tilt = sincos(random.uniform(-0.4, 0.4));
      // from narrow ones to some that are too wide to go together, one ray to more than go together
      const double spread = random.uniform(0, k % 10 == 0 ? 3 : 0.3);
      std::vector<Vec3> directions(k % 20 == 0 ? 70 : 1 + random.below(12));
      for (Vec3& d : directions) {
        d = {heading.cos * tilt.cos + random.uniform(-spread, spread),
             heading.sin * tilt.cos + random.uniform(-spread, spread), tilt.sin + random.uniform(-spread, spread)};
        d = d * (1 / length(d));
      }
      const double max_distance = random.uniform(0.5, 12);
      std::vector<Hit> hits(directions.size());
      caster.cast_cone(origin, directions, max_distance, hits);
      for (std::size_t r = 0; r < hits.size(); ++r) {
        const Hit alone = caster.cast({origin, directions[r], max_distance});
        ASSERT_EQ(hits[r].distance, alone.distance) << "world " << i << " cone " << k << " ray " << r;
        ASSERT_EQ(hits[r].normal, alone.normal);
        ASSERT_EQ(hits[r].material, alone.material);
        n_hits += alone.found() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(n_hits, 3000);
}

TEST(RayCaster, TurnsTheNormalTowardsTheOriginOnBothSides) {
  const RayCaster caster(make_wall());
  EXPECT_EQ(caster.cast({{0, 0, 1}, {1, 0, 0}}).normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(caster.cast({{4, 0, 1}, {-1, 0, 0}}).normal, (Vec3{1, 0, 0}));
}

TEST(RayCaster, MissesBesideAboveAndBehind) {
  const RayCaster caster(make_wall());
  EXPECT_FALSE(caster.cast({{0, 1.001, 1}, {1, 0, 0}}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 3.001}, {1, 0, 0}}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 1}, {-1, 0, 0}}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 1}, {0, 1, 0}}).found());
}

TEST(RayCaster, MeetsTheRimOfASurface) {
  const RayCaster caster(make_wall());
  EXPECT_EQ(caster.cast({{0, 1, 1}, {1, 0, 0}}).distance, 2);
  EXPECT_EQ(caster.cast({{0, 0, 3}, {1, 0, 0}}).distance, 2);
  EXPECT_EQ(caster.cast({{0, -1, 0}, {1, 0, 0}}).distance, 2);
}

TEST(RayCaster, KeepsToTheMaximumDistance) {
  const RayCaster caster(make_wall());
  EXPECT_TRUE(caster.cast({{0, 0, 1}, {1, 0, 0}, 2}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 1}, {1, 0, 0}, 1.999999}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 1}, {1, 0, 0}, 0}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 1}, {-1, 0, 0}, kInfinity}).found());
}

TEST(RayCaster, DoesNotMeetTheSurfaceThatTheOriginLiesIn) {
  const RayCaster caster(make_wall());
  EXPECT_FALSE(caster.cast({{2, 0, 1}, {1, 0, 0}, kInfinity}).found());
  EXPECT_FALSE(caster.cast({{2, 0, 1}, {-1, 0, 0}}).found());
  EXPECT_FALSE(caster.cast({{2, -3, 1}, {0, 1, 0}}).found());
}

TEST(RayCaster, MeetsASurfaceFromNearItsPlane) {
  const RayCaster caster(make_wall());
  EXPECT_FALSE(caster.cast({{2 - 1e-8, 0, 1}, {1, 0, 0}}).found());
  EXPECT_NEAR(caster.cast({{2 - 1e-6, 0, 1}, {1, 0, 0}}).distance, 1e-6, 1e-15);
}

TEST(RayCaster, NamesTheFirstOfSurfacesThatLieUponEachOther) {
  Random random(18);
  World world = random_rooms(random, 40);
  const std::size_t n = world.triangles.size();
  for (std::size_t i = 0; i < n; ++i) {
    Triangle t = world.triangles[random.below(n)];
    t.material = static_cast<std::int32_t>(random.below(3));
    world.triangles.insert(world.triangles.begin() + static_cast<std::ptrdiff_t>(random.below(n)), t);
  }
  const RayCaster caster(world);
  for (int i = 0; i < 5000; ++i) {
    const Ray ray{{random.uniform(-11, 11), random.uniform(-11, 11), 0.4}, random_direction(random)};
    expect_same(caster.cast(ray), cast_by_brute_force(world, ray));
  }
}

TEST(RayCaster, CastsStraightUpAndDown) {
  const RayCaster caster(make_floor());
  for (double x = 0; x <= 8; x += 0.5) {
    for (double y = 0; y <= 8; y += 0.5) {
      EXPECT_EQ(caster.cast({{x, y, 1.5}, {0, 0, -1}}).distance, 1.5) << x << ' ' << y;
      EXPECT_EQ(caster.cast({{x, y, -2}, {0, 0, 1}}).distance, 2) << x << ' ' << y;
    }
  }
  EXPECT_FALSE(caster.cast({{4, 4, 1.5}, {0, 0, 1}}).found());
  EXPECT_FALSE(caster.cast({{9, 4, 1.5}, {0, 0, -1}}).found());
}

TEST(RayCaster, CastsAlmostStraightDown) {
  const World world = make_floor();
  const RayCaster caster(world);
  for (const double tilt : {1e-3, 1e-6, 1e-9, 1e-11, 1e-12, 1e-13, 1e-15, 1e-300}) {
    const Ray ray{{4, 4, 3}, {tilt, -tilt, -1}};
    expect_same(caster.cast(ray), cast_by_brute_force(world, ray));
    EXPECT_NEAR(caster.cast(ray).distance, 3, 1e-12);
  }
}

TEST(RayCaster, FindsNothingInAnEmptyWorld) {
  const RayCaster caster(World{});
  EXPECT_FALSE(caster.cast({{0, 0, 0}, {1, 0, 0}}).found());
  EXPECT_FALSE(caster.cast({{0, 0, 0}, {0, 0, -1}}).found());
}

TEST(RayCaster, IgnoresTrianglesWithoutArea) {
  World world{.name = "lines", .materials = {{}}, .triangles = {}, .doors = {}};
  world.triangles.push_back({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, 0});
  world.triangles.push_back({{2, -1, 0}, {2, 0, 1}, {2, 1, 2}, 0});
  const Ray ray{{0, 0, 1}, {1, 0, 0}};
  EXPECT_FALSE(RayCaster(world).cast(ray).found());
  EXPECT_FALSE(cast_by_brute_force(world, ray).found());
}

TEST(RayCaster, AgreesWithBruteForceOnRandomTriangles) {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    const World world = random_triangles(random, 1 + 40 * round);
    const RayCaster caster(world);
    for (int i = 0; i < 1500; ++i) {
      // some begin outside
      const double half = i % 4 == 0 ? 40 : 10;
      const Ray ray{{random.uniform(-half, half), random.uniform(-half, half), random.uniform(-1, 4)},
                    random_direction(random),
                    i % 5 == 0 ? random.uniform(0, 10) : 1e9};
      expect_same(caster.cast(ray), cast_by_brute_force(world, ray));
    }
  }
}

TEST(RayCaster, AgreesWithBruteForceInRoomsOnHorizontalAndSlantedRays) {
  Random random(12);
  const World world = random_rooms(random, 120);
  const RayCaster caster(world);
  for (int i = 0; i < 10000; ++i) {
    const double tilt = i % 2 == 0 ? 0 : random.uniform(-0.2, 0.2);
    const Vec2 flat = unit_vector(random.uniform(0, kTwoPi)) * cos(tilt);
    const Ray ray{{random.uniform(-11, 11), random.uniform(-11, 11), 0.4}, {flat.x, flat.y, sin(tilt)}};
    expect_same(caster.cast(ray), cast_by_brute_force(world, ray));
  }
}

TEST(RayCaster, AgreesWithBruteForceOnRaysAlongTheAxesAndThroughWholeMetres) {
  Random random(13);
  const World world = random_rooms(random, 90);
  const RayCaster caster(world);
  for (double x = -11; x <= 11; x += 0.5) {
    for (double y = -11; y <= 11; y += 0.5) {
      for (const Vec3 d : {Vec3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, -1}}) {
        const Ray ray{{x, y, 0.3}, d};
        expect_same(caster.cast(ray), cast_by_brute_force(world, ray));
      }
    }
  }
}

TEST(RayCaster, AgreesWithBruteForceOnGrazingRays) {
  Random random(14);
  const World world = random_rooms(random, 60);
  const RayCaster caster(world);
  for (int i = 0; i < 20000; ++i) {
    // from near the plane of a triangle to a point of it
    const Triangle& t = world.triangles[random.below(world.triangles.size())];
    const double u = random.uniform(), v = random.uniform() * (1 - u);
    const Vec3 target = t.a + (t.b - t.a) * u + (t.c - t.a) * v;
    const Vec3 n = cross(t.b - t.a, t.c - t.a);
    const double off = exp(random.uniform(-18, 0));
    const Vec3 origin = target + (t.b - t.a) * random.uniform(-3, 3) + n * (off / length(n));
    if (length(target - origin) < 0.01) continue;
    const Ray ray{origin, towards(origin, target)};
    EXPECT_EQ(caster.cast(ray).distance, cast_by_brute_force(world, ray).distance);
  }
}

TEST(RayCaster, LetsNoRaySlipThroughBetweenTrianglesThatShareAnEdge) {
  Random random(15);
  const RayCaster caster(make_wall());
  for (int i = 0; i < 20000; ++i) {
    const Vec3 origin{random.uniform(-3, 1.9), random.uniform(-3, 3), random.uniform(-1, 4)};
    // the diagonal that both halves of the wall share
    const double s = random.uniform();
    const Vec3 target{2, -1 + 2 * s, 3 * s};
    const Hit hit = caster.cast({origin, towards(origin, target)});
    EXPECT_NEAR(hit.distance, length(target - origin), 1e-9);
  }
}

TEST(RayCaster, TurnsItsHitsWithTheWorld) {
  Random random(16);
  const World world = random_rooms(random, 60);
  const double angle = 0.7;
  const RayCaster caster(world), turned_caster(turned(world, angle));
  const Transform2 turn(Pose2{0, 0, angle});
  const auto rotate = [&](Vec3 v) {
    const Vec2 p = turn.rotate(plan_view(v));
    return Vec3{p.x, p.y, v.z};
  };
  for (int i = 0; i < 5000; ++i) {
    const Ray ray{{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(0.1, 2)}, random_direction(random)};
    const Hit hit = caster.cast(ray);
    const Hit turned_hit = turned_caster.cast({rotate(ray.origin), rotate(ray.direction)});
    ASSERT_EQ(hit.found(), turned_hit.found());
    if (!hit.found()) continue;
    EXPECT_NEAR(hit.distance, turned_hit.distance, 1e-9);
    EXPECT_NEAR(length(rotate(hit.normal) - turned_hit.normal), 0, 1e-9);
    EXPECT_EQ(hit.material, turned_hit.material);
  }
}

TEST(RayCaster, TakesNothingFromTheHeap) {
  Random random(17);
  const World world = random_rooms(random, 60);
  const RayCaster caster(world);
  double sum = 0;
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) {
    const Ray ray{{0, 0, 0.5}, random_direction(random)};
    sum += caster.cast(ray).material + cast_by_brute_force(world, ray).material;
  }
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_NE(sum, 0);
}

}  // namespace
}  // namespace forerun::world
