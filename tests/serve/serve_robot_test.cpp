// A robot served by three functions, watched and commanded over real sockets.
#include "forerun/serve/serve_robot.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <sstream>
#include <thread>

#include "forerun/io/key_file.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/sync/noise.hpp"
#include "tests/support/background.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::serve {
namespace {

// Served on a thread of its own for as long as this lives.
class ServedInBackground {
 public:
  explicit ServedInBackground(const std::string& keys)
      : thread_([this, keys] {
          const RobotFunctions functions{.look =
                                             [](RobotTime now) {
                                               robot::Report report;
                                               report.time = now;
                                               report.state.pose = {3, 1.25, 0.5};
                                               report.limits = {0.5, 1.0};
                                               return report;
                                             },
                                         .obey =
                                             [this](const robot::Command& command) {
                                               ++n_obeyed;
                                               return command.kind == robot::CommandKind::stop
                                                          ? robot::accept()
                                                          : robot::refuse(robot::Refusal::not_able);
                                             },
                                         .come_to_rest = [] {},
                                         .on_open = [this](const ServedAt& place) { place_.set_value(place); }};
          result = serve_robot({.world = "bonn-office", .robot = "turtle", .listen = "127.0.0.1:0", .keys = keys},
                               functions, [this] { return !quit_; });
        }) {}
  ~ServedInBackground() {
    quit_ = true;
    thread_.join();
    EXPECT_TRUE(result) << result.error().message;
  }
  ServedInBackground(const ServedInBackground&) = delete;
  ServedInBackground& operator=(const ServedInBackground&) = delete;

  [[nodiscard]] ServedAt place() { return place_.get_future().get(); }
  std::atomic<int> n_obeyed{0};
  Result<void> result;

 private:
  std::promise<ServedAt> place_;
  std::atomic<bool> quit_{false};
  std::thread thread_;  // the last member: it uses all others
};

bool poll_until(net::Viewer& viewer, const std::function<bool()>& reached) {
  const OperatorTime start = viewer.now();
  while (!reached() && to_seconds(viewer.now() - start) < 20) viewer.poll(0.05);
  return reached();
}

TEST(ServeRobot, IsWatchedAndCommandedWithThreeFunctions) {
  const test::TempFolder folder;
  net::SodiumCipher cipher;
  const sync::KeyPair desk = sync::make_key_pair(cipher);
  // its own keys are made on the first run, beside the list of who may connect
  ASSERT_TRUE(io::allow_key(folder.file("keys"), {.key = desk.open, .role = sync::Role::operate}));
  ServedInBackground robot(folder.file("keys"));
  const ServedAt place = robot.place();
  const auto key = io::parse_key(place.public_key, "the key");
  ASSERT_TRUE(key);
  auto viewer = net::Viewer::open({.server = place.address, .server_key = *key, .keys = desk, .params = {}});
  ASSERT_TRUE(viewer) << viewer.error().message;

  ASSERT_TRUE(poll_until(*viewer, [&] { return viewer->client().newest().has_value(); }));
  EXPECT_NEAR(viewer->client().newest()->state.pose.x, 3, 0.01);
  EXPECT_NE(viewer->client().newest()->model, 0u);
  ASSERT_TRUE(viewer->give({.kind = robot::CommandKind::stop}));
  EXPECT_TRUE(poll_until(*viewer, [&] { return robot.n_obeyed == 1; }));
}

// examples/serve_a_robot.cpp, on which others build.
TEST(ServeRobot, TheExampleIsHandDrivenUntilThatEndsAndARefusedGoalEndsNothing) {
  const test::TempFolder folder;
  net::SodiumCipher cipher;
  const sync::KeyPair desk = sync::make_key_pair(cipher);
  ASSERT_TRUE(io::allow_key(folder.file("keys"), {.key = desk.open, .role = sync::Role::operate}));
  test::Background example({FORERUN_EXAMPLE_SERVE, folder.file("keys"), "100"});
  std::istringstream said(example.await_line([](const std::string& line) { return !line.empty(); }, 20));
  std::string word, address, key;
  said >> word >> word >> word >> address >> word >> key;  // forerun view --connect ADDRESS --server-key KEY
  auto viewer =
      net::Viewer::open({.server = address, .server_key = *io::parse_key(key, "key"), .keys = desk, .params = {}});
  ASSERT_TRUE(viewer) << viewer.error().message;
  const auto& newest = viewer->client().newest();
  const auto hand_driven = [&] { return newest && newest->hand_driven; };

  ASSERT_TRUE(poll_until(*viewer, [&] {
    return hand_driven() || (viewer->give({robot::CommandKind::drive, {}, {0.2, 0, 0}}), false);
  }));
  const auto goal = viewer->give({robot::CommandKind::goal, {3, 1.25}, {}});
  ASSERT_TRUE(poll_until(*viewer, [&] {
    return viewer->client().commands().records().back().state == sync::CommandRecord::State::refused;
  }));
  ASSERT_EQ(viewer->client().commands().records().back().number, goal);
  const auto sequence = newest->sequence;
  ASSERT_TRUE(poll_until(*viewer, [&] { return newest->sequence > sequence; }));
  EXPECT_TRUE(newest->hand_driven) << "a goal that is refused leaves things as they are";
  EXPECT_TRUE(poll_until(*viewer, [&] { return !hand_driven(); })) << "commands of hand driving have ceased";
  EXPECT_EQ(newest->state.velocity, robot::Twist{});
}

TEST(ServeRobot, CannotDoWithoutALook) {
  const test::TempFolder folder;
  const ServeSetup setup{
      .world = "bonn-office", .robot = "turtle", .listen = "127.0.0.1:0", .keys = folder.file("keys")};
  EXPECT_DEATH((void)serve_robot(setup, {}, [] { return false; }), "broken promise");
}

TEST(ServeRobot, SaysWhatIsWrong) {
  const test::TempFolder folder;
  const auto serve = [&](const ServeSetup& setup) {
    return serve_robot(setup, {.look = [](RobotTime) { return std::nullopt; }}, [] { return false; });
  };
  ServeSetup setup{.world = "bonn-office", .robot = "no-such", .listen = "127.0.0.1:0", .keys = folder.file("keys")};
  EXPECT_NE(serve(setup).error().message.find("no-such"), std::string::npos);
  setup.robot = "turtle";
  EXPECT_TRUE(serve(setup));
  setup.listen = "nonsense";
  EXPECT_NE(serve(setup).error().message.find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace forerun::serve
