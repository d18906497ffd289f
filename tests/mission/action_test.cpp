#include "forerun/mission/action.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace forerun::mission {
namespace {

// Drives, stands from 2 s to 3 s, and drives on.
const robot::TimedPath kPath = {
    {0, {}, {}}, {1, {0.2, 0, 0}, {0.2, 0, 0}}, {2, {0.3, 0, 0}, {}}, {3, {0.3, 0, 0}, {}}, {4, {0.5, 0, 0}, {}}};

TEST(Action, NamesAreShortAndPlain) {
  for (const char* name : {"photo", "open-gripper", "Valve_7", "x", "01234567890123456789012345678901"}) {
    EXPECT_TRUE(is_action_name(name)) << name;
  }
  for (const char* name : {"", "two words", "caf\xc3\xa9", "a,b", "a\nb", "\"", "012345678901234567890123456789012"}) {
    EXPECT_FALSE(is_action_name(name)) << name;
  }
}

TEST(Action, BelongsToAPlaceWhereThePathStands) {
  const auto why = [](const std::vector<Action>& actions) {
    const auto ok = check_actions(actions, kPath);
    return ok ? "" : ok.error().message;
  };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{0, "a"}, {2, "b"}, {2.5, "c"}, {4, "d"}}), "");
  EXPECT_EQ(why({{1, "a"}}), "the mission's action at 1.00 s is where the robot does not stand");
  EXPECT_EQ(why({{2, "a b"}}), "the name of an action must have 1 to 32 letters, digits, _ and -");
  const char* order = "is not in the order of their times, or not on the path";
  EXPECT_EQ(why({{2, "a"}, {2, "b"}}), std::string("the mission's action at 2.00 s ") + order);
  EXPECT_EQ(why({{4.5, "a"}}), std::string("the mission's action at 4.50 s ") + order);
  EXPECT_NE(why({{NAN, "a"}}), "");
  EXPECT_EQ(why(std::vector<Action>(501, {2, "a"})), "the mission has more than 500 actions");
}

TEST(Action, IsKnownByTheTimeThatReportsTell) {
  const std::vector<Action> actions = {{2, "a"}, {2.05, "b"}};
  EXPECT_EQ(action_at(actions, 2.001), &actions[0]);
  EXPECT_EQ(action_at(actions, 2.05), &actions[1]);
  EXPECT_EQ(action_at(actions, 2.003), nullptr);
  EXPECT_EQ(action_at({}, 2), nullptr);
}

}  // namespace
}  // namespace forerun::mission
