// The whole link with real programs and real sockets: serve, impair and view recover by themselves from whatever
// happens to the network.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/background.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

std::string after(const std::string& line, const std::string& word) {
  const auto at = line.find(word);
  if (at == std::string::npos) return "";
  const auto begin = at + word.size();
  return line.substr(begin, line.find_first_of(" ,", begin) - begin);
}

// A robot, and somebody who may operate it.
struct Link {
  Link() {
    for (const char* who : {"robot", "desk"}) {
      const Outcome made = run_forerun({"keys", "new", "--keys", folder.file(who)});
      (std::string(who) == "robot" ? robot_key : desk_key) = made.out.substr(0, 44);
    }
    EXPECT_EQ(run_forerun({"keys", "allow", desk_key, "--role", "operate", "--keys", folder.file("robot")}).exit_code,
              0);
  }

  void serve(const std::string& listen = "127.0.0.1:0", std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"serve",     "--keys", folder.file("robot"), "--listen", listen,
                                       "--reality", "exact"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    server = std::make_unique<Background>(forerun_command(arguments));
    const auto line = server->await_line([](const std::string& l) { return l.find("listening on") != l.npos; }, 30);
    server_address = after(line, "listening on ");
    ASSERT_FALSE(server_address.empty());
  }

  void impair(const std::string& profile, const std::string& listen = "127.0.0.1:0") {
    relay = std::make_unique<Background>(
        forerun_command({"impair", "--listen", listen, "--to", server_address, "--profile", profile}));
    const auto line = relay->await_line([](const std::string& l) { return l.find("listening on") != l.npos; }, 30);
    relay_address = after(line, "listening on ");
    ASSERT_FALSE(relay_address.empty());
  }

  void view(const std::string& address, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"view",         "--headless", "--connect", address,
                                       "--server-key", robot_key,    "--keys",    folder.file("desk")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    viewer = std::make_unique<Background>(forerun_command(arguments));
  }

  // The first line that satisfies; null when none comes in time.
  json await(const std::function<bool(const json&)>& wanted, double time_limit_s) {
    const auto line = viewer->await_line(
        [&](const std::string& text) {
          last = json::parse(text, nullptr, false);
          return last.is_object() && wanted(last);
        },
        time_limit_s);
    return line.empty() ? json(nullptr) : json::parse(line);
  }
  json await_open(double time_limit_s = 30) {
    return await(
        [](const json& l) {
          return l["link"] == "open" && l["state"].is_object() && l["gap_s"].is_number() && l["gap_s"] < 1;
        },
        time_limit_s);
  }
  bool warns(const json& line, const std::string& word) {
    for (const auto& warning : line["warnings"]) {
      if (warning.get<std::string>().rfind(word, 0) == 0) return true;
    }
    return false;
  }

  TempFolder folder;
  std::string robot_key, desk_key, server_address, relay_address;
  std::unique_ptr<Background> server, relay, viewer;
  json last;
};

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
  EXPECT_EQ(refused["commands"][1]["reason"], "impossible");
}

TEST(LinkEndToEnd, ABlackoutEndsHandDrivingAndIsRecoveredFrom) {
  Link link;
  link.serve();
  link.impair(write_profile(link.folder));
  link.view(link.relay_address);
  ASSERT_FALSE(link.await_open().is_null());
  // drives by hand, then the relay goes black for 30 s, and the hand does not notice
  json before;
  for (int i = 0; i < 30; ++i) {
    link.viewer->write_line(R"({"command":"drive","v_mps":0.2,"w_radps":0})");
    std::this_thread::sleep_for(100ms);
    if (i == 19) {
      before = link.await([](const json& l) { return l["state"]["hand_driven"] == true; }, 5);
      link.relay->signal(SIGUSR1);
    }
  }
  ASSERT_TRUE(before.is_object()) << link.last;
  EXPECT_GT(before["state"]["v_mps"].get<double>(), 0.1);
  const json down = link.await([&](const json& l) { return link.warns(l, "link down"); }, 25);
  EXPECT_FALSE(down.is_null()) << link.last;
  const json back = link.await_open(45);
  ASSERT_FALSE(back.is_null()) << link.last;
  EXPECT_EQ(back["state"]["v_mps"].get<double>(), 0.0);
  EXPECT_EQ(back["state"]["motors"], "on");
  // 0.5 s and the braking way after the last command, a second of lines before it
  EXPECT_LT(back["state"]["x_m"].get<double>() - before["state"]["x_m"].get<double>(), 0.2 * 2.5);
  // what was given during the blackout is not made up for
  std::this_thread::sleep_for(2s);
  const json later = link.await_open(10);
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
  EXPECT_EQ(link.server->finish(), 0);
}

}  // namespace
}  // namespace forerun::test
