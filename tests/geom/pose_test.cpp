// Poses obey the laws of a group: at the identity, at tiny poses and at random ones.
#include "forerun/geom/pose.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "forerun/base/random.hpp"

namespace forerun {
namespace {

void expect_same(const Pose2& a, const Pose2& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(normalize_angle(a.theta - b.theta), 0, tolerance);
}

std::vector<Pose2> sample_poses() {
  std::vector<Pose2> poses = {{}, {1e-12, -1e-12, 1e-12}, {1, 2, kPi / 2}, {0, 0, -kPi}, {-3, 0.5, 3.1415926}};
  Random random(21);
  for (int i = 0; i < 40; ++i) {
    poses.push_back({random.uniform(-50, 50), random.uniform(-50, 50), random.uniform(-kPi, kPi)});
  }
  return poses;
}

TEST(Pose2, IdentityChangesNothing) {
  for (const Pose2& pose : sample_poses()) {
    expect_same(Pose2{} * pose, pose, 1e-15);
    expect_same(pose * Pose2{}, pose, 1e-15);
  }
}

TEST(Pose2, InverseUndoes) {
  for (const Pose2& pose : sample_poses()) {
    expect_same(inverse(pose) * pose, {}, 1e-13);
    expect_same(pose * inverse(pose), {}, 1e-13);
    expect_same(inverse(inverse(pose)), pose, 1e-13);
  }
}

TEST(Pose2, CompositionIsAssociative) {
  const auto poses = sample_poses();
  for (std::size_t i = 2; i < poses.size(); ++i) {
    expect_same((poses[i - 2] * poses[i - 1]) * poses[i], poses[i - 2] * (poses[i - 1] * poses[i]), 1e-12);
  }
}

TEST(Pose2, InverseOfAProductIsTheProductOfInversesReversed) {
  const auto poses = sample_poses();
  for (std::size_t i = 1; i < poses.size(); ++i) {
    expect_same(inverse(poses[i - 1] * poses[i]), inverse(poses[i]) * inverse(poses[i - 1]), 1e-12);
  }
}

TEST(Pose2, FramesCancel) {
  Random random(22);
  const auto poses = sample_poses();
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Pose2& world_from_robot = poses[i - 1];
    const Pose2& robot_from_laser = poses[i];
    const Vec2 point_in_laser{random.uniform(-5, 5), random.uniform(-5, 5)};
    const Vec2 in_two_steps = world_from_robot * (robot_from_laser * point_in_laser);
    const Vec2 at_once = (world_from_robot * robot_from_laser) * point_in_laser;
    EXPECT_LT(distance(in_two_steps, at_once), 1e-12);
  }
}

TEST(Pose2, KnownQuarterTurn) {
  const Pose2 world_from_robot{1, 2, kPi / 2};
  const Vec2 p = world_from_robot * Vec2{3, 0};
  EXPECT_NEAR(p.x, 1, 1e-15);
  EXPECT_NEAR(p.y, 5, 1e-15);
}

TEST(Transform2, ToLocalUndoesTheTransformAndRotationKeepsLength) {
  Random random(23);
  for (const Pose2& pose : sample_poses()) {
    const Transform2 transform(pose);
    const Vec2 point{random.uniform(-9, 9), random.uniform(-9, 9)};
    EXPECT_LT(distance(transform.to_local(transform * point), point), 1e-12);
    EXPECT_NEAR(length(transform.rotate(point)), length(point), 1e-14 * 10);
  }
}

}  // namespace
}  // namespace forerun
