// What a robot shows of its habits without saying so.
#include "forerun/predict/goal_memory.hpp"

#include <gtest/gtest.h>

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr double kSpeed = 0.5;  // [m/s]
constexpr Vec2 kKitchen{0, 0}, kDesk{10, 0}, kLab{10, 10};

robot::Report driving(double time_s, Vec2 from, Vec2 to) {
  robot::Report report;
  report.time = RobotTime{} + from_seconds(time_s);
  report.state.pose = {from.x, from.y, 0};
  report.task = TaskState::driving;
  report.goal = to;
  return report;
}

// It does not say what for.
robot::Report waiting(double time_s, Vec2 place) {
  robot::Report report = driving(time_s, place, {});
  report.task = TaskState::waiting;
  report.goal.reset();
  return report;
}

// A robot that goes from place to place, and the clock on its wall.
class Habits {
 public:
  // Drives to `place`, of which only two reports tell, and waits there.
  void visit(Vec2 place, double wait_s) {
    memory.take_in(driving(now, at_, place), std::nullopt, kSpeed);
    now += distance(at_, place) / kSpeed;
    at_ = place;
    // the replica foresaw the arrival
    const RobotTime arrival = RobotTime{} + from_seconds(now);
    memory.take_in(waiting(now + wait_s / 2, place), arrival, kSpeed);
    now += wait_s;
  }
  // The robot has just left for there.
  void leave_for(Vec2 place) { memory.take_in(driving(now, at_, place), std::nullopt, kSpeed); }

  GoalMemory memory;
  double now = 100;  // [s]

 private:
  Vec2 at_{-5, 0};
};

TEST(GoalMemory, KnowsNothingAtFirst) {
  const GoalMemory memory;
  EXPECT_FALSE(memory.after(kDesk));
  EXPECT_FALSE(memory.usual_wait());
  EXPECT_FALSE(memory.arrived());
  EXPECT_TRUE(memory.known().empty());
  const robot::Report report = waiting(1, kDesk);
  EXPECT_FALSE(memory.completed(report).goal);
}

TEST(GoalMemory, LearnsWhereItGoesNextAndWhen) {
  Habits habits;
  habits.visit(kKitchen, 20);
  habits.visit(kDesk, 20);
  habits.leave_for(kLab);
  const auto next = habits.memory.after({0.1, 0.2});  // roughly the kitchen
  ASSERT_TRUE(next);
  EXPECT_EQ(next->goal, kDesk);
  EXPECT_NEAR(to_seconds(next->wait), 20, 1e-6);
  ASSERT_TRUE(habits.memory.after(kDesk));
  EXPECT_EQ(habits.memory.after(kDesk)->goal, kLab);
  EXPECT_FALSE(habits.memory.after(kLab));
  EXPECT_FALSE(habits.memory.after({5, 5}));
}

TEST(GoalMemory, TheNewestHabitCounts) {
  Habits habits;
  habits.visit(kKitchen, 5);
  habits.visit(kDesk, 5);
  habits.visit(kKitchen, 5);
  habits.visit(kLab, 5);
  ASSERT_TRUE(habits.memory.after(kKitchen));
  EXPECT_EQ(habits.memory.after(kKitchen)->goal, kLab);
}

// A report on the way counts back by the way driven, at the robot's speed.
TEST(GoalMemory, KnowsWhenItLeftFromAReportLaterOn) {
  Habits habits;
  habits.visit(kKitchen, 30);
  habits.memory.take_in(driving(habits.now + 4, {4 * kSpeed, 0}, kDesk), std::nullopt, kSpeed);
  ASSERT_TRUE(habits.memory.usual_wait());
  EXPECT_NEAR(to_seconds(*habits.memory.usual_wait()), 30, 1e-6);
}

TEST(GoalMemory, TheUsualWaitIsTheMedianOne) {
  Habits habits;
  for (const double wait_s : {10.0, 200.0, 12.0, 11.0, 1.0}) {
    habits.visit(kKitchen, wait_s);
    habits.visit(kDesk, wait_s);
  }
  habits.leave_for(kLab);
  // the newest nine of 10 10 200 200 12 12 11 11 1 1
  EXPECT_NEAR(to_seconds(*habits.memory.usual_wait()), 11, 1e-6);
}

TEST(GoalMemory, WaitsOfManyMinutesSayNothing) {
  Habits habits;
  habits.visit(kKitchen, 1000);
  habits.leave_for(kDesk);
  EXPECT_FALSE(habits.memory.usual_wait());
}

TEST(GoalMemory, WithoutAReplicaTheArrivalLiesHalfWayBetweenReports) {
  GoalMemory memory;
  memory.take_in(driving(10, {0, 0}, kDesk), std::nullopt, kSpeed);
  memory.take_in(waiting(16, kDesk), std::nullopt, kSpeed);
  ASSERT_TRUE(memory.arrived());
  EXPECT_NEAR(to_seconds(*memory.arrived()), 13, 1e-6);
  // a replica that arrived before the last report on the way is wrong
  GoalMemory other;
  other.take_in(driving(10, {0, 0}, kDesk), std::nullopt, kSpeed);
  other.take_in(waiting(16, kDesk), RobotTime{} + from_seconds(9), kSpeed);
  EXPECT_NEAR(to_seconds(*other.arrived()), 13, 1e-6);
}

TEST(GoalMemory, TellsAWaitingRobotWhereItWillGo) {
  Habits habits;
  habits.visit(kKitchen, 20);
  habits.visit(kDesk, 20);
  habits.visit(kKitchen, 8);
  const robot::Report completed = habits.memory.completed(waiting(habits.now, kKitchen));
  ASSERT_TRUE(completed.goal);
  EXPECT_EQ(*completed.goal, kDesk);
  EXPECT_NEAR(to_seconds(completed.remaining_wait), 20 - 8, 1e-6);
  // long overdue: soon
  const robot::Report late = habits.memory.completed(waiting(habits.now + 100, kKitchen));
  EXPECT_GT(to_seconds(late.remaining_wait), 0);
  EXPECT_LT(to_seconds(late.remaining_wait), 5);
}

TEST(GoalMemory, LeavesRobotsAloneThatSayWhereTheyGo) {
  Habits habits;
  habits.visit(kKitchen, 20);
  habits.visit(kDesk, 20);
  habits.visit(kKitchen, 8);
  robot::Report says = waiting(habits.now, kKitchen);
  says.goal = kLab;
  says.remaining_wait = from_seconds(1);
  EXPECT_EQ(habits.memory.completed(says).goal, kLab);
  EXPECT_EQ(habits.memory.completed(says).remaining_wait, from_seconds(1));
  const robot::Report drives = driving(habits.now, kKitchen, kLab);
  EXPECT_EQ(habits.memory.completed(drives).goal, kLab);
  for (const TaskState task : {TaskState::idle, TaskState::done, TaskState::cancelled}) {
    robot::Report rests = waiting(habits.now, kKitchen);
    rests.task = task;
    EXPECT_FALSE(habits.memory.completed(rests).goal);
  }
}

TEST(GoalMemory, KnowsEachGoalOnce) {
  Habits habits;
  for (int i = 0; i < 3; ++i) {
    habits.visit(kKitchen, 5);
    habits.visit(kDesk, 5);
  }
  EXPECT_EQ(habits.memory.known().size(), 2u);
}

TEST(GoalMemory, ForgetsTheOldestWhenThereIsNoMoreRoom) {
  constexpr int kSteps = 64;
  Habits habits;
  const auto place = [](int i) { return Vec2{2.0 * i, 50}; };
  for (int i = 0; i <= kSteps; ++i) habits.visit(place(i), 5);  // as many steps as there is room for
  EXPECT_TRUE(habits.memory.after(place(0)));
  for (int i = kSteps + 1; i <= kSteps + 3; ++i) habits.visit(place(i), 5);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(habits.memory.after(place(i))) << i;
  for (int i = 3; i < kSteps + 3; ++i) {
    ASSERT_TRUE(habits.memory.after(place(i))) << i;
    EXPECT_EQ(habits.memory.after(place(i))->goal, place(i + 1));
  }
  // of the goals it keeps the newest sixteen
  ASSERT_EQ(habits.memory.known().size(), 16u);
  for (const Vec2 known : habits.memory.known()) EXPECT_GE(known.x, place(kSteps + 3 - 15).x);
}

}  // namespace
}  // namespace forerun::predict
