#include "forerun/draw/plan_picture.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "forerun/atlas/world_yaml.hpp"
#include "forerun/base/random.hpp"
#include "forerun/draw/plan_shapes.hpp"
#include "forerun/draw/simplify.hpp"
#include "forerun/geom/box.hpp"
#include "forerun/io/file.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::draw {
namespace {

world::World room() {
  const auto world = atlas::parse_world_yaml(R"(
rooms: [{from: [0, 0], to: [6, 4]}]
doorways: [{at: [1, 0], door: {name: d, hinge: east, swings: north}}]
windows: [{at: [4, 4]}]
boxes: [{at: [3, 2], size_m: [1, 0.5], height_m: 0.7}, {at: [5.5, 2], size_m: [0.4, 1], height_m: 2}]
)",
                                             "w.world.yaml");
  EXPECT_TRUE(world) << world.error().message;
  return *world;
}

double area(const std::vector<PlanFace>& faces) {
  double sum = 0;
  for (const PlanFace& face : faces) {
    for (const auto& t : face.triangles) sum += cross(t[1] - t[0], t[2] - t[0]) / 2;
  }
  return sum;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(PlanShapes, TheCutGoesThroughWallsAndTallThingsOnly) {
  const PlanShapes plan = make_plan(room(), 1.25);
  EXPECT_NEAR(area(plan.floors), 24, 1e-9);
  // four walls, each corner in two of them, minus doorway and window, plus the pane and the tall box
  const double walls = 0.15 * (2 * 6.15 + 2 * 4.15 - 1.0 - 1.2), pane = 0.02 * 1.2, tall = 0.4;
  EXPECT_NEAR(area(plan.cut), walls + pane + tall, 1e-9);
  // below the cut: the low box and the wall under the window
  EXPECT_NEAR(area(plan.furniture), 0.5 + 0.15 * 1.2, 1e-9);
}

TEST(PlanShapes, TheOutlineOfABoxHasFourEdges) {
  const PlanShapes plan = make_plan(room(), 1.25);
  for (const PlanFace& face : plan.furniture) EXPECT_EQ(face.outline.size(), 4u);
}

TEST(PlanPicture, DrawsWhatWasAdded) {
  PlanPicture picture("a < b & c");
  picture.set_subtitle("below");
  picture.add_world(room());
  const std::vector<Vec2> path{{1, 1}, {2, 2}, {3, 1}};
  picture.add_path(path, {.label = "truth"});
  picture.add_path(path, {.colour = "#00aa00", .dashed = true, .label = "prediction"});
  picture.add_goal({5, 3}, "1", "office");
  picture.add_start({1, 1, 0});
  picture.add_robot({2, 2, 1}, {.label = "robot"});
  const std::string svg = picture.svg();
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 4u);
  EXPECT_EQ(count(svg, "truth"), 1u);
  EXPECT_NE(svg.find("office"), std::string::npos);
  EXPECT_NE(svg.find(" m</text>"), std::string::npos) << "a scale bar";
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlanPicture, YRunsUpwards) {
  const auto height_of_goal = [](Vec2 goal) {
    PlanPicture picture("t");
    picture.add_world(room());
    picture.add_goal(goal, "1");
    const std::string svg = picture.svg();
    const std::size_t at = svg.find("cy=\"") + 4;
    return std::stod(svg.substr(at));
  };
  EXPECT_LT(height_of_goal({1, 3}), height_of_goal({1, 1}));
}

TEST(PlanPicture, ShadesAValueFunction) {
  Grid<float> values({4, 3, 0.5, {0, 0}}, std::numeric_limits<float>::infinity());
  values[Cell{1, 1}] = 0;
  values[Cell{2, 1}] = 1;
  PlanPicture picture("t");
  picture.add_value_function(values, 0.5);
  const std::string svg = picture.svg();
  EXPECT_EQ(count(svg, "data:image/png;base64,iVBORw0KGgo"), 1u);
}

TEST(PlanPicture, AnEmptyPictureIsStillAPicture) {
  const std::string svg = PlanPicture("nothing").svg();
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(PlanPicture, IsWrittenToAFile) {
  const test::TempFolder folder;
  PlanPicture picture("t");
  picture.add_world(room());
  ASSERT_TRUE(picture.write(folder.file("p.svg")));
  EXPECT_EQ(*io::read_file(folder.file("p.svg"), 1u << 20), picture.svg());
}

TEST(Simplify, NothingMovesFartherThanTheTolerance) {
  Random random(11);
  std::vector<Vec2> points{{0, 0}};
  for (int i = 0; i < 2000; ++i)
    points.push_back(points.back() + Vec2{random.uniform(-0.01, 0.02), random.normal() * 0.004});
  const std::vector<Vec2> fewer = simplify(points, 0.01);
  EXPECT_LT(fewer.size(), points.size() / 3);
  EXPECT_EQ(fewer.front(), points.front());
  EXPECT_EQ(fewer.back(), points.back());
  for (const Vec2 p : points) {
    double nearest = kInfinity;
    for (std::size_t i = 1; i < fewer.size(); ++i) {
      nearest = std::min(nearest, distance(p, nearest_point({fewer[i - 1], fewer[i]}, p)));
    }
    EXPECT_LE(nearest, 0.01 + 1e-12);
  }
}

TEST(Simplify, ALoopKeepsItsFarSide) {
  const std::vector<Vec2> loop{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  EXPECT_EQ(simplify(loop, 0.01).size(), 5u);
}

}  // namespace
}  // namespace forerun::draw
