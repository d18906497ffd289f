// The intermediate process on real sockets, between the library's inside and a simulator of the test's.
#include "forerun/bridge/kenaf_bridge.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "forerun/kenaf/driver.hpp"
#include "forerun/kenaf/moves.hpp"
#include "forerun/kenaf/udp_bus.hpp"
#include "forerun/net/tcp_server.hpp"
#include "forerun/net/udp_socket.hpp"
#include "forerun/net/wait.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::bridge {
namespace {

using test::wait_until;
constexpr auto kLoopback = "127.0.0.1:0";

// Greets, brings a robot into the world, and lets its left track run.
class Simulator {
 public:
  explicit Simulator(const std::string& listen = kLoopback)
      : server_(std::move(*net::TcpServer::open(
            *net::resolve(listen),
            {[this](int client) { client_ = client; },
             [this](int, std::string_view bytes) { lines_.add(bytes, [this](std::string_view l) { hear(l); }); },
             [this](int) { client_ = -1; }}))),
        address_(net::to_string(server_.local_address())),
        thread_([this] {
          while (!ending_) {
            server_.serve();
            if (client_ >= 0) speak();
            static_cast<void>(net::wait_readable(server_.descriptors(), 0.01));
          }
        }) {}
  ~Simulator() {
    ending_ = true;
    thread_.join();
  }

  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] bool heard(const std::string& part) {
    const std::lock_guard lock(mutex_);
    return said_.find(part) != std::string::npos;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    said_.clear();
  }
  std::atomic<bool> refuses = false, silent = false, floods = false;

 private:
  void hear(std::string_view line) {
    const std::lock_guard lock(mutex_);
    said_ += std::string(line) + "\n";
    if (!line.starts_with("INIT")) return;
    spawned_ = !refuses;
    if (refuses) server_.send(client_, "NFO {Error there is no room}\r\n");
  }
  void speak() {
    if (floods) server_.send(client_, "NFO {Error refusal " + std::to_string(++ticks_) + "}\r\n");
    if (!spawned_ || silent) return;
    ++ticks_;
    server_.send(client_,
                 "SEN {Type GroundTruth} {Name GroundTruth} {Location 1,2,0} {Orientation 0,0,0}\r\n"
                 "SEN {Type Encoder} {Name ECLeft} {Tick " +
                     std::to_string(ticks_) + "}\r\n");
  }

  std::atomic<int> client_ = -1;
  bool spawned_ = false;
  int ticks_ = 0;
  LineGatherer lines_;
  std::mutex mutex_;
  std::string said_;
  net::TcpServer server_;
  std::string address_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

class Running {
 public:
  explicit Running(const std::string& simulator)
      : bridge_(std::move(*KenafBridge::open({.simulator = simulator, .listen = kLoopback, .name = "R1"},
                                             [this](const std::string& sentence) {
                                               const std::lock_guard lock(mutex_);
                                               complaints_.push_back(sentence);
                                             }))),
        results_(std::async(std::launch::async, [this] { return bridge_->run([this] { return !ending_; }); })) {}
  ~Running() { ending_ = true; }

  [[nodiscard]] std::string address() const { return net::to_string(bridge_->address()); }
  [[nodiscard]] std::vector<std::string> complaints() {
    const std::lock_guard lock(mutex_);
    return complaints_;
  }
  [[nodiscard]] KenafBridge::Results finish() {
    ending_ = true;
    return results_.get();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> complaints_;
  std::atomic<bool> ending_ = false;
  std::unique_ptr<KenafBridge> bridge_;
  std::future<KenafBridge::Results> results_;
};

std::unique_ptr<kenaf::Driver> drive_at(const std::string& address) {
  auto opened = kenaf::open_udp_bus(address);
  EXPECT_EQ(opened.error, "");
  return std::make_unique<kenaf::Driver>(std::move(opened.bus));
}

// Whether a status comes that was not there before.
bool hears_news(const kenaf::Driver& driver) {
  const auto known = driver.newest();
  const std::uint64_t number = known ? known->number : 0;
  return wait_until([&] { return driver.newest() && driver.newest()->number > number + 2; });
}

TEST(KenafBridge, CommandsGoOneWayAndStatusTheOther) {
  Simulator simulator;
  Running bridge(simulator.address());
  const auto driver = drive_at(bridge.address());
  EXPECT_TRUE(hears_news(*driver));
  EXPECT_TRUE(simulator.heard("INIT {ClassName USARBot.Kenaf} {Name R1}"));
  driver->set_tracks(90, -90);
  EXPECT_TRUE(wait_until([&] { return simulator.heard("DRIVE {Left 1.00000} {Right -1.00000}"); }));
  driver->set_flippers({90, 0, 0, 0});
  EXPECT_TRUE(wait_until([&] { return simulator.heard("MULTIDRIVE {FLFlipper 1.57080}"); }));
  EXPECT_GT(driver->newest()->status.left_ticks, 0);
  EXPECT_FALSE(driver->newest()->status.timed_out);
  const auto results = bridge.finish();
  EXPECT_EQ(results.connections, 1u);
  EXPECT_GT(results.command_delays.size(), 2u);
  EXPECT_GT(results.status_delays.size(), 2u);
  EXPECT_GT(results.command_delays.quantile(0.5), 0);
  ASSERT_TRUE(results.end);
  EXPECT_EQ(results.end->place.y, -2);
  EXPECT_TRUE(bridge.complaints().empty());
}

TEST(KenafBridge, ARobotThatHearsNothingStops) {
  Simulator simulator;
  Running bridge(simulator.address());
  auto socket = std::move(*net::UdpSocket::open(*net::resolve(kLoopback)));
  const auto command = kenaf::encode(kenaf::Datagram{1, 1, {kenaf::encode(kenaf::TrackSpeeds{90, 90, 1})}});
  EXPECT_TRUE(wait_until([&] { return simulator.heard("INIT"); }));
  socket.send(command, *net::resolve(bridge.address()));
  socket.flush();
  EXPECT_TRUE(wait_until([&] { return simulator.heard("DRIVE {Left 1.00000}"); }));
  EXPECT_TRUE(wait_until([&] { return simulator.heard("DRIVE {Left 0.00000} {Right 0.00000}"); }));
  EXPECT_EQ(bridge.finish().stops, 1u);
}

TEST(KenafBridge, TheSimulatorMayGoAndComeBack) {
  auto simulator = std::make_unique<Simulator>();
  const std::string address = simulator->address();
  Running bridge(address);
  const auto driver = drive_at(bridge.address());
  EXPECT_TRUE(hears_news(*driver));
  std::atomic<unsigned> stops = 0;
  auto move =
      std::async(std::launch::async, [&] { return kenaf::go_forward(*driver, 5000, kenaf::StopSignal(stops)); });
  simulator.reset();
  EXPECT_EQ(move.get(), "the robot has said nothing for a second");
  simulator = std::make_unique<Simulator>(address);
  EXPECT_TRUE(hears_news(*driver));
  EXPECT_EQ(bridge.complaints(),
            std::vector<std::string>{"the simulator at " + address + " has gone; trying again and again"});
  EXPECT_EQ(bridge.finish().connections, 2u);
}

TEST(KenafBridge, ASimulatorThatIsSilentCountsAsGone) {
  Simulator simulator;
  Running bridge(simulator.address());
  const auto driver = drive_at(bridge.address());
  EXPECT_TRUE(hears_news(*driver));
  simulator.silent = true;
  EXPECT_TRUE(wait_until([&] { return !bridge.complaints().empty(); }));
  simulator.silent = false;
  EXPECT_TRUE(hears_news(*driver));
}

TEST(KenafBridge, WaitsForASimulatorThatIsNotThereYet) {
  std::string address;
  {
    const Simulator simulator;
    address = simulator.address();
  }
  Running bridge(address);
  EXPECT_TRUE(wait_until([&] { return !bridge.complaints().empty(); }));
  Simulator simulator(address);
  EXPECT_TRUE(wait_until([&] { return simulator.heard("INIT"); }));
  EXPECT_EQ(bridge.complaints().size(), 1u);
}

TEST(KenafBridge, RefusalsAreSaidOnceAndTriedAgain) {
  Simulator simulator;
  simulator.refuses = true;
  Running bridge(simulator.address());
  EXPECT_TRUE(wait_until([&] { return simulator.heard("INIT"); }));
  EXPECT_TRUE(wait_until([&] { return !bridge.complaints().empty(); }));
  simulator.forget();
  EXPECT_TRUE(wait_until([&] { return simulator.heard("INIT"); })) << "again";
  EXPECT_EQ(bridge.complaints(), std::vector<std::string>{"the simulator says: there is no room"});
}

TEST(KenafBridge, AFloodOfRefusalsIsNotPassedOn) {
  Simulator simulator;
  simulator.silent = simulator.floods = true;
  Running bridge(simulator.address());
  EXPECT_TRUE(wait_until([&] { return bridge.complaints().size() >= 3; }));
  const auto number = [&](std::size_t i) {
    const std::string said = bridge.complaints().at(i);
    return std::stoi("0" + said.substr(said.find_last_of(' ') + 1));
  };
  // one a second; a new one came every ten milliseconds
  EXPECT_GT(number(2), number(1) + 5) << bridge.complaints()[1] << "; " << bridge.complaints()[2];
}

TEST(KenafBridge, NonsenseAndFloodsDoNotKeepTheDriverOut) {
  Simulator simulator;
  Running bridge(simulator.address());
  const auto driver = drive_at(bridge.address());
  EXPECT_TRUE(hears_news(*driver));
  auto flood = std::move(*net::UdpSocket::open(*net::resolve(kLoopback)));
  const net::Address to = *net::resolve(bridge.address());
  const std::vector<std::uint8_t> zeros(1400, 0), nothing;
  auto command = kenaf::encode(kenaf::Datagram{1, 1, {kenaf::encode(kenaf::TrackSpeeds{-500, -500, 1})}});
  const auto pour = [&] {
    for (int i = 0; i < 40; ++i) {
      flood.send(i % 3 == 0 ? zeros : command, to);
      ++command[12];  // a new number each time: as if it were in earnest
    }
    flood.send(nothing, to);
    flood.flush();
  };
  driver->set_tracks(45, 45);
  EXPECT_TRUE(wait_until([&] {
    pour();
    return simulator.heard("DRIVE {Left 0.50000} {Right 0.50000}");
  }));
  const std::uint64_t before = driver->newest()->number;
  EXPECT_TRUE(wait_until([&] {
    pour();
    return driver->newest()->number > before + 20;
  }));
  EXPECT_FALSE(simulator.heard("DRIVE {Left -5.55556}")) << "another one drives";
  const auto results = bridge.finish();
  EXPECT_GT(results.datagrams[static_cast<std::size_t>(KenafControllers::Verdict::nonsense)], 0u);
  EXPECT_GT(results.datagrams[static_cast<std::size_t>(KenafControllers::Verdict::not_its_turn)], 0u);
}

TEST(KenafBridge, BadAddressesAndNamesAreRefused) {
  const auto refused = [](const KenafBridgeParams& params, const std::string& word) {
    const auto bridge = KenafBridge::open(params);
    return !bridge && bridge.error().message.find(word) != std::string::npos;
  };
  EXPECT_TRUE(refused({.simulator = "nowhere"}, "nowhere"));
  EXPECT_TRUE(refused({.simulator = ":3000", .listen = kLoopback}, "--simulator is \":3000\", but must be host:port"));
  EXPECT_TRUE(refused({.listen = "127.0.0.1:99999"}, "99999"));
  EXPECT_TRUE(refused({.listen = kLoopback, .name = "a} {b"}, "--name is \"a} {b\", but"));
  EXPECT_TRUE(refused({.listen = kLoopback, .name = "a\x1b[2J"}, "--name is \"a?[2J\", but"));
  EXPECT_TRUE(refused({.listen = kLoopback, .at = "1,2"}, "--at is \"1,2\", but"));
  EXPECT_TRUE(refused({.listen = kLoopback, .at = "1,2,nan"}, "nan"));
}

TEST(Delays, QuantilesOfWhatWasCounted) {
  Delays delays;
  EXPECT_EQ(delays.quantile(0.99), 0);
  for (int i = 0; i < 99; ++i) delays.add(0.105);
  delays.add(1e9);
  EXPECT_NEAR(delays.quantile(0.5), 0.11, 1e-9);
  EXPECT_NEAR(delays.quantile(0.99), 0.11, 1e-9);
  EXPECT_NEAR(delays.quantile(1), 100, 1e-9);
  delays.add(delays);
  EXPECT_EQ(delays.size(), 200u);
}

}  // namespace
}  // namespace forerun::bridge
