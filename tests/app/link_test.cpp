// The whole link with real programs and real sockets: serve, impair and view recover by themselves from whatever
// happens to the network.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/app/link_programs.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::test {
namespace {

std::string write_profile(const TempFolder& folder) {
  const std::string path = folder.file("clean.yaml");
  folder.write("clean.yaml", "name: clean\nboth: {delay_s: 0.02, jitter_s: 0.005, loss: 0.02}\n");
  return path;
}

TEST(LinkEndToEnd, AGoalGivenByTheViewerIsDrivenTo) {
  Link link;
  link.serve();
  link.view(link.server_address);
  ASSERT_FALSE(link.await_open().is_null());
  const json verified = link.await([](const json& l) { return l["model"]["status"] == "verified"; }, 20);
  ASSERT_FALSE(verified.is_null()) << link.last;
  link.viewer->write_line(R"({"command":"goal","x_m":3.0,"y_m":1.25})");
  const json arrived = link.await([](const json& l) { return l["state"]["task"] == "done"; }, 60);
  ASSERT_FALSE(arrived.is_null()) << link.last;
  EXPECT_NEAR(arrived["state"]["x_m"].get<double>(), 3.0, 0.3);
  EXPECT_EQ(arrived["commands"][0]["state"], "executed");
  // nonsense is refused with a reason, and everything goes on
  link.viewer->write_line(R"({"command":"goal","x_m":-50,"y_m":900})");
  const json refused =
      link.await([](const json& l) { return l["commands"].size() == 2 && l["commands"][1]["state"] == "refused"; }, 10);
  ASSERT_FALSE(refused.is_null()) << link.last;
  EXPECT_EQ(refused["commands"][1]["reason"], "cannot_stand");
  EXPECT_EQ(refused["commands"][1]["text"], "the goal lies in a wall or too near to one, or outside the world");
}

TEST(LinkEndToEnd, AControlSystemRefusesInItsOwnWords) {
  Link link;
  const std::string socket = "unix:" + link.folder.file("control");
  link.serve("127.0.0.1:0", {"--control", socket});
  link.view(link.server_address);
  const Background robot({"python3", test::source_path("examples/robot_client.py"), socket, "100"});
  ASSERT_FALSE(link.await_open().is_null());
  link.viewer->write_line(R"({"command":"goal","x_m":500,"y_m":1})");
  const auto answered = [&](std::size_t n) {
    return link.await(
        [n](const json& l) { return l["commands"].size() == n && l["commands"][n - 1]["state"] != "pending"; }, 10);
  };
  const json refused = answered(1);
  ASSERT_FALSE(refused.is_null()) << link.last;
  EXPECT_EQ(refused["commands"][0]["state"], "refused");
  EXPECT_EQ(refused["commands"][0]["reason"], "cannot_get_there");
  EXPECT_EQ(refused["commands"][0]["text"], "my circle is not that large");
  link.viewer->write_line(R"({"command":"goal","x_m":5,"y_m":1})");
  const json accepted = answered(2);
  ASSERT_FALSE(accepted.is_null()) << link.last;
  EXPECT_EQ(accepted["commands"][1]["state"], "executed");
}

TEST(LinkEndToEnd, LinesAndRecordingShareOneModel) {
  Link link;
  link.serve();
  link.view(link.server_address, {"--record", link.folder.file("drive.mcap")});
  const json verified = link.await(
      [](const json& l) {
        return l.contains("model") && l["model"]["status"] == "verified" && l["prediction"].is_object();
      },
      20);
  ASSERT_FALSE(verified.is_null()) << link.last;
  EXPECT_EQ(verified["model"]["progress"], 1.0);
}

// A hand on the stick, ten times a second, until the viewer says what is wanted; null when it does not.
json drive_until(Link& link, const std::function<bool(const json&)>& wanted) {
  json found;
  for (int i = 0; i < 300 && found.is_null(); ++i) {
    link.viewer->write_line(R"({"command":"drive","v_mps":0.2,"w_radps":0})");
    found = link.await(wanted, 0.1);
  }
  return found;
}

TEST(LinkEndToEnd, ABlackoutEndsHandDrivingAndIsRecoveredFrom) {
  Link link;
  link.serve();
  link.impair(write_profile(link.folder));
  link.view(link.relay_address);
  ASSERT_FALSE(link.await_open().is_null());
  // drives by hand, then the relay goes black for 30 s, and the hand does not notice
  const json before = drive_until(
      link, [](const json& l) { return l["state"]["hand_driven"] == true && l["state"]["v_mps"].get<double>() > 0.1; });
  ASSERT_TRUE(before.is_object()) << link.last;
  link.relay->signal(SIGUSR1);
  const json down = drive_until(link, [&](const json& l) { return link.warns(l, "link down"); });
  EXPECT_FALSE(down.is_null()) << link.last;
  const json back = link.await_open(45);
  ASSERT_FALSE(back.is_null()) << link.last;
  EXPECT_EQ(back["state"]["v_mps"].get<double>(), 0.0);
  EXPECT_EQ(back["state"]["motors"], "on");
  // 0.5 s and the braking way after the last command, a second of lines before it
  EXPECT_LT(back["state"]["x_m"].get<double>() - before["state"]["x_m"].get<double>(), 0.2 * 2.5);
  // what was given during the blackout is not made up for
  const double back_s = back["state"]["t_s"];
  const json later = link.await([&](const json& l) { return l["state"]["t_s"].get<double>() > back_s + 2; }, 20);
  ASSERT_FALSE(later.is_null()) << link.last;
  EXPECT_EQ(later["state"]["x_m"], back["state"]["x_m"]);
}

TEST(LinkEndToEnd, TheServerMayRestart) {
  Link link;
  link.serve();
  link.view(link.server_address);
  ASSERT_FALSE(link.await_open().is_null());
  link.server->signal(SIGKILL);
  link.server->finish();
  link.serve(link.server_address);
  const json back =
      link.await([](const json& l) { return l["sessions"] >= 2 && l["link"] == "open" && l["gap_s"] < 1; }, 40);
  EXPECT_FALSE(back.is_null()) << link.last;
}

TEST(LinkEndToEnd, AnAddressMayChange) {
  Link link;
  link.serve();
  const std::string profile = write_profile(link.folder);
  link.impair(profile);
  link.view(link.relay_address);
  ASSERT_FALSE(link.await_open().is_null());
  // a new relay at the old place: to the robot side, the viewer has another address now
  const std::string place = link.relay_address;
  link.relay.reset();
  link.impair(profile, place);
  const auto sequence = link.last["sequence"].get<std::uint64_t>();
  const json back = link.await([&](const json& l) { return l["sequence"] > sequence + 20 && l["gap_s"] < 1; }, 20);
  ASSERT_FALSE(back.is_null()) << link.last;
  EXPECT_EQ(back["sessions"], 1) << "the session should have moved";
}

TEST(LinkEndToEnd, StrangersMayWatchOnlyInPublicAndNeverOperate) {
  Link link;
  link.serve("127.0.0.1:0", {"--public"});
  link.viewer = std::make_unique<Background>(
      forerun_command({"view", "--headless", "--connect", link.server_address, "--server-key", link.robot_key}),
      RunOptions{.folder = link.folder.path()});
  const json open = link.await_open();
  ASSERT_FALSE(open.is_null());
  EXPECT_EQ(open["role"], "watch");
  link.viewer->write_line(R"({"command":"stop"})");
  const json refused =
      link.await([](const json& l) { return !l["commands"].empty() && l["commands"][0]["state"] == "refused"; }, 10);
  ASSERT_FALSE(refused.is_null()) << link.last;
  EXPECT_EQ(refused["commands"][0]["reason"], "not_allowed");

  Link closed;
  closed.serve();
  closed.viewer = std::make_unique<Background>(
      forerun_command({"view", "--headless", "--connect", closed.server_address, "--server-key", closed.robot_key}),
      RunOptions{.folder = closed.folder.path()});
  const json turned_away = closed.await([](const json& l) { return l["link"] == "refused"; }, 15);
  EXPECT_FALSE(turned_away.is_null()) << closed.last;
}

TEST(LinkEndToEnd, CtrlCEndsEverythingCleanly) {
  Link link;
  link.serve();
  link.view(link.server_address);
  ASSERT_FALSE(link.await_open().is_null());
  link.viewer->signal(SIGINT);
  EXPECT_EQ(link.viewer->finish(), 130);
  link.server->signal(SIGINT);
  EXPECT_EQ(link.server->finish(), 130);
}

}  // namespace
}  // namespace forerun::test
