// `forerun impair`, run as a user would.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <fstream>
#include <future>
#include <sstream>

#include "forerun/net/resolve.hpp"
#include "forerun/net/udp_socket.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kKeys = {"profile", "seed", "duration_s", "up", "down"};
const std::vector<std::string> kWayKeys = {"received",  "sent",    "lost",        "duplicated",
                                           "reordered", "dropped", "mean_delay_s"};

Outcome impair(std::vector<std::string> arguments, const RunOptions& options = {}) {
  arguments.insert(arguments.begin(), "impair");
  return run_forerun(std::move(arguments), options);
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ImpairCommand, ComplainsInOneSentence) {
  const std::string to = "127.0.0.1:7700";
  expect_bad_input(impair({"--to", to, "--profile", "wify-walls"}), {"\"wify-walls\"", "\"wifi-walls\""});
  expect_bad_input(impair({"--to", to}), {"--profile"});
  expect_bad_input(impair({"--profile", "4g"}), {"--to"});
  expect_bad_input(impair({"--to", "127.0.0.1:99999", "--profile", "4g"}), {"--to", "99999"});
  expect_bad_input(impair({"--to", "127.0.0.1", "--profile", "4g"}), {"--to", "127.0.0.1"});
  expect_bad_input(impair({"--to", ":7700", "--profile", "4g"}), {"--to", ":7700", "must name one host"});
  expect_bad_input(impair({"--to", "127.0.0.1:0", "--profile", "4g"}), {"--to", "must name one host"});
  expect_bad_input(impair({"--listen", "nowhere", "--to", to, "--profile", "4g"}), {"--listen", "nowhere"});
  expect_bad_input(impair({"--to", to, "--profile", "4g", "--seed", "-1"}), {"--seed"});
  expect_bad_input(impair({"--to", to, "--profile", "4g", "--for-s", "nan"}), {"--for-s"});
}

TEST(ImpairCommand, ARelayToItselfIsRefused) {
  for (const auto& [listen, to] : {std::pair("127.0.0.1:7701", "127.0.0.1:7701"),
                                   {":7701", "127.0.0.1:7701"},
                                   {"0.0.0.0:7701", "127.0.0.1:7701"},
                                   {":7701", "127.0.0.2:7701"}}) {
    expect_bad_input(impair({"--listen", listen, "--to", to, "--profile", "4g", "--for-s", "0.05"}),
                     {"--listen", listen, "--to", to, "same place"});
  }
  expect_bad_input(impair({"--listen", "127.0.0.1:7701", "--to", "0.0.0.0:7701", "--profile", "4g", "--for-s", "0.05"}),
                   {"--to", "must name one host"});
  // the same port of another machine is no bad input, though the port may be taken here
  EXPECT_NE(impair({"--listen", ":7701", "--to", "192.0.2.1:7701", "--profile", "4g", "--for-s", "0.05"}).exit_code, 2);
}

TEST(ImpairCommand, ABadProfileIsNamedWithItsLine) {
  const TempFolder folder;
  const std::string path = folder.write("p.yaml", "both:\n  los: 0.3\n");
  expect_bad_input(impair({"--to", "127.0.0.1:7700", "--profile", path}), {path + ":2", "\"loss\""});
}

TEST(ImpairCommand, SaysWhereItListensAndEndsInTime) {
  const Outcome outcome = impair({"--to", "127.0.0.1:7700", "--profile", "4g", "--for-s", "0.05", "--seed", "7"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("listening on 127.0.0.1:", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find(", relaying to 127.0.0.1:7700, profile 4g, seed 7\n"), std::string::npos) << outcome.out;
}

TEST(ImpairCommand, WritesOneDocument) {
  const Outcome outcome = impair({"--to", "127.0.0.1:7700", "--profile", "severe", "--for-s", "0.05", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, kKeys);
  expect_json(result["up"].dump(), kWayKeys);
  expect_json(result["down"].dump(), kWayKeys);
}

// A relay in the background, the server that it leads to, and a client.
class Running {
 public:
  Running() {
    folder_.write("clean.yaml", "name: clean\n");
    const std::string command = "echo $$ > pid; exec \"$0\" impair --profile clean.yaml --json counts.json --to " +
                                net::to_string(server.local_address()) + " > ready.txt";
    outcome_ = std::async(std::launch::async, [this, command] {
      return run_process({"/bin/sh", "-c", command, FORERUN_BINARY}, {.folder = folder_.path(), .time_limit_s = 60});
    });
    std::string ready;
    EXPECT_TRUE(wait_until([&] { return (ready = read(file("ready.txt"))).find('\n') != std::string::npos; }));
    const std::size_t begin = std::string("listening on ").size();
    relay = *net::resolve(ready.substr(begin, ready.find(',') - begin));
  }

  void signal(int number) const { kill(std::stoi(read(file("pid"))), number); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  Outcome end() {
    signal(SIGINT);
    return outcome_.get();
  }
  // Sends from the client until the server hears it.
  bool reaches_server(double limit_s = 20) {
    const auto heard = [this] {
      send();
      return !server.receive().empty();
    };
    return wait_until(heard, {.limit_s = limit_s});
  }
  void send() {
    const std::array<std::uint8_t, 4> bytes{'p', 'i', 'n', 'g'};
    client.send(bytes, relay);
    client.flush();
  }

  net::UdpSocket server = open();
  net::UdpSocket client = open();
  net::Address relay;

 private:
  static net::UdpSocket open() { return std::move(*net::UdpSocket::open(*net::resolve("127.0.0.1:0"))); }

  TempFolder folder_;
  std::future<Outcome> outcome_;
};

TEST(ImpairCommand, RelaysUntilInterruptedAndGoesBlackOnASignal) {
  Running running;
  ASSERT_TRUE(running.reaches_server());
  running.signal(SIGUSR1);
  EXPECT_TRUE(wait_until([&] { return !running.reaches_server(0.2); })) << "it goes on relaying";
  const Outcome outcome = running.end();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto result = expect_json(read(running.file("counts.json")), kKeys);
  EXPECT_GT(result["up"]["sent"], 0);
  EXPECT_GT(result["up"]["lost"], 0) << "the blackout";
  EXPECT_NE(read(running.file("ready.txt")).find("\nup "), std::string::npos) << "final counts";
}

}  // namespace
}  // namespace forerun::test
