// The link between two hosts: network namespaces joined by a cable, whose addresses change under the running programs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/support/background.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

using nlohmann::json;

bool ip(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"ip"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(command).exit_code == 0;
}

// Two hosts, gone with the object. Names carry the process, so that tests run side by side.
class TwoHosts {
 public:
  TwoHosts() {
    made = ip({"netns", "add", robot}) && ip({"netns", "add", desk}) &&
           ip({"link", "add", "eth0", "netns", robot, "type", "veth", "peer", "name", "eth0", "netns", desk}) &&
           give(robot, "10.93.7.1/24") && give(desk, "10.93.7.2/24") && up(robot) && up(desk);
  }
  ~TwoHosts() {
    static_cast<void>(ip({"netns", "del", robot}));
    static_cast<void>(ip({"netns", "del", desk}));
  }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  static bool up(const std::string& host) {
    return ip({"-n", host, "link", "set", "lo", "up"}) && ip({"-n", host, "link", "set", "eth0", "up"});
  }
  static bool give(const std::string& host, const std::string& address) {
    return ip({"-n", host, "addr", "add", address, "dev", "eth0"});
  }
  static bool take(const std::string& host, const std::string& address) {
    return ip({"-n", host, "addr", "del", address, "dev", "eth0"});
  }
  static std::vector<std::string> on(const std::string& host, std::vector<std::string> command) {
    command.insert(command.begin(), {"ip", "netns", "exec", host});
    return command;
  }

  std::string robot = "forerun-robot-" + std::to_string(getpid());
  std::string desk = "forerun-desk-" + std::to_string(getpid());
  bool made = false;
};

// The first line of the viewer that satisfies; null when none comes in time.
json await(Background& viewer, const std::function<bool(const json&)>& wanted, double time_limit_s) {
  json found;
  const auto line = viewer.await_line(
      [&](const std::string& text) {
        found = json::parse(text, nullptr, false);
        return found.is_object() && wanted(found);
      },
      time_limit_s);
  return line.empty() ? json(nullptr) : found;
}

bool is_fresh(const json& line) { return line["link"] == "open" && line["gap_s"].is_number() && line["gap_s"] < 1; }

TEST(TwoHosts, TheRobotsAndTheViewersAddressChangeAndTheCableIsPulled) {
  const TwoHosts hosts;
  if (!hosts.made) GTEST_SKIP() << "network namespaces are not permitted here";
  const TempFolder folder;
  const std::string key = run_forerun({"keys", "new"}, {.folder = folder.path()}).out.substr(0, 44);
  Background server(TwoHosts::on(hosts.robot, forerun_command({"serve", "--public", "--listen", ":7420"})),
                    {.folder = folder.path()});
  ASSERT_FALSE(server.await_line([](const std::string& l) { return l.find("listening") != l.npos; }, 30).empty());
  Background viewer(TwoHosts::on(hosts.desk, forerun_command({"view", "--headless", "--connect", "10.93.7.1:7420",
                                                              "--server-key", key, "--watch"})),
                    {.folder = folder.path()});
  ASSERT_FALSE(await(viewer, is_fresh, 30).is_null());

  // the robot gets another address
  ASSERT_TRUE(TwoHosts::take(hosts.robot, "10.93.7.1/24") && TwoHosts::give(hosts.robot, "10.93.7.11/24"));
  const json moved = await(
      viewer, [](const json& l) { return l["moves"] == 1 && is_fresh(l); }, 40);
  ASSERT_FALSE(moved.is_null());
  EXPECT_EQ(moved["sessions"], 1);

  // so does the viewer
  ASSERT_TRUE(TwoHosts::take(hosts.desk, "10.93.7.2/24") && TwoHosts::give(hosts.desk, "10.93.7.22/24"));
  const auto sequence = moved["sequence"].get<std::uint64_t>();
  const json followed = await(
      viewer, [&](const json& l) { return l["sequence"] > sequence + 30 && is_fresh(l); }, 40);
  ASSERT_FALSE(followed.is_null());

  // the cable is out for longer than anybody waits
  ASSERT_TRUE(ip({"-n", hosts.desk, "link", "set", "eth0", "down"}));
  ASSERT_FALSE(await(
                   viewer, [](const json& l) { return l["link"] == "silent"; }, 40)
                   .is_null());
  ASSERT_TRUE(TwoHosts::up(hosts.desk));
  EXPECT_FALSE(await(viewer, is_fresh, 60).is_null());
}

TEST(TwoHosts, TheRelayGoesBlackAndTheServerRestarts) {
  const TwoHosts hosts;
  if (!hosts.made) GTEST_SKIP() << "network namespaces are not permitted here";
  const TempFolder folder;
  const std::string key = run_forerun({"keys", "new"}, {.folder = folder.path()}).out.substr(0, 44);
  const auto serve = TwoHosts::on(hosts.robot, forerun_command({"serve", "--public", "--listen", "10.93.7.1:7420"}));
  const RunOptions options{.folder = folder.path()};
  auto server = std::make_unique<Background>(serve, options);
  Background relay(TwoHosts::on(hosts.desk, forerun_command({"impair", "--listen", "127.0.0.1:7421", "--to",
                                                             "10.93.7.1:7420", "--profile", "wifi-walls"})),
                   options);
  ASSERT_FALSE(relay.await_line([](const std::string& l) { return l.find("listening") != l.npos; }, 30).empty());
  Background viewer(TwoHosts::on(hosts.desk, forerun_command({"view", "--headless", "--connect", "127.0.0.1:7421",
                                                              "--server-key", key, "--watch"})),
                    options);
  ASSERT_FALSE(await(viewer, is_fresh, 30).is_null());

  server->signal(SIGKILL);
  server = std::make_unique<Background>(serve, options);
  ASSERT_FALSE(await(
                   viewer, [](const json& l) { return l["sessions"] >= 2 && is_fresh(l); }, 60)
                   .is_null());

  relay.signal(SIGUSR1);
  ASSERT_FALSE(await(
                   viewer, [](const json& l) { return l["link"] == "silent"; }, 40)
                   .is_null());
  EXPECT_FALSE(await(viewer, is_fresh, 60).is_null());
}

}  // namespace
}  // namespace forerun::test
