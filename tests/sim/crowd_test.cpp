#include "forerun/sim/crowd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/navigate/path.hpp"
#include "forerun/navigate/value_function.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::sim {
namespace {

// A corridor of 30 m by 2.6 m with the route along its middle.
struct Corridor {
  world::World world = make_room({0, 0}, {30, 2.6});
  robot::Description robot;
  navigate::PlanningModel planning = std::move(*navigate::make_planning_model(world, robot));
  std::vector<Vec2> route;
  std::vector<Vec2> ends{{1, 1.3}, {29, 1.3}};

  Corridor() {
    navigate::ValueFunction values(planning.grid.frame());
    values.plan(planning.grid, planning.grid.frame().cell_of(ends[1]));
    route = navigate::path_from(values, planning.grid, ends[0]);
  }
  [[nodiscard]] CrowdSetup setup() const { return {planning, kCrowded, route, ends}; }
};

TEST(Crowd, BoxesStandOnTheRouteAndLeaveThePassage) {
  const Corridor corridor;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto boxes = place_boxes(corridor.setup(), random);
    ASSERT_EQ(boxes.size(), 4u);
    for (const world::Mover& box : boxes) {
      EXPECT_NEAR(box.half_length * 2, 0.4, 1e-12);
      // one side of the box is at least 0.9 m from its wall
      double above = 2.6, below = 2.6;
      for (const Vec2 corner : {Vec2{1, 1}, Vec2{-1, 1}, Vec2{-1, -1}, Vec2{1, -1}}) {
        const Vec2 p = box.pose * Vec2{corner.x * box.half_length, corner.y * box.half_width};
        above = std::min(above, 2.6 - p.y);
        below = std::min(below, p.y);
      }
      EXPECT_GT(std::min(above, below), 0);
      EXPECT_GE(std::max(above, below), 0.9);
      for (const Vec2 end : corridor.ends) EXPECT_GT(distance(box.pose.position(), end), 1);
    }
  }
}

TEST(Crowd, PeopleWalkAtTheStatedSpeedsWhereThereIsRoom) {
  const Corridor corridor;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const auto boxes = place_boxes(corridor.setup(), random);
    const auto people = place_people(corridor.setup(), boxes, random);
    EXPECT_EQ(people.size(), 6u);
    for (const Person& person : people) {
      EXPECT_GE(person.speed, 0.8);
      EXPECT_LE(person.speed, 1.2);
      EXPECT_GT(person.lengths.back(), 4);
      for (const Vec2 p : person.path) {
        EXPECT_GT(p.y, kPersonRadius);
        EXPECT_LT(p.y, 2.6 - kPersonRadius);
        for (const world::Mover& box : boxes) EXPECT_GT(world::plan_distance(box, p), 0.9 * kPersonRadius);
      }
    }
  }
}

TEST(Crowd, NoBoxCutsOffTheEndOfANarrowRoute) {
  // 1.5 m wide and 14 m long: a box in the middle, just before the goal, would leave 0.55 m on either side
  const world::World world = make_room({0, 0}, {14, 1.5});
  const robot::Description robot;
  const auto planning = navigate::make_planning_model(world, robot);
  const std::vector<Vec2> ends{{0.8, 0.75}, {13.2, 0.75}};
  navigate::ValueFunction values(planning->grid.frame());
  values.plan(planning->grid, planning->grid.frame().cell_of(ends[1]));
  const std::vector<Vec2> route = navigate::path_from(values, planning->grid, ends[0]);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    for (const world::Mover& box : place_boxes({*planning, kCrowded, route, ends}, random)) {
      EXPECT_GT(std::fabs(box.pose.y - 0.75), 0.3) << "seed " << seed << ", box at x = " << box.pose.x;
    }
  }
}

TEST(Crowd, SameSeedSameCrowd) {
  const Corridor corridor;
  Random a(4), b(4);
  const auto first = place_boxes(corridor.setup(), a), second = place_boxes(corridor.setup(), b);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].pose, second[i].pose);
}

TEST(Crowd, OtherLevelsAreEmpty) {
  const Corridor corridor;
  const CrowdSetup setup{corridor.planning, kMismatched, corridor.route, corridor.ends};
  Random random(1);
  EXPECT_TRUE(place_boxes(setup, random).empty());
  EXPECT_TRUE(place_people(setup, {}, random).empty());
}

}  // namespace
}  // namespace forerun::sim
