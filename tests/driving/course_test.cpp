// Lines through small worlds: robots of all shipped kinds fit through.
#include "forerun/driving/course.hpp"

#include <gtest/gtest.h>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/navigate/planning_model.hpp"

namespace forerun::driving {
namespace {

class CourseTest : public testing::TestWithParam<const char*> {
 protected:
  CourseTest() : robot_(*io::load_robot(*io::find_file(io::FileKind::robot, GetParam()))) {}
  robot::Description robot_;
};

TEST_P(CourseTest, LinesAreFreeAndHavePointsAtEqualDistances) {
  for (const Course& course : {make_slalom(robot_), make_doorway(robot_), make_docking(robot_)}) {
    const auto planning = navigate::make_planning_model(course.world, robot_);
    ASSERT_TRUE(planning) << course.name;
    for (std::size_t i = 0; i < course.line.size(); ++i) {
      const Cell cell = planning->grid.frame().cell_of(course.line[i]);
      EXPECT_TRUE(planning->grid.is_free(cell)) << course.name << " " << course.line[i].x << ", " << course.line[i].y;
      if (i == 0) continue;
      EXPECT_NEAR(distance(course.line[i - 1], course.line[i]), Course::kStep, 0.002) << course.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, CourseTest, testing::Values("turtle", "rhino", "create", "scout", "ssl"));

TEST(Course, FindsPlacesOnItsLine) {
  const Course course = make_doorway({});
  const OnLine left = find_on_line(course, {1, 0.2}, 0.5), right = find_on_line(course, {1, -0.3}, 0.5);
  EXPECT_NEAR(left.along, 1, 1e-9);
  EXPECT_NEAR(left.off, 0.2, 1e-9);
  EXPECT_NEAR(right.off, -0.3, 1e-9);
  EXPECT_NEAR(bend_at(course, 1), 0, 1e-9);
  EXPECT_NEAR(direction_at(course, length_of(course)), 0.5 * kPi, 1e-6);
  for (double along = 0; along < length_of(course); along += 0.31) {
    EXPECT_NEAR(find_on_line(course, place_at(course, along), along + 0.4).along, along, 0.01);
  }
}

}  // namespace
}  // namespace forerun::driving
