#include "forerun/base/time.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace forerun {
namespace {

TEST(Time, SecondsRoundToTheNearestNanosecond) {
  EXPECT_EQ(from_seconds(0).ns, 0);
  EXPECT_EQ(from_seconds(0.25).ns, 250000000);
  EXPECT_EQ(from_seconds(0.1).ns, 100000000);
  EXPECT_EQ(from_seconds(1e-9 * 1.4).ns, 1);
  EXPECT_EQ(from_seconds(1e-9 * 1.6).ns, 2);
  EXPECT_EQ(from_seconds(-1e-9 * 1.6).ns, -2);
  EXPECT_EQ(from_seconds(-0.02).ns, -20000000);
}

TEST(Time, AThousandStepsMakeExactlyTheWhole) {
  RobotTime t;
  for (int i = 0; i < 1000; ++i) t += from_seconds(0.001);
  EXPECT_EQ(t, RobotTime{} + from_seconds(1));
  EXPECT_EQ(to_seconds(t), 1.0);
}

TEST(Time, DifferencesAndOrder) {
  const RobotTime a{100};
  const RobotTime b = a + Duration{50};
  EXPECT_EQ(b - a, Duration{50});
  EXPECT_EQ((b - Duration{50}), a);
  EXPECT_LT(a, b);
  EXPECT_GT(Duration{3}, Duration{2});
  EXPECT_EQ(Duration{3} + Duration{2} - Duration{1}, Duration{4});
}

template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST(Time, TwoClocksDoNotMix) {
  static_assert(Subtractable<RobotTime, RobotTime>);
  static_assert(!Subtractable<RobotTime, OperatorTime>);
  static_assert(!Comparable<RobotTime, OperatorTime>);
  static_assert(!Addable<RobotTime, RobotTime>);
  static_assert(!std::is_convertible_v<RobotTime, OperatorTime>);
}

}  // namespace
}  // namespace forerun
