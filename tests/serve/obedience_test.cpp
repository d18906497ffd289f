// A report follows what the robot was told.
#include "forerun/serve/obedience.hpp"

#include <gtest/gtest.h>

namespace forerun::serve {
namespace {

constexpr RobotTime at(double seconds) { return RobotTime{} + from_seconds(seconds); }

TEST(Obedience, WantsAReportSoonAfterACommandAndOneOnly) {
  Obedience obedience;
  EXPECT_FALSE(obedience.wants_report(at(0), 0));
  EXPECT_FALSE(obedience.wants_report(at(1.0), 1)) << "the robot's state does not show it yet";
  EXPECT_TRUE(obedience.wants_report(at(1.2), 1));
  obedience.on_sent();
  EXPECT_FALSE(obedience.wants_report(at(1.3), 1));
  EXPECT_FALSE(obedience.wants_report(at(60), 1));
}

TEST(Obedience, AStreamOfCommandsBringsAStreamOfReports) {
  Obedience obedience;
  int n_reports = 0;
  for (int i = 0; i < 100; ++i) {
    if (!obedience.wants_report(at(0.1 * i), static_cast<std::uint64_t>(i))) continue;
    obedience.on_sent();
    ++n_reports;
  }
  EXPECT_GE(n_reports, 30);
  EXPECT_LE(n_reports, 60);
}

}  // namespace
}  // namespace forerun::serve
