// Plans that are kept are as good as new ones.
#include "forerun/navigate/goal_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "forerun/navigate/path.hpp"
#include "tests/navigate/planning_twins.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/two_rooms.hpp"

namespace forerun::navigate {
namespace {

class GoalPlanTest : public testing::Test {
 protected:
  GoalPlanTest()
      : random_(11, 4),
        free_(random_grid(40, 30, 0.25, random_)),
        factors_(random_factors(free_.frame(), false, random_)),
        model_{free_, world::clearance(free_), PlanningGrid(free_, &factors_), RoomyBlocks()} {}

  Vec2 random_goal() { return model_.grid.frame().center(random_free_cell(free_, random_)); }

  // Every cell, bit for bit.
  void expect_as_new(const GoalPlan& plan, Vec2 goal) {
    ValueFunction fresh(model_.grid.frame());
    ASSERT_TRUE(fresh.plan(model_.grid, model_.grid.frame().cell_of(goal)));
    ASSERT_EQ(to_grid(plan.values()), to_grid(fresh));
  }

  Random random_;
  world::FreeGrid free_;
  Grid<float> factors_;
  PlanningModel model_;
};

TEST_F(GoalPlanTest, GivesTheValuesOfANewPlanWhateverWasAskedBefore) {
  for (const std::size_t n_goals : {0u, 1u, 2u, 3u, 7u}) {
    GoalPlan plan(model_, n_goals);
    std::vector<Vec2> goals;
    for (int i = 0; i < 5; ++i) goals.push_back(random_goal());
    for (int i = 0; i < 60; ++i) {
      const Vec2 goal = goals[random_.below(goals.size())];
      ASSERT_TRUE(plan.lead_to(goal));
      expect_as_new(plan, goal);
    }
  }
}

// Planning anew shows: a grid that has changed meanwhile gives other values, a plan that was kept does not.
TEST_F(GoalPlanTest, TheGoalThatWasNotAskedForLongestGivesWay) {
  const Vec2 a = random_goal(), b = random_goal(), c = random_goal();
  const PlanningGrid its = model_.grid;
  const auto is_kept = [&](Vec2 goal) {
    model_.grid = its;
    GoalPlan plan(model_, 2);
    for (const Vec2 asked : {a, b, a, c}) plan.lead_to(asked);
    model_.grid = PlanningGrid(world::FreeGrid(free_.frame(), 1));
    plan.lead_to(goal);
    ValueFunction fresh(its.frame());
    fresh.plan(its, its.frame().cell_of(goal));
    return to_grid(plan.values()) == to_grid(fresh);
  };
  EXPECT_TRUE(is_kept(a));
  EXPECT_TRUE(is_kept(c));
  EXPECT_FALSE(is_kept(b));
}

TEST_F(GoalPlanTest, RefusesGoalsWhereNoRobotCanStandEachTime) {
  GoalPlan plan(model_, 2);
  std::size_t taken = 0;
  while (free_[taken] != 0) ++taken;
  const Vec2 wall = model_.grid.frame().center(model_.grid.frame().cell_at(taken));
  const Vec2 goal = random_goal();
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(plan.lead_to(wall));
    EXPECT_FALSE(plan.values().is_reachable(model_.grid.frame().cell_of(goal)));
    EXPECT_FALSE(plan.lead_to({-100, 3}));
    EXPECT_TRUE(plan.lead_to(goal));
    expect_as_new(plan, goal);
  }
}

TEST_F(GoalPlanTest, PlansWithoutAllocating) {
  GoalPlan plan(model_, 3);
  std::vector<Vec2> goals;
  for (int i = 0; i < 6; ++i) goals.push_back(random_goal());
  const AllocationCounter counter;
  for (const Vec2 goal : goals) EXPECT_TRUE(plan.lead_to(goal));
  EXPECT_EQ(counter.count(), 0u);
}

using Changes = std::vector<robot::Change>;

// Plans in two rooms with two doors between them.
struct TwoRooms {
  PlanningModel model = *make_planning_model(make_two_rooms(), make_hall_robot());
  GoalPlan plan{model, 2};

  TwoRooms() { EXPECT_TRUE(plan.lead_to(kToRight)); }

  // Where the way from the left comes through the wall.
  [[nodiscard]] double crosses_at(Vec2 from = kFromLeft) const {
    for (const Vec2 point : path_from(plan.values(), plan.grid(), from)) {
      if (std::fabs(point.x - 6) < 0.05) return point.y;
    }
    return kInfinity;
  }
  void expect_as_new() {
    ValueFunction fresh(model.grid.frame());
    ASSERT_TRUE(fresh.plan(plan.grid(), plan.values().goal()));
    ASSERT_EQ(to_grid(plan.values()), to_grid(fresh));
  }
};

constexpr double kLower = 1.5, kUpper = 4.5, kHalf = 0.5;  // of the doorways

TEST(ChangedGoalPlan, LeadsThroughTheOtherDoorWhileOneIsClosed) {
  TwoRooms rooms;
  const Grid<double> before = to_grid(rooms.plan.values());
  EXPECT_NEAR(rooms.crosses_at(), kLower, kHalf);
  rooms.plan.set_changes(Changes{closed_door(0)});
  EXPECT_NEAR(rooms.crosses_at(), kUpper, kHalf);
  rooms.expect_as_new();
  rooms.plan.set_changes({});
  EXPECT_NEAR(rooms.crosses_at(), kLower, kHalf);
  EXPECT_EQ(to_grid(rooms.plan.values()), before);
}

TEST(ChangedGoalPlan, LeadsRoundABoxThatClosesAPassage) {
  TwoRooms rooms;
  rooms.plan.set_changes(Changes{box_at({5.5, 1.5, 0}, {0.3, 1.2})});
  EXPECT_NEAR(rooms.crosses_at(), kUpper, kHalf);
  rooms.expect_as_new();
}

TEST(ChangedGoalPlan, LeadsToTheOnlyDoorAlthoughItIsClosed) {
  TwoRooms rooms;
  rooms.plan.set_changes(Changes{box_at({6, 4.5, 0}, {0.3, 1.2}, 1), closed_door(0, 2)});
  EXPECT_NEAR(rooms.crosses_at(), kLower, kHalf);
  rooms.expect_as_new();
}

TEST(ChangedGoalPlan, LeadsToAGoalOnWhichSomethingStands) {
  TwoRooms rooms;
  const Vec2 goal{6, 1.5};
  EXPECT_TRUE(rooms.plan.lead_to(goal));
  rooms.plan.set_changes(Changes{closed_door(0)});
  EXPECT_FALSE(path_from(rooms.plan.values(), rooms.plan.grid(), kFromLeft).empty());
  rooms.expect_as_new();
  EXPECT_TRUE(rooms.plan.lead_to({6.1, 1.5}));
  rooms.expect_as_new();
  // and when it has gone
  rooms.plan.set_changes(Changes{closed_door(1)});
  EXPECT_TRUE(rooms.plan.lead_to(goal));
  rooms.expect_as_new();
}

TEST(ChangedGoalPlan, FindsTheWayOutOfABoxThatIsSaidToStandAroundTheRobot) {
  TwoRooms rooms;
  rooms.plan.set_changes(Changes{box_at({5.3, 1.5, 0}, {2.4, 2.4})});
  const Vec2 robot{5.1, 1.5};
  EXPECT_FALSE(rooms.plan.grid().is_free(rooms.plan.grid().frame().cell_of(robot)));
  EXPECT_TRUE(find_start(rooms.plan.values(), rooms.plan.grid(), robot, rooms.plan.start_reach(robot)).has_value());
}

TEST(ChangedGoalPlan, ChangesAllPlansThatItKeeps) {
  TwoRooms rooms;
  rooms.plan.lead_to({10, 4.5});
  rooms.plan.set_changes(Changes{closed_door(0)});
  rooms.expect_as_new();
  rooms.plan.lead_to(kToRight);
  rooms.expect_as_new();
}

TEST(ChangedGoalPlan, HasNothingToDoWhenTheSameIsToldAgain) {
  TwoRooms rooms;
  const Changes changes{closed_door(0)};
  EXPECT_TRUE(rooms.plan.set_changes(changes));
  EXPECT_FALSE(rooms.plan.set_changes(changes));
}

TEST(ChangedGoalPlan, HasTheBitsOfANewPlanWhateverHappens) {
  Random random(41);
  TwoRooms rooms;
  for (int i = 0; i < 80; ++i) {
    Changes changes;
    for (std::uint16_t door = 0; door < 2; ++door) {
      if (random.below(3) == 0) changes.push_back(closed_door(door));
    }
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      changes.push_back(box_at({random.uniform(4, 8), random.uniform(0, 6), random.uniform(0, 3)},
                               {random.uniform(0.1, 1.5), random.uniform(0.1, 0.8)}));
    }
    rooms.plan.set_changes(changes);
    if (random.below(4) == 0) {
      EXPECT_TRUE(rooms.plan.lead_to({random.uniform(7, 11), random.uniform(1, 5)}));
    }
    ASSERT_NO_FATAL_FAILURE(rooms.expect_as_new()) << i;
    for (const Vec2 robot : {Vec2{0.5, 0.5}, Vec2{3, 3}, Vec2{8, 4}}) {
      const double reach = rooms.plan.start_reach(robot);
      ASSERT_TRUE(find_start(rooms.plan.values(), rooms.plan.grid(), robot, reach).has_value()) << i;
    }
  }
}

TEST(ChangedGoalPlan, ChangesWithoutAllocating) {
  TwoRooms rooms;
  rooms.plan.lead_to({10, 4.5});
  const Changes one{closed_door(0)}, many{closed_door(1), box_at({10, 1.5, 0.2}, {0.5, 0.5}), closed_door(0)};
  const AllocationCounter allocations;
  rooms.plan.set_changes(one);
  rooms.plan.set_changes(many);
  rooms.plan.lead_to(kToRight);
  rooms.plan.set_changes({});
  EXPECT_EQ(allocations.count(), 0u);
}

}  // namespace
}  // namespace forerun::navigate
