// Missions made through the C interface of core.wasm, natively.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "forerun/io/mission_file.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/wasm/core_api.h"
#include "tests/support/outings.hpp"

namespace forerun::wasm {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> kUsual = {3, 3, 3, 5};

std::string text() { return {forerun_text(), forerun_text_size()}; }

class RehearsalApi : public testing::Test {
 protected:
  RehearsalApi() {
    const auto bundle = sim::pack_model(make_hall(), make_hall_robot());
    model = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
    rehearsal = forerun_rehearsal_create(model, 1.5, 1.5, 0);
    forerun_model_free(model);  // before what was made from it
  }
  ~RehearsalApi() override { forerun_rehearsal_free(rehearsal); }

  void drive(double v, double w, double duration_s) {
    for (double t = 0; t < duration_s; t += 0.1) ASSERT_EQ(forerun_rehearsal_drive(rehearsal, v, 0, w, 0.1), 0);
    for (int i = 0; i < 100 && forerun_rehearsal_drive(rehearsal, 0, 0, 0, 0.1) == 0; ++i) continue;
  }
  int send(double x, double y, double wait_s, const std::string& action = {}) {
    return forerun_rehearsal_send(rehearsal, x, y, wait_s, reinterpret_cast<const std::uint8_t*>(action.data()),
                                  static_cast<std::uint32_t>(action.size()));
  }
  void go_to(double x, double y, const std::string& action = {}) {
    ASSERT_EQ(send(x, y, 0, action), FORERUN_OK) << text();
    ASSERT_EQ(forerun_rehearsal_run(rehearsal, 300), 1) << text();
  }
  int trim(const std::vector<double>& numbers = kUsual) {
    return forerun_rehearsal_trim(rehearsal, numbers.data(), static_cast<std::uint32_t>(numbers.size()));
  }
  double state(int which) {
    forerun_rehearsal_state(rehearsal);
    return forerun_numbers()[which];
  }
  int write(const std::string& name) {
    return forerun_rehearsal_write(rehearsal, reinterpret_cast<const std::uint8_t*>(name.data()),
                                   static_cast<std::uint32_t>(name.size()));
  }

  ForerunModel* model = nullptr;
  ForerunRehearsal* rehearsal = nullptr;
};

TEST_F(RehearsalApi, FromTheTryOutToTheMissionFile) {
  go_to(3.5, 1.5);
  drive(-0.3, 0, 3);  // there and back again: redundant
  drive(0.3, 0, 4);
  ASSERT_GE(trim(), 1) << text();
  const int n_cuts = forerun_rehearsal_cuts(rehearsal);
  ASSERT_GE(n_cuts, 1);
  const double* cut = forerun_numbers();
  EXPECT_EQ(cut[FORERUN_CUT_KIND], 1);
  EXPECT_GT(cut[FORERUN_CUT_LENGTH], 0.5);
  EXPECT_LT(cut[FORERUN_CUT_FROM], cut[FORERUN_CUT_TO]);
  EXPECT_EQ(cut[FORERUN_CUT_APPLIED], 1);

  ASSERT_GT(forerun_rehearsal_compute(rehearsal), 10) << text();
  forerun_rehearsal_trial(rehearsal);
  const double shorter = forerun_numbers()[FORERUN_TRIAL_LENGTH];
  EXPECT_GT(forerun_numbers()[FORERUN_TRIAL_MIN_CLEARANCE], 0.05);
  ASSERT_GT(write("rounds"), 100) << text();
  const std::string file(forerun_bytes(), forerun_bytes() + write("rounds"));
  const auto read = io::parse_mission(file, "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mission.name, "rounds");
  EXPECT_TRUE(io::check_fits(read->mission, make_hall_robot(), "m.json"));

  ASSERT_EQ(forerun_rehearsal_apply(rehearsal, 0, 0), FORERUN_OK);
  EXPECT_EQ(write("rounds"), FORERUN_REFUSED) << "of other cuts";
  ASSERT_GT(forerun_rehearsal_compute(rehearsal), 10) << text();
  forerun_rehearsal_trial(rehearsal);
  EXPECT_GT(forerun_numbers()[FORERUN_TRIAL_LENGTH], shorter + 0.5);
}

// What is packed here is what the program signs, and what a predictor is told of the robot's mission.
TEST_F(RehearsalApi, APackedMissionIsKnownToAPredictor) {
  go_to(4, 4, "photo");
  ASSERT_GE(trim(), 0);
  const int n = forerun_rehearsal_compute(rehearsal);
  ASSERT_EQ(forerun_rehearsal_actions(rehearsal), 1) << text();
  EXPECT_NE(text().find(",\"photo\"]]"), std::string::npos) << text();
  const std::string name = "rounds";
  const int size = forerun_rehearsal_pack(rehearsal, reinterpret_cast<const std::uint8_t*>(name.data()), 6);
  ASSERT_GT(size, 22 * n) << text();
  const std::vector<std::uint8_t> packed(forerun_bytes(), forerun_bytes() + size);
  const auto read = mission::mission_from_bytes(packed);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, "rounds");

  const auto bundle = sim::pack_model(make_hall(), make_hall_robot());
  model = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
  ForerunPredictor* predictor = forerun_predictor_create(model);
  const auto object = mission::pack_signed({}, packed);
  const auto know = [&](std::size_t n_bytes) {
    return forerun_predictor_mission(predictor, 7, object.data(), static_cast<std::uint32_t>(n_bytes));
  };
  ASSERT_EQ(know(object.size()), n) << text();
  EXPECT_EQ(text().rfind("rounds\n[[", 0), 0u) << text();
  EXPECT_NE(text().find(",\"photo\"]]"), std::string::npos) << text();
  EXPECT_NEAR(forerun_numbers()[(n - 1) * FORERUN_TIMED_SIZE + FORERUN_TIMED_X], read->path.back().pose.x, 1e-9);
  for (const std::size_t n_bytes : {std::size_t{0}, std::size_t{100}, object.size() - 1}) {
    EXPECT_EQ(know(n_bytes), FORERUN_REFUSED);
    EXPECT_GT(text().size(), 10u);
  }
  forerun_predictor_free(predictor);
  forerun_model_free(model);
}

TEST_F(RehearsalApi, TheMissionsPathHasTimesSpeedsAndRoom) {
  go_to(4, 4);
  ASSERT_GE(trim(), 0);
  const int n = forerun_rehearsal_compute(rehearsal);
  ASSERT_EQ(forerun_rehearsal_mission_path(rehearsal), n);
  for (int i = 1; i < n; ++i) {
    const double* point = forerun_numbers() + i * FORERUN_TIMED_SIZE;
    EXPECT_GT(point[FORERUN_TIMED_TIME], point[FORERUN_TIMED_TIME - FORERUN_TIMED_SIZE]);
    EXPECT_GT(point[FORERUN_TIMED_CLEARANCE], 0);
  }
}

TEST_F(RehearsalApi, KeptPlacesLoseNothing) {
  drive(0.3, 0, 5);
  drive(-0.3, 0, 3);
  drive(0.3, 0, 4);
  const int n_cuts = trim();
  ASSERT_GE(n_cuts, 1);
  EXPECT_LT(trim({3, 3, 3, 5, 2.5, 1.5, 3}), n_cuts);
  ASSERT_GE(forerun_rehearsal_uncut(rehearsal), 1);
  EXPECT_EQ(forerun_numbers()[FORERUN_UNCUT_WHY], 1);
}

TEST_F(RehearsalApi, StretchesAreTakenBack) {
  drive(0.3, 0, 2);
  const double x = state(FORERUN_PHANTOM_X), length = state(FORERUN_PHANTOM_LENGTH);
  go_to(4, 4);
  EXPECT_EQ(state(FORERUN_PHANTOM_STRETCHES), 2);
  EXPECT_GT(state(FORERUN_PHANTOM_LENGTH), length + 2);
  ASSERT_EQ(forerun_rehearsal_keep(rehearsal, 1), FORERUN_OK);
  EXPECT_EQ(state(FORERUN_PHANTOM_X), x);
  EXPECT_EQ(state(FORERUN_PHANTOM_LENGTH), length);
  const int n_points = static_cast<int>(state(FORERUN_PHANTOM_POINTS));
  EXPECT_EQ(forerun_rehearsal_path(rehearsal, n_points - 1), 1);
  EXPECT_EQ(forerun_numbers()[FORERUN_TRIED_X], x);
}

TEST_F(RehearsalApi, ContactsAreMarkedWhereTheyBegan) {
  drive(-0.3, 0, 8);  // into the wall behind it
  EXPECT_EQ(state(FORERUN_PHANTOM_COLLISIONS), 1);
  const int n = forerun_rehearsal_path(rehearsal, 0);
  int n_touched = 0;
  for (int i = 0; i < n; ++i) n_touched += forerun_numbers()[i * FORERUN_TRIED_SIZE + FORERUN_TRIED_TOUCHED] == 1;
  EXPECT_EQ(n_touched, 1);
}

TEST_F(RehearsalApi, BadInputIsRefusedInASentence) {
  const auto refused = [](int status) { return status == FORERUN_REFUSED && text().size() > 10; };
  EXPECT_TRUE(refused(forerun_rehearsal_drive(rehearsal, kNan, 0, 0, 0.1)));
  EXPECT_TRUE(refused(forerun_rehearsal_drive(rehearsal, 0.1, 0, 0, kNan)));
  EXPECT_TRUE(refused(send(kNan, 0, 0)));
  EXPECT_TRUE(refused(send(10.75, 1, 0))) << "no way leads into the cell";
  EXPECT_TRUE(refused(send(3, 3, 1e9)));
  EXPECT_TRUE(refused(send(3, 3, 0, "two words")));
  EXPECT_TRUE(refused(forerun_rehearsal_actions(rehearsal)));
  EXPECT_TRUE(refused(forerun_rehearsal_run(rehearsal, -1)));
  EXPECT_TRUE(refused(forerun_rehearsal_keep(rehearsal, -1)));
  EXPECT_TRUE(refused(forerun_rehearsal_path(rehearsal, 2)));
  EXPECT_TRUE(refused(forerun_rehearsal_cuts(rehearsal)));
  EXPECT_TRUE(refused(forerun_rehearsal_compute(rehearsal)));
  EXPECT_TRUE(refused(write("early")));
  for (const std::vector<double>& numbers :
       {std::vector<double>{}, {3, 3, 3}, {3, 3, 3, 5, 1}, {-1, 3, 3, 5}, {kNan, 3, 3, 5}, {3, 3, 3, 5, 0, 0, 0}}) {
    EXPECT_TRUE(refused(trim(numbers)));
  }
  EXPECT_EQ(trim(), 0);
  EXPECT_TRUE(refused(forerun_rehearsal_compute(rehearsal))) << "it has not moved";
  EXPECT_TRUE(refused(forerun_rehearsal_apply(rehearsal, 0, 0)));
  go_to(3, 3);
  ASSERT_GE(trim(), 0);
  ASSERT_GT(forerun_rehearsal_compute(rehearsal), 0);
  for (const std::string& name : {std::string(), std::string(101, 'a'), std::string("a\nb"), std::string("\xff")}) {
    EXPECT_TRUE(refused(write(name)));
  }
}

TEST(RehearsalApiStart, MustBeAPlaceWhereThePhantomCanStand) {
  const auto bundle = sim::pack_model(make_hall(), make_hall_robot());
  ForerunModel* model = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
  for (const double x : {kNan, -5.0, 1e300, 6.0}) EXPECT_EQ(forerun_rehearsal_create(model, x, 2, 0), nullptr);
  EXPECT_EQ(forerun_rehearsal_create(model, 2, 2, kNan), nullptr);
  forerun_model_free(model);
}

}  // namespace
}  // namespace forerun::wasm
