// The link between two hosts: network namespaces joined by a cable, whose addresses change under the running programs.
#include <gtest/gtest.h>

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

// Two hosts, each a network namespace that a sleeping process holds: when that ends, nothing is left behind.
class TwoHosts {
 public:
  TwoHosts() {
    made = robot_sleep.runs() && desk_sleep.runs() &&
           ip({"link", "add", "eth0", "netns", robot, "type", "veth", "peer", "name", "eth0", "netns", desk}) &&
           give(robot, "10.93.7.1/24") && give(desk, "10.93.7.2/24") && up(robot) && up(desk);
  }

  static bool up(const std::string& host) {
    return inside(host, {"link", "set", "lo", "up"}) && inside(host, {"link", "set", "eth0", "up"});
  }
  static bool down(const std::string& host) { return inside(host, {"link", "set", "eth0", "down"}); }
  static bool give(const std::string& host, const std::string& address) {
    return inside(host, {"addr", "add", address, "dev", "eth0"});
  }
  static bool take(const std::string& host, const std::string& address) {
    return inside(host, {"addr", "del", address, "dev", "eth0"});
  }
  static std::vector<std::string> on(const std::string& host, std::vector<std::string> command) {
    command.insert(command.begin(), {"nsenter", "--net=/proc/" + host + "/ns/net"});
    return command;
  }

 private:
  // `ip` with arguments, on a host.
  static bool inside(const std::string& host, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "ip");
    return run_process(on(host, arguments)).exit_code == 0;
  }

  // Says when it is in its namespace, then sleeps.
  struct Sleeper {
    [[nodiscard]] bool runs() {
      return !process.await_line([](const std::string& line) { return line == "here"; }, 10).empty();
    }
    Background process{{"unshare", "--net", "sh", "-c", "echo here; exec sleep 300"}};
  };
  Sleeper robot_sleep, desk_sleep;

 public:
  std::string robot = std::to_string(robot_sleep.process.pid());
  std::string desk = std::to_string(desk_sleep.process.pid());
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
  ASSERT_TRUE(TwoHosts::down(hosts.desk));
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
