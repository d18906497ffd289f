#include "forerun/mission/rehearsal.hpp"

#include <gtest/gtest.h>

#include "tests/mission/hall_mission.hpp"

namespace forerun::mission {
namespace {

TEST(Rehearsal, AMissionIsDrivenToItsEndNearItsPath) {
  const Mission mission = make_hall_mission();
  const auto done = rehearse(mission, make_hall(), make_hall_robot());
  ASSERT_TRUE(done);
  EXPECT_EQ(done->state, MissionState::done) << done->why;
  EXPECT_EQ(done->collisions, 0);
  EXPECT_LT(done->cross_track_max_m, 0.02);
  EXPECT_LT(done->duration_s, mission.path.back().time + 3);
  EXPECT_GT(done->min_clearance_m, 0.05);
}

TEST(Rehearsal, AWallThatAppearedSinceIsFound) {
  const Mission mission = make_hall_mission();
  world::World changed = make_hall();
  EXPECT_FALSE(find_obstruction(mission, *make_rehearsed_world(changed, make_hall_robot())));
  const Pose2 middle = point_at(mission.path, mission.path.back().time / 2).pose;
  add_box(changed, {middle.x, middle.y, 0}, {0.5, 0.5}, 1);
  const auto found = find_obstruction(mission, *make_rehearsed_world(changed, make_hall_robot()));
  ASSERT_TRUE(found);
  EXPECT_LT(distance(found->place, middle.position()), 1);
}

TEST(Rehearsal, ClearanceIsTheRoomAroundTheFootprint) {
  const world::World room = make_room({0, 0}, {4, 4});
  const world::Outline outline(room, {0.05, 1});
  const robot::Footprint disc{.radius = 0.3};
  EXPECT_NEAR(clearance(disc, {1, 2, 0}, outline), 0.7, 1e-9);
  EXPECT_EQ(clearance(disc, {0.2, 2, 0}, outline), 0);
}

}  // namespace
}  // namespace forerun::mission
