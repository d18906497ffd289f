#include "forerun/robot/convex_outline.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "forerun/base/math.hpp"

namespace forerun::robot {
namespace {

using Corners = std::vector<Vec2>;

TEST(ConvexOutline, ConvexIsLeftTurnsOnceAround) {
  const Corners square{{0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}};
  EXPECT_TRUE(is_convex(square));
  EXPECT_FALSE(is_convex(Corners(square.rbegin(), square.rend()))) << "clockwise";
  EXPECT_FALSE(is_convex(Corners{{0.3, -0.2}, {0.3, 0.2}})) << "two corners";
  EXPECT_FALSE(is_convex(Corners{{1, 0}, {0.1, 0.1}, {0, 1}, {-1, -1}})) << "dented";
  EXPECT_FALSE(is_convex(Corners{{1, 0}, {0.5, 0.5}, {0, 1}, {-1, -1}})) << "three in a line";
  Corners twice_around;
  for (int i = 0; i < 5; ++i) twice_around.push_back(unit_vector(i * 2 * kTwoPi / 5));
  EXPECT_FALSE(is_convex(twice_around));
}

TEST(ConvexOutline, TheOriginIsInside) {
  EXPECT_TRUE(encloses_origin(Corners{{1, -1}, {1, 1}, {-1, 0}}));
  EXPECT_FALSE(encloses_origin(Corners{{3, -1}, {3, 1}, {2, 0}}));
  EXPECT_FALSE(encloses_origin(Corners{{1, 0}, {0, 1}, {-1, 0}})) << "on the edge";
}

}  // namespace
}  // namespace forerun::robot
