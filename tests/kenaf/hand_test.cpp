// The hand of examples/kenaf_operator, and what it writes to examples/kenaf_controller.
#include <gtest/gtest.h>

#include "examples/kenaf_hand.hpp"

namespace kenaf_operation {
namespace {

TEST(KenafHand, AKeyThatIsLetGoStopsTheRobot) {
  Hand hand;
  EXPECT_TRUE(hand.press('w', 0));
  EXPECT_EQ(hand.order(0.1).left_mm, 150);
  EXPECT_EQ(hand.order(0.1).right_mm, 150);
  EXPECT_EQ(hand.order(0.49).left_mm, 150) << "keyboards wait before they repeat";
  EXPECT_EQ(hand.order(0.51).left_mm, 0);
  double now = 0.6;
  for (hand.press('w', now); now < 3; now += 0.03) hand.press('w', now);
  EXPECT_EQ(hand.order(now).left_mm, 150);
  EXPECT_EQ(hand.order(now + Hand::kRepeated_s).left_mm, 0) << "sooner, once they do";
}

TEST(KenafHand, TurnsAndCurves) {
  Hand hand;
  hand.press('a', 0);
  EXPECT_EQ(hand.order(0.1).left_mm, -150);
  EXPECT_EQ(hand.order(0.1).right_mm, 150);
  hand.press('w', 0.1);
  EXPECT_EQ(hand.order(0.2).left_mm, 0);
  EXPECT_EQ(hand.order(0.2).right_mm, 150);
  hand.press('d', 0.2);
  EXPECT_EQ(hand.order(0.3).right_mm, 0);
}

TEST(KenafHand, SpaceStopsAtOnceAndDigitsChooseTheSpeed) {
  Hand hand;
  hand.press('3', 0);
  hand.press('s', 0);
  EXPECT_EQ(hand.order(0.1).left_mm, -300);
  hand.press(' ', 0.1);
  EXPECT_EQ(hand.order(0.1).left_mm, 0);
  EXPECT_FALSE(hand.press('?', 0.1));
}

TEST(KenafHand, FlippersStayUntilTheyAreMovedFromWhereTheyAre) {
  Hand hand;
  hand.see_flippers(30, -20);
  EXPECT_EQ(hand.order(0).moves_flippers, 0);
  hand.press('r', 0);
  hand.press('g', 0);
  EXPECT_EQ(hand.order(0).moves_flippers, 1);
  EXPECT_EQ(hand.order(0).front_deg, 35);
  EXPECT_EQ(hand.order(0).rear_deg, -25);
  hand.see_flippers(0, 0);
  EXPECT_EQ(hand.order(0).front_deg, 35) << "on their way they are elsewhere";
  for (int i = 0; i < 100; ++i) hand.press('r', 0);
  EXPECT_EQ(hand.order(0).front_deg, kMostAngle_deg);
}

TEST(KenafHand, AStickDrivesUntilItIsLetGo) {
  Hand hand;
  hand.push(0.5, 0.1);
  EXPECT_EQ(hand.order(100).left_mm, 75) << "a little beside the middle is the middle";
  hand.push(1, 1);
  EXPECT_EQ(hand.order(100).left_mm, 0);
  EXPECT_EQ(hand.order(100).right_mm, 150);
  hand.push(0, 0);
  EXPECT_EQ(hand.order(100).right_mm, 0);
  hand.lift_by_buttons(1, -1);
  for (double now = 100; now < 101.01; now += 0.05) static_cast<void>(hand.order(now));
  EXPECT_NEAR(hand.order(101).front_deg, Hand::kFlipperRate, 3);
  EXPECT_NEAR(hand.order(101).rear_deg, -Hand::kFlipperRate, 3);
}

TEST(KenafOperation, OrdersAndReportsComeBackAsTheyWere) {
  const Order order{4000000000u, 7, -150, 150.5, 1, 45, -45};
  const auto back = parse_order(to_text(order));
  ASSERT_TRUE(back);
  EXPECT_EQ(to_text(*back), to_text(order));
  const Report report{7, 1, 2, {3, 4, 5, 6}, 7, 8, 9, 1000, 1, 0.5};
  EXPECT_EQ(to_text(*parse_report(to_text(report))), to_text(report));
}

TEST(KenafOperation, OrdersThatNoRobotCanCarryOutAreNone) {
  for (const char* text :
       {"", "KENAF-ORDER 1", "KENAF-ORDER 2 1 1 0 0 0 0 0\n", "KENAF-ORDER 1 1 1 0 0 0 0\n",
        "KENAF-ORDER 1 1 1 nan 0 0 0 0\n", "KENAF-ORDER 1 1 1 0 inf 0 0 0\n", "KENAF-ORDER 1 1 1 601 0 0 0 0\n",
        "KENAF-ORDER 1 1 1 0 0 1 180 0\n", "KENAF-ORDER 1 1 1 0 0 0 0 0 \n", "KENAF-ORDER 1 1 1 0 0 0 0 0"}) {
    EXPECT_FALSE(parse_order(text)) << text;
  }
  EXPECT_FALSE(parse_report("KENAF-REPORT 1 7 1 2"));
}

}  // namespace
}  // namespace kenaf_operation
