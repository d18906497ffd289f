// The C library as programs link it: the example's one object file, with the real robot's library.
#include "forerun/kenaf/hrt_kenaf.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <future>

#include "tests/kenaf/robot_on_a_bus.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

std::string program(const std::string& name) {
  return (std::filesystem::path(forerun_command({}).front()).parent_path() / name).string();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(HrtKenaf, TheSquareIsDrivenOverTheCanLibrary) {
  const TempFolder folder;
  RobotOnABus robot(folder.file("bus"));
  const Outcome outcome = run_process({"env", "HRT_KENAF_CAN=unix:" + folder.file("bus"), program("kenaf_square_can")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "battery 600 s")) << outcome.out;
  EXPECT_LT(std::hypot(robot.x, robot.y), 0.01);
  EXPECT_NEAR(robot.yaw_deg, 0, 3);
  EXPECT_EQ(robot.left_mm, 0);
}

TEST(HrtKenaf, WithoutARobotTheProgramEndsAndSaysWhyOnce) {
  const TempFolder folder;
  const Outcome nobody = run_process({"env", "HRT_KENAF_ADDRESS=127.0.0.1:9", program("kenaf_square_sim")});
  EXPECT_EQ(nobody.err, "hrt_kenaf_init: no robot answers at 127.0.0.1:9 within three seconds\n");
  EXPECT_TRUE(has(run_process({"env", "HRT_KENAF_ADDRESS=nowhere", program("kenaf_square_sim")}).err, "host:port"));
  EXPECT_TRUE(has(run_process({"env", "HRT_KENAF_CAN=unix:" + folder.file("none"), program("kenaf_square_can")}).err,
                  "cannot be opened"));
}

// One object file: what is linked in is the library alone.
TEST(HrtKenaf, ItsLibrariesShowNothingButTheHeader) {
  const std::string folder = std::filesystem::path(program("")).string();
  for (const char* library : {"libhrt_kenaf_sim.so", "libhrt_kenaf_can.so"}) {
    const Outcome symbols = run_process({"nm", "-D", "--defined-only", folder + library});
    ASSERT_EQ(symbols.exit_code, 0) << symbols.err;
    for (const char* name :
         {"hrt_kenaf_init", "hrt_go_forward", "hrt_turning", "hrt_show_status", "hrt_stop", "hrt_kenaf_close",
          "hrt_set_track_speeds", "hrt_set_flipper_angles", "hrt_get_status", "hrt_last_error"}) {
      EXPECT_TRUE(has(symbols.out, std::string(" T ") + name)) << library << " " << name;
    }
    EXPECT_FALSE(has(symbols.out, "forerun")) << library << "\n" << symbols.out;
  }
}

// The functions themselves, called as the header declares them.
class HrtFunctions : public testing::Test {
 protected:
  HrtFunctions() : robot_(folder_.file("bus")), library_(dlopen(program("libhrt_kenaf_can.so").c_str(), RTLD_NOW)) {
    EXPECT_NE(library_, nullptr) << dlerror();
    setenv("HRT_KENAF_CAN", ("unix:" + folder_.file("bus")).c_str(), 1);
  }
  ~HrtFunctions() override {
    EXPECT_EQ(find<decltype(hrt_kenaf_close)>("hrt_kenaf_close")(), 0);
    unsetenv("HRT_KENAF_CAN");
  }
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  std::string last_error() { return find<decltype(hrt_last_error)>("hrt_last_error")(); }

  TempFolder folder_;
  RobotOnABus robot_;
  void* library_;
};

TEST_F(HrtFunctions, RefuseWhatCannotBeWithASentence) {
  const auto set_tracks = find<decltype(hrt_set_track_speeds)>("hrt_set_track_speeds");
  const auto set_flippers = find<decltype(hrt_set_flipper_angles)>("hrt_set_flipper_angles");
  const auto get_status = find<decltype(hrt_get_status)>("hrt_get_status");
  hrt_status status{};
  EXPECT_EQ(get_status(&status), -1);
  EXPECT_EQ(last_error(), "hrt_kenaf_init() has not found the robot");
  ASSERT_EQ(find<decltype(hrt_kenaf_init)>("hrt_kenaf_init")(), 0) << last_error();
  EXPECT_EQ(find<decltype(hrt_kenaf_init)>("hrt_kenaf_init")(), 0) << "twice does no harm";
  EXPECT_EQ(set_tracks(1001, 0), -1);
  EXPECT_EQ(last_error(), "tracks are not faster than 1000 mm/s");
  EXPECT_EQ(set_tracks(0, NAN), -1);
  EXPECT_EQ(set_flippers(nullptr), -1);
  const double too_far[4] = {0, 0, 0, 181};
  EXPECT_EQ(set_flippers(too_far), -1);
  EXPECT_EQ(get_status(nullptr), -1);
  EXPECT_EQ(find<decltype(hrt_go_forward)>("hrt_go_forward")(NAN), -1);
  EXPECT_EQ(find<decltype(hrt_turning)>("hrt_turning")(INFINITY), -1);
  EXPECT_EQ(robot_.left_mm, 0);
}

TEST_F(HrtFunctions, MotorsAndEncoders) {
  ASSERT_EQ(find<decltype(hrt_kenaf_init)>("hrt_kenaf_init")(), 0) << last_error();
  hrt_status status{};
  const auto reaches = [&](auto&& wanted) {
    return wait_until([&] { return find<decltype(hrt_get_status)>("hrt_get_status")(&status) == 0 && wanted(); });
  };
  EXPECT_EQ(find<decltype(hrt_set_track_speeds)>("hrt_set_track_speeds")(100, -50), 0);
  const double up[4] = {90, 0, 0, 0};
  EXPECT_EQ(find<decltype(hrt_set_flipper_angles)>("hrt_set_flipper_angles")(up), 0);
  EXPECT_TRUE(reaches([&] { return status.left_mm > 10 && status.right_mm < -5 && status.flipper_deg[0] == 90; }));
  EXPECT_GT(status.left_ticks, 0);
  EXPECT_EQ(status.flipper_ticks[0], 500);
  EXPECT_LT(status.yaw_deg, 0);
  EXPECT_EQ(status.battery_s, 600);
  EXPECT_EQ(status.timed_out, 0);
  EXPECT_TRUE(reaches([&] { return status.age_s < 0.5; }));
  robot_.fallen = true;
  EXPECT_TRUE(reaches([&] { return status.fallen == 1; }));
}

TEST_F(HrtFunctions, AStopEndsAMoveOfAnotherThread) {
  ASSERT_EQ(find<decltype(hrt_kenaf_init)>("hrt_kenaf_init")(), 0) << last_error();
  const auto go_forward = find<decltype(hrt_go_forward)>("hrt_go_forward");
  auto move = std::async(std::launch::async, [&] {
    const int result = go_forward(5000);
    return std::pair(result, last_error());
  });
  EXPECT_TRUE(wait_until([&] { return robot_.x > 0.01; }));
  EXPECT_EQ(go_forward(10), -1);
  EXPECT_EQ(last_error(), "another thread moves the robot already");
  EXPECT_EQ(find<decltype(hrt_stop)>("hrt_stop")(), 0);
  EXPECT_EQ(move.get(), std::pair(-1, std::string("it was stopped")));
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; }));
}

// A program that does not ask what became of its moves begins the next one at once.
TEST_F(HrtFunctions, AStopComesBeforeTheNextMoveOfTheThreadThatItStops) {
  ASSERT_EQ(find<decltype(hrt_kenaf_init)>("hrt_kenaf_init")(), 0) << last_error();
  const auto go_forward = find<decltype(hrt_go_forward)>("hrt_go_forward");
  std::atomic<bool> ending = false;
  std::atomic<int> n_done = 0;
  auto moves = std::async(std::launch::async, [&] {
    while (!ending) n_done += go_forward(1000) == 0 ? 1 : 0;
  });
  for (int i = 0; i < 10 && n_done == 0; ++i) {  // who is first is chance
    const double before = robot_.x;
    EXPECT_TRUE(wait_until([&] { return robot_.x > before + 0.01; }));
    EXPECT_EQ(find<decltype(hrt_stop)>("hrt_stop")(), 0);
    EXPECT_EQ(n_done, 0) << "whole moves between the stop and its end";
  }
  ending = true;
  EXPECT_EQ(find<decltype(hrt_kenaf_close)>("hrt_kenaf_close")(), 0);
  moves.get();
  EXPECT_TRUE(wait_until([&] { return robot_.left_mm == 0; }));
}

}  // namespace
}  // namespace forerun::test
