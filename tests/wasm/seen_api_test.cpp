// What robots have seen, through the C interface: where it stands now, and where who moves is expected.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/wasm/core_api.h"
#include "tests/support/small_worlds.hpp"

namespace forerun::wasm {
namespace {

// A room with one door in the middle, closed, hinged at (6, 2); open it stands along x.
std::vector<std::uint8_t> make_bundle() {
  world::World world = make_room({0, 0}, {12, 6});
  world::Door door;
  door.name = "door";
  door.hinge = {6, 2};
  door.width = 1;
  door.closed_angle = kPi / 2;
  door.open_angle = 0;
  door.open = false;
  world.doors.push_back(door);
  robot::Description robot;
  robot.name = "tester";
  robot.drive = robot::make_differential({});
  robot.sensors.push_back(robot::Laser{.beams = 90});
  return sim::pack_model(world, robot);
}

robot::Change make_box(std::uint16_t number) {
  return {.number = number, .pose = {3, 4, 0.5 * kPi}, .half_length = 0.3, .half_width = 0.2};
}
robot::Change make_door(std::uint16_t number, std::uint16_t door, double opening) {
  return {.number = number, .kind = robot::Change::Kind::door, .door = door, .opening = opening};
}

class SeenApi : public testing::Test {
 protected:
  SeenApi() {
    const auto bundle = make_bundle();
    model = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
    predictor = forerun_predictor_create(model);
  }
  ~SeenApi() override {
    forerun_predictor_free(predictor);
    forerun_model_free(model);
  }
  SeenApi(const SeenApi&) = delete;
  SeenApi& operator=(const SeenApi&) = delete;

  void say(double time_s, const robot::SeenThings& seen) {
    robot::Report report;
    report.sequence = ++sequence;
    report.time = RobotTime{} + from_seconds(time_s);
    report.state = {{2, 2, 0}, {}};
    report.seen = seen;
    const auto body = sync::encode_report(report);
    ASSERT_TRUE(body);
    ASSERT_GE(forerun_predictor_resync(predictor, body->data(), static_cast<std::uint32_t>(body->size())), 0);
  }
  // Row `i` of what is seen at this time.
  std::vector<double> look(double time_s, int n_expected, int i = 0) {
    EXPECT_EQ(forerun_predictor_seen(predictor, from_seconds(time_s).ns), n_expected);
    const double* row = forerun_numbers() + static_cast<std::ptrdiff_t>(i) * FORERUN_SEEN_SIZE;
    return {row, row + FORERUN_SEEN_SIZE};
  }

  ForerunModel* model = nullptr;
  ForerunPredictor* predictor = nullptr;
  std::uint32_t sequence = 0;
};

TEST_F(SeenApi, NothingIsKnownBeforeTheFirstReport) {
  EXPECT_EQ(forerun_predictor_seen(predictor, 0), FORERUN_NOT_YET);
}

TEST_F(SeenApi, ABoxIsWhereTheRobotSaidUntilItSaysThatItIsGone) {
  robot::SeenThings seen;
  seen.changes.push_back(make_box(7));
  say(5, seen);
  const auto box = look(100, 1);
  EXPECT_EQ(box[FORERUN_SEEN_KIND], FORERUN_THING_BOX);
  EXPECT_NEAR(box[FORERUN_SEEN_X], 3, 0.006);
  EXPECT_NEAR(box[FORERUN_SEEN_Y], 4, 0.006);
  EXPECT_NEAR(box[FORERUN_SEEN_HEADING], 0.5 * kPi, 0.01);
  EXPECT_NEAR(box[FORERUN_SEEN_HALF_LENGTH], 0.3, 1e-9);
  EXPECT_NEAR(box[FORERUN_SEEN_HALF_WIDTH], 0.2, 1e-9);
  EXPECT_EQ(box[FORERUN_SEEN_TRUST], 1);
  EXPECT_EQ(box[FORERUN_SEEN_DOOR], -1);
  say(6, {});
  look(6, 0);
}

TEST_F(SeenApi, ADoorIsItsLeafAsItStandsNow) {
  robot::SeenThings seen;
  seen.changes.push_back(make_door(1, 0, 1));
  say(5, seen);
  const auto door = look(5, 1);
  EXPECT_EQ(door[FORERUN_SEEN_KIND], FORERUN_THING_DOOR);
  EXPECT_NEAR(door[FORERUN_SEEN_X], 6.5, 1e-9);
  EXPECT_NEAR(door[FORERUN_SEEN_Y], 2, 1e-9);
  EXPECT_NEAR(door[FORERUN_SEEN_HEADING], 0, 1e-9);
  EXPECT_NEAR(door[FORERUN_SEEN_HALF_LENGTH], 0.5, 1e-9);
  EXPECT_EQ(door[FORERUN_SEEN_DOOR], 0);
  EXPECT_EQ(door[FORERUN_SEEN_OPENING], 1);
}

TEST_F(SeenApi, ADoorThatTheWorldDoesNotHaveIsLeftOut) {
  robot::SeenThings seen;
  seen.changes.push_back(make_door(1, 9, 1));
  seen.changes.push_back(make_box(2));
  say(5, seen);
  EXPECT_EQ(look(5, 1)[FORERUN_SEEN_KIND], FORERUN_THING_BOX);
}

TEST_F(SeenApi, WhoMovesGoesOnAndThenFades) {
  robot::SeenThings seen;
  seen.changes.push_back(make_box(2));
  seen.moving.push_back({{8, 3}, {0, 0.5}, 0.25});
  say(5, seen);
  const auto at_first = look(5, 2, 1), later = look(7, 2, 1), fading = look(8.5, 2, 1);
  EXPECT_EQ(at_first[FORERUN_SEEN_KIND], FORERUN_THING_MOVING);
  EXPECT_NEAR(at_first[FORERUN_SEEN_Y], 3, 0.006);
  EXPECT_NEAR(at_first[FORERUN_SEEN_HEADING], 0.5 * kPi, 1e-6);
  EXPECT_NEAR(at_first[FORERUN_SEEN_HALF_LENGTH], 0.25, 1e-9);
  EXPECT_NEAR(later[FORERUN_SEEN_X], 8, 0.006);
  EXPECT_NEAR(later[FORERUN_SEEN_Y], 4, 0.006);
  EXPECT_EQ(later[FORERUN_SEEN_TRUST], 1);
  EXPECT_NEAR(fading[FORERUN_SEEN_TRUST], 0.5, 1e-6);
  look(20, 1);  // the box is still there
}

// How far the beam straight ahead of the robot at (2, 4.5) goes.
TEST_F(SeenApi, BeamsEndAtWhatWasSeenForAsLongAsItIs) {
  const auto ahead = [&](double time_s) {
    const int n = forerun_predictor_beams(predictor, model, from_seconds(time_s).ns, 2, 4.5, 0);
    double shortest = 100;
    for (int i = 0; i < n; ++i) {
      const double* beam = forerun_numbers() + static_cast<std::ptrdiff_t>(i) * FORERUN_BEAM_SIZE;
      const Vec2 way{beam[FORERUN_BEAM_TO_X] - 2, beam[FORERUN_BEAM_TO_Y] - 4.5};
      if (std::fabs(way.y) < 0.02 * way.x) shortest = std::min(shortest, way.x);
    }
    return shortest;
  };
  EXPECT_EQ(forerun_predictor_beams(predictor, model, 0, 2, 2, 0), FORERUN_NOT_YET);
  say(1, {});
  EXPECT_NEAR(ahead(1), 10, 0.1) << "the wall";
  robot::SeenThings seen;
  seen.changes.push_back({.number = 1, .pose = {5, 4.5, 0}, .half_length = 0.5, .half_width = 0.5});
  seen.moving.push_back({{4, 2.5}, {0, 1}, 0.25});
  say(2, seen);
  EXPECT_NEAR(ahead(2), 2.5, 0.1) << "the box";
  EXPECT_NEAR(ahead(4), 1.75, 0.1) << "somebody before it";
  EXPECT_NEAR(ahead(30), 2.5, 0.1) << "the box";
  say(31, {});
  EXPECT_NEAR(ahead(31), 10, 0.1) << "the wall";
}

TEST_F(SeenApi, BeamsGoWhereADoorWasSeenOpen) {
  const auto through = [&] {
    const int n = forerun_predictor_beams(predictor, model, 0, 5, 2.5, 0);
    double farthest = 0;
    for (int i = 0; i < n; ++i) {
      const double* beam = forerun_numbers() + static_cast<std::ptrdiff_t>(i) * FORERUN_BEAM_SIZE;
      if (std::fabs(beam[FORERUN_BEAM_TO_Y] - 2.5) < 0.2) farthest = std::max(farthest, beam[FORERUN_BEAM_TO_X]);
    }
    return farthest;
  };
  say(1, {});
  EXPECT_NEAR(through(), 6, 0.1);
  robot::SeenThings seen;
  seen.changes.push_back(make_door(1, 0, 1));
  say(2, seen);
  EXPECT_NEAR(through(), 12, 0.1);
}

TEST_F(SeenApi, BeamsOfAnotherModelAreRefused) {
  const auto bundle = make_bundle();
  ForerunModel* other = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
  say(1, {});
  EXPECT_EQ(forerun_predictor_beams(predictor, other, 0, 2, 2, 0), FORERUN_REFUSED);
  forerun_model_free(other);
}

TEST_F(SeenApi, NoTimeIsTooEarlyOrTooLate) {
  robot::SeenThings seen;
  seen.moving.push_back({{8, 3}, {0, 0.5}, 0.25});
  say(5, seen);
  EXPECT_EQ(forerun_predictor_seen(predictor, std::numeric_limits<std::int64_t>::min()), 1);
  EXPECT_NEAR(forerun_numbers()[FORERUN_SEEN_Y], 3, 0.006);
  EXPECT_EQ(forerun_predictor_seen(predictor, std::numeric_limits<std::int64_t>::max()), 0);
}

}  // namespace
}  // namespace forerun::wasm
