// `forerun relay` with twenty robots: one session each, all on one page, and robots that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "forerun/io/key_file.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/app/page_client.hpp"

namespace forerun::test {
namespace {

constexpr std::size_t kRobots = 20;
constexpr std::array<std::uint8_t, 5> kUnknownSection{250, 2, 0, 0xbe, 0xef};

struct StillRobot final : sync::RobotSide {
  robot::Reply execute(const robot::Command&, const sync::CommandInfo&) noexcept override {
    ++n_commands;
    return robot::accept();
  }
  void end_hand_driving() noexcept override {}
  std::atomic<int> n_commands{0};
};

// Robot sides of this process, on one thread; each can be switched off and on.
class Fleet {
 public:
  Fleet() {
    for (std::size_t i = 0; i < kRobots; ++i) {
      servers_.push_back(open(*net::resolve("127.0.0.1:0")));
      addresses_.push_back(servers_.back()->local_address());
    }
    for (auto& on : on_) on = true;
    thread_ = std::thread([this] { run(); });
  }
  ~Fleet() {
    quit_ = true;
    thread_.join();
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // As `forerun relay` wants them named.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& address : addresses_) list.push_back(io::show_key(keys_.open) + "@" + net::to_string(address));
    return list;
  }
  void switch_robot(std::size_t i, bool on) { on_[i] = on; }
  [[nodiscard]] std::size_t most_sessions() const { return most_sessions_; }
  [[nodiscard]] int n_commands() const { return robot_.n_commands; }

 private:
  std::unique_ptr<net::RobotServer> open(const net::Address& at) {
    net::RobotServer::Setup setup{.listen = at, .keys = keys_};
    setup.params.anyone_may_watch = true;
    auto server = net::RobotServer::open(setup, robot_);
    EXPECT_TRUE(server);
    return std::make_unique<net::RobotServer>(std::move(*server));
  }

  void run() {
    for (std::uint32_t round = 0; !quit_; ++round) {
      for (std::size_t i = 0; i < kRobots; ++i) {
        if (!on_[i]) servers_[i].reset();
        if (on_[i] && !servers_[i]) servers_[i] = open(addresses_[i]);
        if (!servers_[i]) continue;
        robot::Report report;
        report.time = servers_[i]->now();
        report.sequence = round;
        report.state.pose = {static_cast<double>(i + 1), 0, 0};
        EXPECT_TRUE(servers_[i]->publish(report, kUnknownSection));
        servers_[i]->poll(0.005);
        most_sessions_ = std::max(most_sessions_.load(), servers_[i]->n_sessions());
      }
    }
  }

  net::SodiumCipher cipher_;
  sync::KeyPair keys_ = sync::make_key_pair(cipher_);
  StillRobot robot_;
  std::vector<std::unique_ptr<net::RobotServer>> servers_;
  std::vector<net::Address> addresses_;
  std::array<std::atomic<bool>, kRobots> on_{};
  std::atomic<std::size_t> most_sessions_{0};
  std::atomic<bool> quit_{false};
  std::thread thread_;
};

bool is_down(const json& message, std::size_t robot) {
  if (message["type"] != "link" || message["robot"] != robot) return false;
  for (const json& warning : message["warnings"]) {
    if (warning["kind"] == "down") return true;
  }
  return false;
}

TEST(RelayCommand, TwentyRobotsOnOnePageWithOneSessionEach) {
  Fleet fleet;
  fleet.switch_robot(kRobots - 1, false);
  std::vector<std::string> arguments{"relay", "--listen", "127.0.0.1:0"};
  for (const std::string& name : fleet.names()) arguments.push_back(name);
  Background relay(forerun_command(arguments));
  const auto port = await_page(relay);
  ASSERT_NE(port, 0);
  PageClient page(port);
  PageClient other(port);
  const json hello = page.await_type("hello");
  ASSERT_EQ(hello["robots"].size(), kRobots);
  EXPECT_TRUE(page.await([](const json& m) { return is_down(m, kRobots); }).is_object()) << "it is away";
  std::set<int> seen;
  EXPECT_TRUE(page.await_report([&](const robot::Report& r) {
    seen.insert(static_cast<int>(r.state.pose.x + 0.5));
    return seen.size() == kRobots - 1;
  })) << seen.size();
  const std::string report = page.await_binary(1);
  const Bytes sections = sync::sections_of(PageClient::bytes_of(report).subspan(16));
  EXPECT_TRUE(std::equal(sections.begin(), sections.end(), kUnknownSection.begin(), kUnknownSection.end()))
      << "what the relay does not know it passes on";
  fleet.switch_robot(kRobots - 1, true);
  EXPECT_TRUE(page.await_report([](const robot::Report& r) { return r.state.pose.x > kRobots - 0.5; }))
      << "it has come and was found";
  // one that goes is said to be away, and found again
  fleet.switch_robot(0, false);
  EXPECT_TRUE(page.await([](const json& m) { return is_down(m, 1); }, 30).is_object());
  fleet.switch_robot(0, true);
  EXPECT_TRUE(
      page.await([](const json& m) { return m["type"] == "link" && m["robot"] == 1 && m["warnings"].empty(); }, 30)
          .is_object());
  EXPECT_TRUE(other.await_report([](const robot::Report& r) { return r.state.pose.x < 1.5; }));
  other.say({{"type", "stop"}, {"robot", 1}});
  EXPECT_EQ(other.await_close(), 1008);
  EXPECT_EQ(fleet.most_sessions(), 1u) << "however many watch";
  EXPECT_EQ(fleet.n_commands(), 0);
  relay.signal(SIGINT);
  EXPECT_EQ(relay.finish(5), 130);
}

}  // namespace
}  // namespace forerun::test
