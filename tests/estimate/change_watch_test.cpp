// What a robot finds out about where its world is not as its model says.
#include "forerun/estimate/change_watch.hpp"

#include <gtest/gtest.h>

#include "forerun/sense/seen_world.hpp"
#include "forerun/sense/sensors.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::estimate {
namespace {

using robot::Change;
using world::Mover;

world::World hall_with_door(bool open) {
  world::World world = make_hall();
  // in the gap above the wall at x = 6
  world.doors.push_back(
      {.name = "gap", .hinge = {6, 4}, .width = 1.0, .closed_angle = kPi / 2, .open_angle = kPi, .open = open});
  return world;
}

// A robot that stands, or is somewhere else at each scan, among things that its world's model may have or not.
class ChangeWatchTest : public testing::Test {
 protected:
  void begin(const world::World& known) {
    known_ = known;
    // the sensors see no doors of their own: leaves are movers
    sensors_.emplace(known, robot_);
    watch_.emplace(known, robot_);
    readings_ = sense::make_readings(robot_);
  }
  // For so long, an eighth of a second at a time.
  void look(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 8 + 0.5); ++i) scan();
  }
  void scan() {
    now_ += from_seconds(0.125);
    for (Mover& mover : movers_) {
      mover.pose.x += 0.125 * walks_.x;
      mover.pose.y += 0.125 * walks_.y;
    }
    for (std::size_t i = 0; i < readings_.sensors.size(); ++i) {
      readings_.sensors[i].time = now_;
      sensors_->read(i, {.pose = pose_, .movers = movers_}, random_, readings_.sensors[i]);
    }
    watch_->observe({pose_.x + off_.x, pose_.y + off_.y, pose_.theta + off_.theta}, readings_);
  }
  [[nodiscard]] std::optional<robot::SeenThings> told() { return watch_->tell(now_, pose_.position()); }

  robot::Description robot_ = make_hall_robot();
  world::World known_;
  std::optional<sense::Sensors> sensors_;
  std::optional<ChangeWatch> watch_;
  sense::Readings readings_;
  Random random_{1, 1};
  RobotTime now_;
  Pose2 pose_{3, 3, 0};
  Pose2 off_;                  // what it believes, from where it is
  std::vector<Mover> movers_;  // that are truly there
  Vec2 walks_;                 // all of them [m/s]
};

TEST_F(ChangeWatchTest, WhereAllIsAsTheModelSaysThereIsNothingToTell) {
  begin(make_hall());
  for (const Vec2 place : {Vec2{1, 1}, Vec2{3, 3}, Vec2{5, 5.2}, Vec2{8, 4}}) {
    pose_ = {place.x, place.y, 0.7};
    off_ = {0.05, -0.04, 0.02};
    look(2);
  }
  EXPECT_TRUE(watch_->changes().empty());
  EXPECT_FALSE(told());
}

TEST_F(ChangeWatchTest, ABoxIsToldWithinASecond) {
  begin(make_hall());
  movers_ = {world::make_box({4.6, 2.2, 0.3}, {0.4, 0.4}, 0.8, 0)};
  look(1);
  ASSERT_EQ(watch_->changes().size(), 1u);
  const Change& box = watch_->changes()[0];
  EXPECT_EQ(box.kind, Change::Kind::box);
  // its front is what can be seen of it
  EXPECT_LT(distance(box.pose.position(), {4.6, 2.2}), 0.25);
  EXPECT_LE(box.half_length, 0.35);
}

TEST_F(ChangeWatchTest, ABoxGrowsWhenItsOtherSidesComeIntoSight) {
  begin(make_hall());
  movers_ = {world::make_box({3, 2, 0.0}, {0.8, 0.4}, 0.8, 0)};
  pose_ = {3, 3.6, 0};
  look(1);
  ASSERT_EQ(watch_->changes().size(), 1u);
  const std::uint16_t number = watch_->changes()[0].number;
  for (const Vec2 place : {Vec2{1.5, 2.8}, Vec2{1.2, 1.5}, Vec2{3, 0.8}, Vec2{4.8, 1.5}}) {
    pose_ = {place.x, place.y, 0};
    look(1);
  }
  ASSERT_EQ(watch_->changes().size(), 1u) << "it is one thing";
  const Change& box = watch_->changes()[0];
  EXPECT_EQ(box.number, number);
  EXPECT_NEAR(box.half_length * box.half_width, 0.4 * 0.2, 0.03);
  EXPECT_LT(distance(box.pose.position(), {3, 2}), 0.08);
}

TEST_F(ChangeWatchTest, ABoxThatWasTakenAwayIsNoLongerTold) {
  begin(make_hall());
  movers_ = {world::make_box({4.6, 2.2, 0.3}, {0.4, 0.4}, 0.8, 0)};
  look(1);
  ASSERT_EQ(watch_->changes().size(), 1u);
  ASSERT_TRUE(told());
  movers_.clear();
  look(1);
  EXPECT_TRUE(watch_->changes().empty());
  const auto things = told();
  ASSERT_TRUE(things) << "that there is nothing left is told for a while";
  EXPECT_TRUE(things->changes.empty());
  EXPECT_EQ(things->first, 0);
  EXPECT_EQ(things->last, 0xffff);
}

TEST_F(ChangeWatchTest, ABoxThatIsOutOfSightStays) {
  begin(make_hall());
  movers_ = {world::make_box({4.6, 2.2, 0.3}, {0.4, 0.4}, 0.8, 0)};
  look(1);
  pose_ = {8, 1, 0};  // behind the wall
  look(3);
  EXPECT_EQ(watch_->changes().size(), 1u);
}

TEST_F(ChangeWatchTest, SomebodyWhoWalksIsToldAsMovingAndNotAsABox) {
  begin(make_hall());
  movers_ = {world::make_disc({1.2, 4.5}, 0.25, 1.7, 0)};
  walks_ = {0.8, 0};
  look(2);
  EXPECT_TRUE(watch_->changes().empty());
  const auto things = told();
  ASSERT_TRUE(things);
  ASSERT_EQ(things->moving.size(), 1u);
  EXPECT_NEAR(things->moving[0].velocity.x, 0.8, 0.15);
  EXPECT_NEAR(things->moving[0].velocity.y, 0, 0.15);
  EXPECT_LT(distance(things->moving[0].position, movers_[0].pose.position()), 0.2);
}

// At x = 3 one laser's beams end and the other's begin.
TEST_F(ChangeWatchTest, SomebodyWhoWalksFromOneLasersViewIntoTheOthersIsOnePerson) {
  begin(make_hall());
  movers_ = {world::make_disc({2.4, 4.5}, 0.25, 1.7, 0)};
  walks_ = {0.8, 0};
  look(0.5);
  for (int i = 0; i < 10; ++i) {
    scan();
    const auto things = told();
    ASSERT_TRUE(things);
    ASSERT_EQ(things->moving.size(), 1u);
    EXPECT_NEAR(things->moving[0].velocity.x, 0.8, 0.15);
  }
}

// The second comes when the first is known, near its end: a box round both would lie in the robot's view.
TEST_F(ChangeWatchTest, ThingsBetweenWhichBeamsPassAreTwo) {
  begin(make_hall());
  movers_ = {world::make_box({3, 2, 0}, {0.9, 0.1}, 0.8, 0)};
  pose_ = {2.4, 4, 0};
  look(1.5);
  movers_.push_back(world::make_box({3.55, 2.5, 0}, {0.1, 0.8}, 0.8, 0));
  look(1.5);
  EXPECT_EQ(watch_->changes().size(), 2u);
}

TEST_F(ChangeWatchTest, ADoorIsToldWhenItClosesAndNotWhenItOpensAgain) {
  begin(hall_with_door(true));
  pose_ = {4.5, 4.5, 0};
  const auto stand = [&](double opening) { movers_ = {world::make_leaf(known_.doors[0], opening)}; };
  stand(1);
  look(1);
  EXPECT_TRUE(watch_->changes().empty());
  stand(0);
  look(1);
  ASSERT_EQ(watch_->changes().size(), 1u);
  EXPECT_EQ(watch_->changes()[0].kind, Change::Kind::door);
  EXPECT_EQ(watch_->changes()[0].door, 0);
  EXPECT_NEAR(watch_->changes()[0].opening, 0, 0.1);
  stand(1);
  look(1);
  EXPECT_TRUE(watch_->changes().empty());
}

TEST_F(ChangeWatchTest, ADoorThatIsClosedInTheModelIsToldWhenItStandsOpen) {
  begin(hall_with_door(false));
  pose_ = {4.5, 4.8, 0};
  movers_ = {world::make_leaf(known_.doors[0], 1)};
  look(1);
  ASSERT_EQ(watch_->changes().size(), 1u);
  EXPECT_EQ(watch_->changes()[0].kind, Change::Kind::door);
  EXPECT_NEAR(watch_->changes()[0].opening, 1, 0.15);
}

TEST_F(ChangeWatchTest, ARobotThatIsLostTellsNothing) {
  begin(make_hall());
  off_ = {3, 1, 1.2};
  look(3);
  EXPECT_TRUE(watch_->changes().empty());
}

TEST_F(ChangeWatchTest, MoreChangesThanAReportHoldsAreToldInTurn) {
  begin(make_room({0, 0}, {12, 12}));
  pose_ = {6, 6, 0};
  for (int i = 0; i < 16; ++i) {
    const Vec2 at = Vec2{6, 6} + unit_vector(kTwoPi * i / 16) * (3.5 + i % 2);
    movers_.push_back(world::make_box({at.x, at.y, 0}, {0.4, 0.4}, 0.8, 0));
  }
  look(2);
  ASSERT_EQ(watch_->changes().size(), 16u);
  sense::SeenWorld seen({}, 2);
  for (int i = 0; i < 2; ++i) {
    robot::Report report;
    report.seen = told();
    ASSERT_TRUE(report.seen);
    seen.take(report);
  }
  EXPECT_TRUE(
      std::equal(seen.changes().begin(), seen.changes().end(), watch_->changes().begin(), watch_->changes().end()));
}

TEST_F(ChangeWatchTest, NumbersNeverRunOut) {
  begin(hall_with_door(true));
  pose_ = {4.5, 4.5, 0};
  const Mover box = world::make_box({4.6, 2.2, 0.3}, {0.4, 0.4}, 0.8, 0);
  std::uint16_t highest = 0;
  bool again = false;
  for (int i = 0; i < 1100; ++i) {
    for (const double opening : {0.0, 1.0}) {
      movers_ = {box, world::make_leaf(known_.doors[0], opening)};
      look(1);
      ASSERT_EQ(watch_->changes().size(), opening == 0 ? 2u : 1u) << i;
      const std::uint16_t number = watch_->changes().back().number;
      again = again || number < highest;
      highest = std::max(highest, number);
    }
  }
  EXPECT_TRUE(again);
  EXPECT_LE(highest, 1001);
}

TEST_F(ChangeWatchTest, LookingAllocatesNothing) {
  begin(hall_with_door(true));
  movers_ = {world::make_box({4.6, 2.2, 0.3}, {0.4, 0.4}, 0.8, 0), world::make_disc({1.2, 4.5}, 0.25, 1.7, 0)};
  look(1);
  const AllocationCounter counter;
  look(2);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::estimate
