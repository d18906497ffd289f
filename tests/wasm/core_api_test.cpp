// The C interface of core.wasm, natively: sanitizers see it here, Node runs it as WebAssembly.
#include "forerun/wasm/core_api.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/results.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::wasm {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A wall across it leaves two passages, from y = 3 to 4 and from y = 5 on.
std::vector<std::uint8_t> make_bundle() {
  world::World world = make_room({0, 0}, {12, 6});
  world.name = "hall";
  add_box(world, {6, 1.5, 0}, {0.2, 3}, 2);
  add_box(world, {6, 4.5, 0}, {0.2, 1}, 2);
  robot::Description robot;
  robot.name = "tester";
  robot.drive = robot::make_differential({});
  robot.sensors.push_back(robot::Laser{.beams = 90});
  robot.sensors.push_back(robot::SonarRing{.count = 12});
  return sim::pack_model(world, robot);
}

std::vector<std::uint8_t> make_body(std::uint32_t sequence, double time_s,
                                    const std::optional<robot::SeenThings>& seen = {}) {
  robot::Report report;
  report.sequence = sequence;
  report.time = RobotTime{} + from_seconds(time_s);
  report.state = {{2, 2, 0}, {0.3, 0, 0}};
  report.goal = Vec2{10, 2};
  report.task = robot::TaskState::driving;
  report.limits = {0.5, 1.0};
  report.seen = seen;
  const auto body = sync::encode_report(report);
  return {body->begin(), body->end()};
}

std::string text() { return {forerun_text(), forerun_text_size()}; }

class CoreApi : public testing::Test {
 protected:
  CoreApi() {
    const auto bundle = make_bundle();
    model = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
    predictor = forerun_predictor_create(model);
  }
  ~CoreApi() override {
    forerun_model_free(model);  // before what was made from it
    forerun_predictor_free(predictor);
  }
  CoreApi(const CoreApi&) = delete;
  CoreApi& operator=(const CoreApi&) = delete;

  int resync(const std::vector<std::uint8_t>& body) {
    return forerun_predictor_resync(predictor, body.data(), static_cast<std::uint32_t>(body.size()));
  }

  // What it costs by the model's value function to get to the right half from the left.
  float cost() {
    EXPECT_GT(forerun_plan(model), 0);
    const double cell = forerun_numbers()[2], low_x = forerun_numbers()[3], low_y = forerun_numbers()[4];
    const int width = static_cast<int>(forerun_numbers()[0]);
    EXPECT_GT(forerun_value_function(model, 10, 2), 0);
    return forerun_cells()[static_cast<int>((2 - low_y) / cell) * width + static_cast<int>((2 - low_x) / cell)];
  }

  ForerunModel* model = nullptr;
  ForerunPredictor* predictor = nullptr;
};

TEST_F(CoreApi, RefusesABundleThatIsNoneAndSaysWhy) {
  const std::uint8_t bytes[] = {1, 2, 3};
  EXPECT_EQ(forerun_model_create(bytes, 3), nullptr);
  EXPECT_NE(text().find("FRMODEL2"), std::string::npos) << text();
  EXPECT_EQ(forerun_model_create(nullptr, 0), nullptr);
}

TEST_F(CoreApi, TakesReportsWithSectionsOfAnyKind) {
  std::vector<std::uint8_t> body = make_body(1, 5);
  body.insert(body.end(), {250, 2, 0, 7, 7});
  EXPECT_EQ(forerun_decode_report(body.data(), static_cast<std::uint32_t>(body.size())), FORERUN_OK);
  EXPECT_EQ(results().numbers.size(), std::size_t{FORERUN_REPORT_SIZE});
  EXPECT_EQ(forerun_numbers()[FORERUN_REPORT_GOAL_X], 10);
  EXPECT_EQ(resync(body), FORERUN_OK);
  body.pop_back();
  EXPECT_EQ(forerun_decode_report(body.data(), static_cast<std::uint32_t>(body.size())), FORERUN_REFUSED);
  EXPECT_NE(text().find("malformed"), std::string::npos) << text();
}

TEST_F(CoreApi, RefusesEveryBundleThatWasCut) {
  const auto bundle = make_bundle();
  for (std::size_t size = 0; size < bundle.size(); size += 7) {
    const std::vector<std::uint8_t> part(bundle.begin(), bundle.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_EQ(forerun_model_create(part.data(), static_cast<std::uint32_t>(size)), nullptr) << size;
  }
}

TEST_F(CoreApi, PredictsThatADrivingRobotDrivesOn) {
  EXPECT_EQ(forerun_predictor_advance(predictor, 0), FORERUN_NOT_YET);
  EXPECT_EQ(forerun_predictor_show(predictor, 0.1), FORERUN_NOT_YET);
  ASSERT_EQ(resync(make_body(1, 5)), FORERUN_OK);
  EXPECT_EQ(resync(make_body(1, 5)), FORERUN_IGNORED);
  ASSERT_EQ(forerun_predictor_advance(predictor, from_seconds(9).ns), FORERUN_OK);
  const double* predicted = forerun_numbers();
  EXPECT_GT(predicted[FORERUN_PREDICTED_X], 2.5);
  EXPECT_DOUBLE_EQ(predicted[FORERUN_PREDICTED_GAP], 4);
  static_assert(FORERUN_REGION_RADIUS == 0);
  EXPECT_GE(predicted[FORERUN_PREDICTED_IN95], predicted[FORERUN_PREDICTED_IN50]);
  EXPECT_NEAR(predicted[FORERUN_PREDICTED_EXTRAPOLATED], 3.2, 1e-3);
}

TEST_F(CoreApi, FramesAllocateNothing) {
  ASSERT_EQ(resync(make_body(1, 5)), FORERUN_OK);
  const auto frames = [&](double from_s) {
    for (int i = 0; i < 50; ++i) {
      forerun_predictor_advance(predictor, from_seconds(from_s + 0.02 * i).ns);
      forerun_predictor_show(predictor, 0.02);
    }
  };
  frames(5);
  const AllocationCounter counter;
  frames(6);
  EXPECT_EQ(counter.count(), 0u);
}

TEST_F(CoreApi, StandsStillBeyondTheHorizon) {
  ASSERT_EQ(resync(make_body(1, 5)), FORERUN_OK);
  EXPECT_EQ(forerun_predictor_advance(predictor, std::numeric_limits<std::int64_t>::max()), FORERUN_STALE);
  EXPECT_NEAR(forerun_numbers()[FORERUN_PREDICTED_GAP], FORERUN_HORIZON_S, 1e-9);
  EXPECT_EQ(forerun_predictor_advance(predictor, std::numeric_limits<std::int64_t>::min()), FORERUN_OK);
}

TEST_F(CoreApi, TheValueFunctionFollowsWhatTheRobotTells) {
  const float as_modelled = cost();
  ASSERT_EQ(resync(make_body(1, 5)), FORERUN_OK);
  EXPECT_EQ(forerun_plan_as_told(model, predictor), 0);
  robot::SeenThings seen;
  seen.changes.push_back({.number = 1, .pose = {6, 3.5, 0}, .half_length = 0.3, .half_width = 0.5});
  ASSERT_EQ(resync(make_body(2, 6, seen)), FORERUN_OK);
  EXPECT_EQ(cost(), as_modelled);
  EXPECT_EQ(forerun_plan_as_told(model, predictor), 1);
  EXPECT_EQ(forerun_plan_as_told(model, predictor), 0);
  EXPECT_GT(cost(), as_modelled + 0.5F);
  EXPECT_EQ(forerun_plan_as_told(model, nullptr), 1);
  EXPECT_EQ(cost(), as_modelled);
}

TEST_F(CoreApi, RefusesPlacesThatAreNone) {
  EXPECT_EQ(forerun_check_place(model, 2, 2), FORERUN_OK);
  EXPECT_EQ(forerun_check_place(model, 6, 1.5), FORERUN_REFUSED);
  EXPECT_NE(text().find("obstacle"), std::string::npos) << text();
  for (const double x : {kNan, 1e300, -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(forerun_check_place(model, x, 2), FORERUN_REFUSED);
    EXPECT_EQ(forerun_value_function(model, x, 2), FORERUN_REFUSED);
    EXPECT_EQ(forerun_path_from(model, x, 2), FORERUN_REFUSED);
    EXPECT_EQ(forerun_beams(model, 2, x, 0), FORERUN_REFUSED);
  }
  EXPECT_EQ(forerun_predictor_look_ahead(predictor, 10, 1), FORERUN_NOT_YET);
  ASSERT_EQ(resync(make_body(1, 5)), FORERUN_OK);
  for (const double s : {kNan, -1.0, 0.0, 1e9}) EXPECT_EQ(forerun_predictor_look_ahead(predictor, 10, s), -1);
  for (const double s : {kNan, -1.0, 0.0, 1e9}) EXPECT_EQ(forerun_predictor_show(predictor, s), -1);
}

TEST_F(CoreApi, BeamsEndAtTheWalls) {
  const int n_beams = forerun_beams(model, 2, 3, 0);
  ASSERT_EQ(n_beams, 12 + 90);
  for (int i = 0; i < n_beams; ++i) {
    const double* beam = forerun_numbers() + i * FORERUN_BEAM_SIZE;
    if (beam[FORERUN_BEAM_KIND] != 0 || beam[FORERUN_BEAM_ECHO] == 0) continue;
    const double x = beam[FORERUN_BEAM_TO_X], y = beam[FORERUN_BEAM_TO_Y];
    const double to_room = std::min({std::fabs(x), std::fabs(x - 12), std::fabs(y), std::fabs(y - 6)});
    const double to_low = std::max(std::fabs(x - 6) - 0.1, std::fabs(y - 1.5) - 1.5);
    const double to_high = std::max(std::fabs(x - 6) - 0.1, std::fabs(y - 4.5) - 0.5);
    EXPECT_LT(std::min({to_room, std::fabs(to_low), std::fabs(to_high)}), 0.06) << x << ", " << y;
  }
}

TEST_F(CoreApi, RefusesScenariosThatAreNone) {
  const std::vector<std::vector<double>> bad = {{},
                                                {1, 1, 0, 1, 0},
                                                {1, 1, 0, kNan, 0},
                                                {1, 1, 0, -1, 0},
                                                {1, 1, 0, 1e30, 0},
                                                {1, 1, 0, 0, 1, 5, 0, 0},
                                                {6, 1.5, 0, 0, 0}};
  for (const auto& numbers : bad) {
    EXPECT_EQ(forerun_simulation_create(model, numbers.data(), static_cast<std::uint32_t>(numbers.size()), 0, 1),
              nullptr);
    EXPECT_GT(text().size(), 10u);
  }
  const std::vector<double> good = {1, 1, 0, 1, 0, 3, 1, 0};
  EXPECT_EQ(forerun_simulation_create(model, good.data(), 8, 4, 1), nullptr);
  ForerunSimulation* simulation = forerun_simulation_create(model, good.data(), 8, 1, 1);
  ASSERT_NE(simulation, nullptr) << text();
  EXPECT_EQ(forerun_simulation_run(simulation, 100), 1);
  forerun_simulation_state(simulation);
  EXPECT_EQ(forerun_numbers()[FORERUN_SIMULATED_REACHED], 1);
  forerun_simulation_free(simulation);
}

TEST_F(CoreApi, SimulationsTakeCommandsAsNativeOnesDo) {
  const std::vector<double> scenario = {1, 1, 0, 1, 0, 3, 1, 0};
  ForerunSimulation* simulation = forerun_simulation_create(model, scenario.data(), 8, 0, 1);
  ASSERT_NE(simulation, nullptr) << text();
  const auto x_after = [&](double time_s) {
    forerun_simulation_run(simulation, time_s);
    forerun_simulation_state(simulation);
    return forerun_numbers()[FORERUN_SIMULATED_X];
  };
  const double before = x_after(0.5);
  ASSERT_EQ(forerun_simulation_command(simulation, FORERUN_COMMAND_DRIVE, -0.2, 0, 0), FORERUN_OK) << text();
  EXPECT_LT(x_after(3), before - 0.1);
  EXPECT_EQ(forerun_simulation_command(simulation, FORERUN_COMMAND_GOAL, 500, 500, 0), FORERUN_REFUSED);
  EXPECT_NE(text().find("outside the world"), std::string::npos);
  EXPECT_EQ(forerun_simulation_command(simulation, FORERUN_COMMAND_DRIVE, kNan, 0, 0), FORERUN_REFUSED);
  EXPECT_EQ(forerun_simulation_command(simulation, 9, 0, 0, 0), FORERUN_REFUSED);
  ASSERT_EQ(forerun_simulation_command(simulation, FORERUN_COMMAND_GOAL, 3, 1, 0), FORERUN_OK) << text();
  EXPECT_NEAR(x_after(100), 3, 0.3);
  forerun_simulation_free(simulation);
}

// What a call needs at most is asked for before: in fixed memory nobody can be told later.
TEST(Capacity, GrowsWithWhatIsAskedFor) {
  EXPECT_TRUE(check_room("a little", 1e6));
  const auto refused = check_room("the world huge", 1e15);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("the world huge needs about 1000000000 MB"), std::string::npos);
  const world::World small = make_room({0, 0}, {10, 10}), large = make_room({0, 0}, {100, 100});
  EXPECT_GT(bytes_for_plan(large, 0.05), 90 * bytes_for_plan(small, 0.05));
  EXPECT_GT(bytes_for_sensors(large, {}), bytes_for_sensors(small, {}));
}

}  // namespace
}  // namespace forerun::wasm
