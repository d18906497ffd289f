// The C library as programs link it: the example's one object file, with the real robot's library.
#include "forerun/kenaf/hrt_kenaf.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/kenaf/robot_on_a_bus.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temp_folder.hpp"

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

}  // namespace
}  // namespace forerun::test
