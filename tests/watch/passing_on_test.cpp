// A report that holds more than this version knows comes out of a relay, and out of a recording, as it went in.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/watch/live_recording.hpp"
#include "forerun/watch/page_feed.hpp"
#include "forerun/watch/replay.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/web_client.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::watch {
namespace {

using test::TempFolder;
using test::WebClient;

constexpr std::size_t kPageHeader = 16;

std::vector<std::uint8_t> newer_sections() {
  sync::SectionWriter out;
  EXPECT_TRUE(out.add(sync::SectionKind::planned_path, std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_TRUE(out.add(static_cast<sync::SectionKind>(250), std::vector<std::uint8_t>(300, 0xee)));
  return {out.written().begin(), out.written().end()};
}

robot::Report some_report() {
  robot::Report report;
  report.sequence = 7;
  report.state = {{1.5, -2.5, 0.75}, {0.3, 0, -0.1}};
  report.odometry = Pose2{1, 2, 30};
  return report;
}

// A page and a browser that looks at it.
struct OpenPage {
  explicit OpenPage(web::PageMode mode) : hub(web, mode, "1", 1) {}

  static web::WebServer open_web() {
    return std::move(*web::WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .limits = {}}));
  }
  // The body of the first report that a browser gets which comes now.
  std::string first_body() {
    WebClient browser(web.local_address().port);
    EXPECT_EQ(browser.open_web_socket(), 101);
    const std::array<int, 1> descriptor{web.descriptor()};
    EXPECT_TRUE(net::wait_readable(descriptor, 10));
    for (const web::WebEvent& event : web.take_events()) hub.welcome(event.browser);
    while (const auto frame = browser.frame()) {
      if (frame->opcode == 2 && frame->payload[0] == 1) return frame->payload.substr(kPageHeader);
    }
    return "";
  }

  web::WebServer web = open_web();
  web::PageHub hub;
};

std::string text_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

TEST(PassingOn, ARelayPassesOnTheBytesThatItReceived) {
  net::SodiumCipher cipher;
  const sync::KeyPair robot_keys = sync::make_key_pair(cipher), relay_keys = sync::make_key_pair(cipher);
  test::NotingRobot robot;
  auto server = net::RobotServer::open(
      {.listen = *net::resolve("127.0.0.1:0"), .keys = robot_keys, .allowed = {{relay_keys.open, sync::Role::watch}}},
      robot);
  ASSERT_TRUE(server);
  auto viewer = net::Viewer::open({.server = net::to_string(server->local_address()),
                                   .server_key = robot_keys.open,
                                   .keys = relay_keys,
                                   .params = {.wanted = sync::Role::watch}});
  ASSERT_TRUE(viewer);
  OpenPage page(web::PageMode::watch);
  PageFeed feed(*viewer, page.hub, 1, "here");

  robot::Report report = some_report();
  report.time = server->now();
  const auto sent = sync::encode_report(report, newer_sections());
  ASSERT_TRUE(sent && server->publish(report, newer_sections()));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < end && !(viewer->client().newest() && viewer->client().clock().ready())) {
    server->poll(0.002);
    viewer->poll(0.002);
  }
  feed.look();
  EXPECT_EQ(text_of(viewer->client().newest_body()), text_of(*sent));
  EXPECT_EQ(page.first_body(), text_of(*sent));
}

TEST(PassingOn, ARecordingKeepsTheSections) {
  const TempFolder folder;
  robot::Report report = some_report();
  report.robot = 1;
  report.time = {5'000'000'000};
  const auto sent = sync::encode_report(report, newer_sections());
  ASSERT_TRUE(sent);
  {
    auto recording = record::Recording::open(folder.file("a.mcap"));
    ASSERT_TRUE(recording);
    LiveRecording live(**recording, nullptr);
    live.report(1, {*sync::decode_report(*sent).report, *sent}, {6'000'000'000});
    ASSERT_TRUE((*recording)->close());
  }
  auto replay = Replay::open(folder.file("a.mcap"));
  ASSERT_TRUE(replay) << replay.error().message;
  OpenPage page(web::PageMode::replay);
  replay->start(page.hub, 0);
  EXPECT_EQ(page.first_body(), text_of(*sent));
}

}  // namespace
}  // namespace forerun::watch
