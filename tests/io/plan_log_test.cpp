// The plans of a recorded drive.
#include "forerun/io/plan_log.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temp_folder.hpp"

namespace forerun::io {
namespace {

std::string complaint(const std::string& text) {
  const auto plans = parse_plan_log(text, "d.plan.csv");
  return plans ? "none" : plans.error().message;
}

TEST(PlanLog, EachRowIsAPlanFromItsTimeOn) {
  const auto plans = parse_plan_log("t_s,path_x_y_m\n3.70,-17.5 -0.25;-18 -0.5\r\n\n47,1 2\n50,\n", "d.plan.csv");
  ASSERT_TRUE(plans) << plans.error().message;
  ASSERT_EQ(plans->size(), 3u);
  EXPECT_EQ((*plans)[0].time, 3.7);
  EXPECT_EQ((*plans)[0].points, (std::vector<Vec2>{{-17.5, -0.25}, {-18, -0.5}}));
  EXPECT_EQ((*plans)[1].points, (std::vector<Vec2>{{1, 2}}));
  EXPECT_TRUE((*plans)[2].points.empty()) << "no plan any more";
}

TEST(PlanLog, ColumnsCountByTheirPlace) {
  const auto plans = parse_plan_log("\xef\xbb\xbf\"when\",\"way\"\n \"1\" , \"1 2; 3\t4 ;\" \n", "d.plan.csv");
  ASSERT_TRUE(plans) << plans.error().message;
  ASSERT_EQ(plans->size(), 1u);
  EXPECT_EQ((*plans)[0].points, (std::vector<Vec2>{{1, 2}, {3, 4}}));
}

TEST(PlanLog, SaysWhichLineIsWrongAndWhy) {
  EXPECT_EQ(complaint(""), "d.plan.csv is empty, but must begin with a header such as t_s,path_x_y_m");
  EXPECT_EQ(complaint("1,2 3\n"),
            "d.plan.csv:1: the header is \"1,2 3\", but must name columns, such as t_s,path_x_y_m");
  EXPECT_EQ(complaint("t_s,p\n1\n"),
            "d.plan.csv:2: the line is \"1\", but must have two fields: a time, and points x y;x y;…");
  EXPECT_EQ(complaint("t_s,p\n1,1 2\nsoon,1 2\n"),
            "d.plan.csv:3: the time is \"soon\", but must be a number within ±4000000000");
  EXPECT_EQ(complaint("t_s,p\n1,1 2;3\n"),
            "d.plan.csv:2: point 2 is \"3\", but must be x and y with a blank between them, each within ±100000");
  EXPECT_NE(complaint("t_s,p\n1,1 nan\n").find("point 1 is \"1 nan\""), std::string::npos);
  EXPECT_NE(complaint("t_s,p\n1,1 2 3\n").find("point 1 is \"1 2 3\""), std::string::npos);
  EXPECT_NE(complaint("t_s,p\n1,1 2;;3 4\n").find("point 2 is \"\""), std::string::npos);
  EXPECT_NE(complaint("t_s,p\n1,-1e6 2\n").find("point 1"), std::string::npos);
  EXPECT_EQ(complaint("t_s,p\n5,1 2\n4,1 2\n"), "d.plan.csv:3: the time falls from 5 to 4, but must rise");
}

TEST(PlanLog, StandsBesideItsDriveLog) {
  const test::TempFolder folder;
  std::ofstream(folder.file("a.plan.csv")) << "t_s,p\n1,1 2\n";
  for (const char* name : {"a.csv", "a.csv.gz"}) {
    DriveLog log;
    const auto added = add_plans(folder.file(name), log);
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(log.plans.size(), 1u) << name;
  }
  DriveLog other;
  ASSERT_TRUE(add_plans(folder.file("b.csv"), other));
  EXPECT_TRUE(other.plans.empty());
  std::ofstream(folder.file("a.plan.csv")) << "t_s,p\nsoon,1 2\n";
  const auto wrong = add_plans(folder.file("a.csv"), other);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("a.plan.csv:2: "), std::string::npos) << wrong.error().message;
}

}  // namespace
}  // namespace forerun::io
