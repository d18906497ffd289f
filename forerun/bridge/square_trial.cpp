#include "forerun/bridge/square_trial.hpp"

#include <arpa/inet.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>

#include "forerun/base/math.hpp"
#include "forerun/bridge/kenaf_bridge.hpp"
#include "forerun/bridge/usarsim_server.hpp"
#include "forerun/kenaf/moves.hpp"
#include "forerun/kenaf/udp_bus.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::bridge {
namespace {

constexpr const char* kAnyPort = "127.0.0.1:0";
constexpr std::chrono::seconds kFirstStatus{5};

// A thread that ends with the scope.
class Helper {
 public:
  template <class Work>
  explicit Helper(Work work) : thread_([this, work] { work([this] { return !ending_; }); }) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() { finish(); }
  void finish() {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

// Counts whole pictures in a stream of a byte for the kind, four of length, and as much data.
class PictureCounter {
 public:
  [[nodiscard]] int add(std::string_view bytes) {
    constexpr std::size_t kHeader = 5;
    int n = 0;
    waiting_ += bytes;
    while (waiting_.size() >= kHeader) {
      std::uint32_t length = 0;
      std::memcpy(&length, waiting_.data() + 1, sizeof length);
      const std::size_t whole = kHeader + ntohl(length);
      if (waiting_.size() < whole) break;
      waiting_.erase(0, whole);
      ++n;
    }
    return n;
  }

 private:
  std::string waiting_;
};

void watch(const net::Address& images, std::atomic<int>& n_pictures, const std::function<bool()>& go_on) {
  SimulatorConnection camera;
  if (!camera.connect(images, 5)) return;
  PictureCounter counter;
  while (go_on()) {
    const auto bytes = camera.receive(0.05);
    if (!bytes) return;
    const int n = counter.add(*bytes);
    n_pictures += n;
    if (n > 0) camera.send("OK");
  }
}

// What the intermediate process has to say, for the case that nothing comes of it.
class LastWords {
 public:
  void take(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentence_ = sentence;
  }
  [[nodiscard]] Error add_to(std::string sentence) {
    const std::lock_guard lock(mutex_);
    if (!sentence_.empty()) sentence += "; " + sentence_;
    return {std::move(sentence), ErrorKind::impossible};
  }

 private:
  std::mutex mutex_;
  std::string sentence_;
};

// Four times 100 mm ahead and 90 degrees to the left.
Result<void> drive(kenaf::Driver& driver, LastWords& words) {
  if (!driver.await_newer(0, kFirstStatus)) return words.add_to("no status of the robot within five seconds");
  const std::atomic<unsigned> stops = 0;
  const kenaf::StopSignal never(stops);
  for (int side = 0; side < 4; ++side) {
    std::string trouble = kenaf::go_forward(driver, 100, never);
    if (trouble.empty()) trouble = kenaf::turn(driver, 90, never);
    if (!trouble.empty()) return words.add_to("the square was not driven: " + trouble);
  }
  return {};
}

SquareTrial judge(const KenafBridge::Results& results, double duration_s, int n_pictures) {
  SquareTrial trial;
  trial.duration_s = duration_s;
  trial.camera_fps = n_pictures / duration_s;
  Delays delays = results.command_delays;
  delays.add(results.status_delays);
  trial.bridge_delay_ms_p50 = delays.quantile(0.5);
  trial.bridge_delay_ms_p99 = delays.quantile(0.99);
  if (results.begin && results.end) {
    const Vec3 way = results.end->place - results.begin->place;
    trial.closure_mm = 1000 * std::hypot(way.x, way.y);
    for (const Vec2 place : results.way) trial.way.push_back(place - results.way.front());
    trial.heading_deg = normalize_angle(results.end->yaw - results.begin->yaw) * 180 / kPi;
  }
  return trial;
}

}  // namespace

Result<SquareTrial> drive_square(const world::World& world, const robot::Description& robot) {
  auto simulator = KenafSimulator::make(world, robot, {{"start", {}}});
  if (!simulator) return simulator.error();
  auto server = UsarsimServer::open(std::move(*simulator), {.listen = kAnyPort, .images = kAnyPort});
  if (!server) return server.error();
  LastWords words;
  auto bridge = KenafBridge::open({.simulator = net::to_string((*server)->address()), .listen = kAnyPort},
                                  [&](const std::string& sentence) { words.take(sentence); });
  if (!bridge) return bridge.error();
  auto bus = kenaf::open_udp_bus(net::to_string((*bridge)->address()));
  if (!bus.bus) return Error{bus.error, ErrorKind::impossible};
  KenafBridge::Results results;
  std::atomic<int> n_pictures = 0;
  const Helper simulating([&](const auto& go_on) { (*server)->run(go_on); });
  Helper bridging([&](const auto& go_on) { results = (*bridge)->run(go_on); });
  const Helper watching([&](const auto& go_on) { watch((*server)->image_address(), n_pictures, go_on); });
  kenaf::Driver driver(std::move(bus.bus));
  const double begin = net::read_steady_seconds();
  const auto driven = drive(driver, words);
  const double duration = net::read_steady_seconds() - begin;
  const int n_seen = n_pictures;
  bridging.finish();
  if (!driven) return driven.error();
  return judge(results, duration, n_seen);
}

}  // namespace forerun::bridge
