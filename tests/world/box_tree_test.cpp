// What a ray may come through, against all boxes one by one.
#include "forerun/world/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "forerun/base/random.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_worlds.hpp"

namespace forerun::world {
namespace {

Box3 box_between(Vec3 a, Vec3 b) {
  Box3 box;
  box.include(a);
  box.include(b);
  return box;
}

Vec3 random_point(Random& random, double half) {
  return {random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half)};
}

// Whether the ray comes through, in doubles.
bool comes_through(const Ray& ray, const Box3& box) {
  double enter = 0, leave = ray.max_distance;
  const double origin[] = {ray.origin.x, ray.origin.y, ray.origin.z};
  const double direction[] = {ray.direction.x, ray.direction.y, ray.direction.z};
  const double low[] = {box.low.x, box.low.y, box.low.z}, high[] = {box.high.x, box.high.y, box.high.z};
  for (int i = 0; i < 3; ++i) {
    if (direction[i] == 0) {
      if (origin[i] < low[i] || origin[i] > high[i]) return false;
      continue;
    }
    const double a = (low[i] - origin[i]) / direction[i], b = (high[i] - origin[i]) / direction[i];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave;
}

std::set<std::uint32_t> visited(const BoxTree& tree, const Ray& ray) {
  std::set<std::uint32_t> items;
  tree.visit(ray, [&](std::uint32_t item) {
    items.insert(item);
    return ray.max_distance;
  });
  return items;
}

void expect_all_visited(std::span<const Box3> boxes, const BoxTree& tree, const Ray& ray) {
  const std::set<std::uint32_t> items = visited(tree, ray);
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    EXPECT_TRUE(items.count(i) == 1 || !comes_through(ray, boxes[i])) << i;
  }
}

TEST(BoxTree, VisitsEveryBoxThatARayComesThrough) {
  Random random(3);
  for (const std::size_t n : {1, 2, 7, 8, 9, 60, 500}) {
    std::vector<Box3> boxes;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 a = random_point(random, 10);
      boxes.push_back(box_between(a, a + random_point(random, i % 3 == 0 ? 0 : 2)));
    }
    const BoxTree tree(boxes);
    std::size_t n_visited = 0;
    for (int i = 0; i < 300; ++i) {
      Ray ray{random_point(random, i % 5 == 0 ? 1e5 : 12), random_direction(random), random.uniform(0, 30)};
      if (i % 5 == 0) {
        // from far away towards the boxes
        const Vec3 way = random_point(random, 10) - ray.origin;
        ray.direction = way * (1 / length(way));
        ray.max_distance = 1e9;
      }
      expect_all_visited(boxes, tree, ray);
      n_visited += visited(tree, ray).size();
    }
    EXPECT_LT(n_visited, n < 500 ? 300 * n + 1 : 300 * n / 8) << "most are left out";
  }
}

TEST(BoxTree, OfManyRaysVisitsWhatAnyOfThemComesThrough) {
  Random random(6);
  std::vector<Box3> boxes;
  for (int i = 0; i < 400; ++i) {
    const Vec3 a = random_point(random, 10);
    boxes.push_back(box_between(a, a + random_point(random, 1)));
  }
  const BoxTree tree(boxes);
  for (int i = 0; i < 200; ++i) {
    const Vec3 origin = random_point(random, 12), middle = random_direction(random);
    const double spread = i % 4 == 0 ? 0 : random.uniform(0, 0.5);
    BoxTree::Cone cone{origin, middle, middle, random.uniform(0, 20)};
    std::vector<Ray> rays;
    for (int k = 0; k < 5; ++k) {
      const Vec3 way = middle + random_point(random, spread);
      const Vec3 d = way * (1 / length(way));
      rays.push_back({origin, d, cone.max_distance});
      cone.least = {std::min(cone.least.x, d.x), std::min(cone.least.y, d.y), std::min(cone.least.z, d.z)};
      cone.greatest = {std::max(cone.greatest.x, d.x), std::max(cone.greatest.y, d.y), std::max(cone.greatest.z, d.z)};
    }
    std::set<std::uint32_t> items;
    tree.visit(cone, [&](std::uint32_t item) {
      items.insert(item);
      return cone.max_distance;
    });
    for (const Ray& ray : rays) {
      for (std::uint32_t b = 0; b < boxes.size(); ++b) {
        EXPECT_TRUE(items.count(b) == 1 || !comes_through(ray, boxes[b])) << b;
      }
    }
  }
}

TEST(BoxTree, RaysAlongTheAxesComeThrough) {
  const std::vector<Box3> boxes{box_between({4, -1, -1}, {5, 1, 1}), box_between({-5, -1, -1}, {-4, 1, 1})};
  const BoxTree tree(boxes);
  for (const double zero : {0.0, -0.0, 1e-300, -1e-300, 1e-13}) {
    EXPECT_EQ(visited(tree, {{0, 0, 0}, {1, zero, zero}}), std::set<std::uint32_t>{0});
    EXPECT_EQ(visited(tree, {{0, 0, 0}, {-1, zero, zero}}), std::set<std::uint32_t>{1});
    EXPECT_EQ(visited(tree, {{4.5, 0, 9}, {zero, zero, -1}}), std::set<std::uint32_t>{0});
    EXPECT_TRUE(visited(tree, {{0, 0, 9}, {zero, zero, -1}}).empty());
  }
}

TEST(BoxTree, GoesNoFartherThanItIsTold) {
  std::vector<Box3> boxes;
  for (int i = 0; i < 100; ++i) boxes.push_back(box_between({i + 1.0, -1, -1}, {i + 1.0, 1, 1}));
  std::set<std::uint32_t> items;
  BoxTree(boxes).visit(Ray{{0, 0, 0}, {1, 0, 0}}, [&](std::uint32_t item) {
    items.insert(item);
    return 3.5;
  });
  EXPECT_EQ(items, (std::set<std::uint32_t>{0, 1, 2}));
}

TEST(BoxTree, BoxesThatLieUponEachOtherAreAllVisited) {
  const std::vector<Box3> boxes(5000, box_between({1, -1, -1}, {2, 1, 1}));
  EXPECT_EQ(visited(BoxTree(boxes), {{0, 0, 0}, {1, 0, 0}}).size(), boxes.size());
}

TEST(BoxTree, AllocatesNothingWhileVisiting) {
  std::vector<Box3> boxes;
  Random random(4);
  for (int i = 0; i < 300; ++i) boxes.push_back(box_between(random_point(random, 5), random_point(random, 5)));
  const BoxTree tree(boxes);
  std::size_t n = 0;
  const AllocationCounter counter;
  tree.visit(Ray{{0, 0, 0}, {1, 0, 0}}, [&](std::uint32_t) { return static_cast<double>(++n); });
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_GT(n, 0u);
}

TEST(BoxTree, OfNothingHasNothing) {
  EXPECT_TRUE(visited(BoxTree(std::span<const Box3>{}), {{0, 0, 0}, {1, 0, 0}}).empty());
}

}  // namespace
}  // namespace forerun::world
