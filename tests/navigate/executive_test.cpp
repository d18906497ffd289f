#include "forerun/navigate/executive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace forerun::navigate {
namespace {

constexpr RobotTime at(double s) { return RobotTime{} + from_seconds(s); }

TEST(Executive, VisitsEveryGoalAndWaitsThere) {
  Executive executive;
  EXPECT_EQ(executive.state(), TaskState::idle);
  const std::array<Task, 2> tasks{{{{1, 0}, 5}, {{2, 0}, 0}}};
  ASSERT_TRUE(executive.start(tasks));
  EXPECT_EQ(executive.goal(), (Vec2{1, 0}));

  executive.update(at(1), {0.5, 0, 0}, 0.1);
  EXPECT_EQ(executive.state(), TaskState::driving);
  executive.update(at(2), {0.95, 0, 0}, 0.1);
  EXPECT_EQ(executive.state(), TaskState::waiting);
  EXPECT_EQ(executive.goal(), std::nullopt);
  EXPECT_DOUBLE_EQ(to_seconds(executive.remaining_wait(at(4))), 3);
  executive.update(at(6.9), {0.95, 0, 0}, 0.1);
  EXPECT_EQ(executive.state(), TaskState::waiting);
  executive.update(at(7), {0.95, 0, 0}, 0.1);
  EXPECT_EQ(executive.goal(), (Vec2{2, 0}));
  EXPECT_EQ(executive.n_reached(), 1u);

  executive.update(at(9), {2, 0, 0}, 0.1);
  EXPECT_EQ(executive.state(), TaskState::done);
  EXPECT_EQ(executive.n_reached(), 2u);
}

TEST(Executive, CancelsAndReplaces) {
  Executive executive;
  const std::array<Task, 1> first{{{{1, 0}, 0}}}, second{{{{5, 5}, 0}}};
  ASSERT_TRUE(executive.start(first));
  executive.cancel();
  EXPECT_EQ(executive.state(), TaskState::cancelled);
  EXPECT_EQ(executive.goal(), std::nullopt);
  ASSERT_TRUE(executive.start(second));
  EXPECT_EQ(executive.goal(), (Vec2{5, 5}));
}

TEST(Executive, SaysThatAGoalCannotBeReached) {
  Executive executive;
  const std::array<Task, 1> tasks{{{{1, 0}, 0}}};
  ASSERT_TRUE(executive.start(tasks));
  executive.give_up();
  EXPECT_EQ(executive.state(), TaskState::unreachable);
  EXPECT_STREQ(to_string(executive.state()), "unreachable");
  executive.cancel();
  EXPECT_EQ(executive.state(), TaskState::unreachable);
}

TEST(Executive, RefusesMoreGoalsThanItHasRoomFor) {
  Executive executive;
  const std::vector<Task> many(kMaxTasks + 1);
  EXPECT_FALSE(executive.start(many));
  EXPECT_EQ(executive.state(), TaskState::idle);
}

}  // namespace
}  // namespace forerun::navigate
