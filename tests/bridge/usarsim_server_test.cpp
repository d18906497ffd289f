// The simulator on real sockets: who sees which robot.
#include "forerun/bridge/usarsim_server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "forerun/atlas/setting.hpp"
#include "forerun/bridge/kenaf_sockets.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::bridge {
namespace {

using test::wait_until;
constexpr auto kLoopback = "127.0.0.1:0";
constexpr std::size_t kHeader = 5 + 4;  // kind and length; width and height
constexpr std::size_t kWhole = kHeader + std::size_t{3} * 48 * 36;

class Server {
 public:
  Server()
      : server_(std::move(
            *UsarsimServer::open(std::move(*KenafSimulator::make(*atlas::load_named_world("kenaf-course"),
                                                                 *atlas::load_named_robot("kenaf"), {{"start", {}}})),
                                 {.listen = kLoopback, .images = kLoopback, .width = 48, .height = 36, .quality = 0}))),
        thread_([this] { server_->run([this] { return !ending_; }); }) {}
  ~Server() {
    ending_ = true;
    thread_.join();
  }
  [[nodiscard]] net::Address lines() const { return server_->address(); }
  [[nodiscard]] net::Address images() const { return server_->image_address(); }

 private:
  std::unique_ptr<UsarsimServer> server_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

// A client with a robot that speaks.
class Robot {
 public:
  Robot(const Server& server, const std::string& where) {
    EXPECT_TRUE(connection_.connect(server.lines(), 5));
    connection_.send("INIT {ClassName USARBot.Kenaf} " + where + "\r\n");
    std::string said;
    EXPECT_TRUE(wait_until([&] {
      said += connection_.receive(0.01).value_or("");
      return said.find("SEN ") != std::string::npos;
    })) << said;
  }

 private:
  SimulatorConnection connection_;
};

class Watcher {
 public:
  explicit Watcher(const Server& server) { EXPECT_TRUE(connection_.connect(server.images(), 5)); }
  // The next picture.
  std::string see() {
    std::string bytes;
    EXPECT_TRUE(wait_until([&] {
      bytes += connection_.receive(0.01).value_or("");
      return bytes.size() >= kWhole;
    }));
    connection_.send("OK");  // for the one after it
    return bytes.substr(std::min(kHeader, bytes.size()));
  }
  // A picture that was surely made after this call.
  std::string see_now() {
    see();
    return see();
  }

 private:
  SimulatorConnection connection_;
};

// Of the pixels' colours, in the mean.
double difference(const std::string& a, const std::string& b) {
  if (a.size() != b.size() || a.empty()) return 255;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(static_cast<int>(static_cast<unsigned char>(a[i])) - static_cast<unsigned char>(b[i]));
  }
  return sum / static_cast<double>(a.size());
}

constexpr auto kHere = "{Name R1} {Location 0,0,0}", kThere = "{Name R2} {Location 0,1.5,0} {Rotation 0,0,2}";

TEST(UsarsimServer, TheFirstPictureClientSeesTheFirstRobot) {
  const Server server;
  const Robot here(server, kHere);
  Watcher first(server);
  first.see();
  const std::string seen_here = first.see_now();
  const Robot there(server, kThere);
  Watcher second(server);
  const std::string seen_there = second.see_now();
  EXPECT_GT(difference(seen_here, seen_there), 5);
  EXPECT_LT(difference(first.see_now(), seen_here), 2) << "as before the second robot came";
}

TEST(UsarsimServer, PictureClientsStayWithTheirRobots) {
  const Server server;
  auto here = std::make_unique<Robot>(server, kHere);
  Watcher first(server);
  first.see();
  const Robot there(server, kThere);
  Watcher second(server);
  const std::string seen_there = second.see_now();
  here.reset();
  EXPECT_TRUE(wait_until([&] { return difference(first.see_now(), seen_there) < 2; })) << "the only one that is left";
  const Robot third(server, kHere);
  EXPECT_LT(difference(second.see_now(), seen_there), 2) << "still the second robot";
  EXPECT_GT(difference(first.see_now(), seen_there), 5) << "the new one, that nobody else sees";
}

TEST(UsarsimServer, ANewPictureClientTakesTheRobotThatNobodySees) {
  const Server server;
  const Robot here(server, kHere), there(server, kThere);
  auto first = std::make_unique<Watcher>(server);
  const std::string seen_here = first->see_now();
  Watcher second(server);
  const std::string seen_there = second.see_now();
  ASSERT_GT(difference(seen_here, seen_there), 5);
  first.reset();
  // as soon as the server has noticed
  EXPECT_TRUE(wait_until([&] {
    Watcher third(server);
    return difference(third.see_now(), seen_here) < 2;
  }));
}

}  // namespace
}  // namespace forerun::bridge
