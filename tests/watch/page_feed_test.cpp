// Hand driving from the page, with a robot side whose own time limit is long: what ends a drive here is the program.
#include "forerun/watch/page_feed.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string_view>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/watch/command_desk.hpp"
#include "forerun/watch/own_commands.hpp"
#include "tests/mission/hall_mission.hpp"
#include "tests/support/outings.hpp"
#include "tests/support/web_client.hpp"
#include "tests/sync/virtual_link.hpp"

namespace forerun::watch {
namespace {

using robot::CommandKind;
using test::NotingRobot;
using test::WebClient;

const robot::Command kDrive{.kind = CommandKind::drive, .velocity = {0.3, 0, 0.1}};
const robot::Command kLetGo{.kind = CommandKind::drive};
const robot::Command kTooFast{.kind = CommandKind::drive, .velocity = {1e9, 0, 0}};
const robot::Command kStop{.kind = CommandKind::stop};
constexpr web::BrowserId kAnn = 11, kBob = 12;

constexpr const char* kDriveText = R"({"type":"drive","robot":1,"v":0.3,"w":0.1})";
constexpr const char* kStopText = R"({"type":"stop","robot":1})";

// Writes down what became of commands.
class NotingSink final : public web::PageSink {
 public:
  void set_robot(std::uint32_t, const web::RobotCard&) override {}
  void set_demo(const web::DemoSettings&) override {}
  void put_model(std::uint64_t, Bytes) override {}
  void put_mission(std::uint32_t, std::uint64_t mission, Bytes) override { missions.push_back(mission); }
  void report(std::uint32_t, const web::PageReport&, RobotTime) override {}
  void time(std::uint32_t, RobotTime) override {}
  void truth(std::uint32_t, RobotTime, const Pose2&) override {}
  void link(std::uint32_t, const web::PageLink& said) override { newest = said; }
  void command(std::uint32_t, std::uint32_t, const robot::Command&) override {}
  void outcome(std::uint32_t, const web::PageOutcome& outcome) override { outcomes.push_back(outcome); }

  std::vector<web::PageOutcome> outcomes;
  std::vector<std::uint64_t> missions;
  web::PageLink newest;
};

// Robot side, viewer and page at one table; time is real, and passes only where a test lets it.
struct Table {
  Table() : robot_keys(make_keys()), desk_keys(make_keys()), server(open_server()), viewer(open_viewer()) {}

  static sync::KeyPair make_keys() {
    net::SodiumCipher cipher;
    return sync::make_key_pair(cipher);
  }
  net::RobotServer open_server() {
    net::RobotServer::Setup setup{
        .listen = *net::resolve("127.0.0.1:0"), .keys = robot_keys, .allowed = {{desk_keys.open, sync::Role::operate}}};
    setup.params.gate.drive_timeout_s = 1000;
    return std::move(*net::RobotServer::open(setup, robot));
  }
  net::Viewer open_viewer() {
    return std::move(*net::Viewer::open(
        {.server = net::to_string(server.local_address()), .server_key = robot_keys.open, .keys = desk_keys}));
  }

  void turn() {
    if (server.now() - report.time > from_seconds(0.05)) {
      report.time = server.now();
      ++report.sequence;
      EXPECT_TRUE(server.publish(report));
    }
    server.poll(0.002);
    viewer.poll(0.002);
  }
  // Lets time pass until it holds; false when it does not come to that.
  bool await(const std::function<bool()>& holds, const std::function<void()>& meanwhile) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > end) return false;
      turn();
      meanwhile();
    }
    return true;
  }
  bool await(const std::function<bool()>& holds) {
    return await(holds, [&] { feed.look(); });
  }
  void open_session() {
    ASSERT_TRUE(await([&] {
      return viewer.client().state(viewer.now()) == sync::LinkState::open && viewer.client().clock().ready();
    }));
  }
  [[nodiscard]] bool last_was(const robot::Command& command) const {
    return !robot.executed.empty() && robot.executed.back().kind == command.kind &&
           (robot.executed.back().velocity == robot::Twist{}) == (command.velocity == robot::Twist{});
  }
  [[nodiscard]] std::string last_text() const { return sink.outcomes.empty() ? "" : sink.outcomes.back().text; }

  NotingRobot robot;
  sync::KeyPair robot_keys, desk_keys;
  net::RobotServer server;
  net::Viewer viewer;
  NotingSink sink;
  PageFeed feed{viewer, sink, 1, "here"};
  robot::Report report;
};

TEST(PageFeed, BringsAMissionAndSaysWhatBecameOfIt) {
  for (const bool takes : {true, false}) {
    Table table;
    table.robot.takes_objects = takes;
    EXPECT_FALSE(table.feed.bring(Bytes(table.desk_keys.open))) << "no mission at all";
    table.open_session();
    const auto bytes = mission::to_bytes(mission::make_hall_mission());
    ASSERT_TRUE(table.feed.bring(*bytes));
    ASSERT_TRUE(table.await(
        [&] { return table.sink.newest.upload && std::string(table.sink.newest.upload->state) != "under_way"; }));
    const web::PageUpload& upload = *table.sink.newest.upload;
    EXPECT_STREQ(upload.state, takes ? "taken" : "refused");
    EXPECT_EQ(upload.why, takes ? "" : "this robot takes no objects");
    EXPECT_EQ(upload.share, 1);
    if (!takes) continue;
    ASSERT_EQ(table.robot.objects.size(), 1u);
    const auto sealed = mission::unpack_signed(table.robot.objects[0].bytes);
    ASSERT_TRUE(sealed);
    EXPECT_EQ(sealed->seal.key, table.desk_keys.open);
    EXPECT_TRUE(net::is_signed_by(sealed->seal.key, sealed->mission, sealed->seal.signature));
  }
}

// Pressed twice, the second one cannot pass over a place where the mission holds.
TEST(PageFeed, AStartSaysHowOftenTheMissionHadBeenStarted) {
  Table table;
  table.open_session();
  const robot::Command start{.kind = CommandKind::start, .mission = 7};
  const auto give = [&] {
    const std::size_t n = table.robot.executed.size();
    table.feed.give(start, kAnn);
    return table.await([&] { return table.robot.executed.size() > n; });
  };
  const auto heard = [&] { return table.viewer.client().newest().has_value(); };
  ASSERT_TRUE(table.await(heard));
  ASSERT_TRUE(give());
  EXPECT_EQ(table.robot.executed.back().starts, 0) << "the robot has just been brought it";
  for (const std::uint16_t starts : {std::uint16_t{1}, std::uint16_t{2}}) {
    table.report.mission = {.number = 7, .starts = starts};
    const auto is_known = [&] {
      const auto& newest = table.viewer.client().newest();
      return newest->mission && newest->mission->starts == starts;
    };
    ASSERT_TRUE(table.await(is_known));
    ASSERT_TRUE(give());
    EXPECT_EQ(table.robot.executed.back().starts, starts);
  }
}

TEST(PageFeed, EndsTheDriveOfAPageThatFallsSilent) {
  Table table;
  table.open_session();
  table.feed.give(kDrive, kAnn);
  ASSERT_TRUE(table.await([&] { return table.last_was(kDrive); }));
  ASSERT_TRUE(table.await([&] { return table.last_was(kLetGo); }));
  EXPECT_EQ(table.robot.n_ended, 0) << "the robot side itself waits much longer";
}

TEST(PageFeed, EndsTheDriveOfABrowserThatLeaves) {
  Table table;
  table.open_session();
  table.feed.give(kDrive, kAnn);
  table.feed.leave(kBob);  // who never drove
  ASSERT_TRUE(table.await([&] { return table.last_was(kDrive); }, [] {}));
  table.feed.leave(kAnn);
  // nobody looks at the time any more
  EXPECT_TRUE(table.await([&] { return table.last_was(kLetGo); }, [] {}));
}

TEST(PageFeed, AStopHoldsAgainstWhoDrivesOn) {
  Table table;
  table.open_session();
  table.feed.give(kDrive, kAnn);
  ASSERT_TRUE(table.await([&] { return table.last_was(kDrive); }));
  table.feed.give(kDrive, kAnn);
  table.feed.give(kStop, kBob);
  for (int i = 0; i < 5; ++i) table.feed.give(kDrive, kAnn);
  EXPECT_NE(table.last_text().find("let go first"), std::string::npos) << table.last_text();
  ASSERT_TRUE(table.await([&] { return table.last_was(kStop); }));
  EXPECT_EQ(table.sink.outcomes.back().kind, CommandKind::stop);
  // whoever lets go may drive again
  table.feed.give(kLetGo, kAnn);
  table.feed.give(kDrive, kAnn);
  EXPECT_TRUE(table.await([&] { return table.last_was(kDrive); }));
}

TEST(PageFeed, SaysWhyTheRobotRefused) {
  Table table;
  table.open_session();
  const robot::Command goal{.kind = CommandKind::goal, .goal = {1, 2}};
  table.robot.reply = robot::refuse(robot::Refusal::cannot_stand);
  table.feed.give(goal, kAnn);
  ASSERT_TRUE(table.await(
      [&] { return !table.sink.outcomes.empty() && std::string_view(table.sink.outcomes.back().state) == "refused"; }));
  EXPECT_EQ(table.last_text(),
            "The robot refused it: the goal lies in a wall or too near to one, or outside the world");
  table.robot.reply = robot::refuse(robot::Refusal::busy, "charging");
  table.feed.give(goal, kAnn);
  EXPECT_TRUE(table.await([&] { return table.last_text() == "The robot refused it: charging"; })) << table.last_text();
}

TEST(PageFeed, ADriveThatCouldNotBeGivenIsNotTakenUpAgainUnasked) {
  Table table;
  table.feed.give(kDrive, kAnn);
  EXPECT_NE(table.last_text().find("no open session"), std::string::npos) << table.last_text();
  table.open_session();
  table.feed.give(kLetGo, kAnn);
  table.feed.give(kTooFast, kAnn);
  EXPECT_NE(table.last_text().find("larger than a message can hold"), std::string::npos) << table.last_text();
  const std::size_t told = table.sink.outcomes.size();
  for (int i = 0; i < 5; ++i) table.feed.give(kDrive, kAnn);
  EXPECT_EQ(table.sink.outcomes.size(), told) << "it has been told already";
  table.feed.give(kLetGo, kAnn);
  ASSERT_TRUE(table.await([&] { return table.last_was(kLetGo); }));
  for (const robot::Command& command : table.robot.executed) EXPECT_EQ(command.velocity, robot::Twist{});
  table.feed.give(kDrive, kAnn);
  EXPECT_TRUE(table.await([&] { return table.last_was(kDrive); }));
}

TEST(PageFeed, SaysWhenAStopStandsInTheWay) {
  Table table;
  table.open_session();
  table.feed.give(kStop, kBob);
  table.feed.give({.kind = CommandKind::cancel}, kAnn);
  EXPECT_NE(table.last_text().find("a stop has not been answered yet"), std::string::npos) << table.last_text();
  EXPECT_TRUE(table.await([&] { return table.last_was(kStop); }));
}

// The same through a real WebSocket.
struct Desk : Table {
  Desk() : web(open_web()), hub(web, web::PageMode::operate, "1", 1) { open_session(); }
  static web::WebServer open_web() {
    return std::move(*web::WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .limits = {}}));
  }

  web::WebServer web;
  web::PageHub hub;
  CommandDesk desk{web, hub, feed};
};

TEST(CommandDesk, ADriveEndsWithItsBrowser) {
  Desk table;
  const auto listen = [&] { table.desk.turn(); };
  auto ann = std::make_unique<WebClient>(table.web.local_address().port);
  const WebClient bob(table.web.local_address().port);
  ASSERT_EQ(ann->open_web_socket(), 101);
  ASSERT_TRUE(ann->say(kDriveText));
  ASSERT_TRUE(table.await([&] { return table.last_was(kDrive); }, listen));
  ann.reset();
  // nobody looks at the time: it is the end of the connection that ends the drive
  EXPECT_TRUE(table.await([&] { return table.last_was(kLetGo); }, listen));
  EXPECT_EQ(table.robot.n_ended, 0);
}

TEST(CommandDesk, WhatWasSaidBehindAStopDoesNotDrive) {
  Desk table;
  WebClient ann(table.web.local_address().port);
  ASSERT_EQ(ann.open_web_socket(), 101);
  for (const char* text : {kDriveText, kStopText, kDriveText, kDriveText}) ASSERT_TRUE(ann.say(text));
  ASSERT_TRUE(table.await([&] { return table.last_was(kStop); }, [&] { table.desk.turn(); }));
  for (int i = 0; i < 20; ++i) {
    table.turn();
    table.desk.turn();
  }
  EXPECT_TRUE(table.last_was(kStop));
}

// -- the rule by itself ----------------------------------------------------------------------------------------------

using Verdict = HandDriving::Verdict;
OperatorTime at(double seconds) { return OperatorTime{} + from_seconds(100 + seconds); }

TEST(HandDriving, WhoDrivesOnThroughAStopMustLetGo) {
  HandDriving hands;
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(0)), Verdict::may_drive);
  EXPECT_EQ(hands.judge(kBob, kDrive.velocity, at(0)), Verdict::may_drive);
  hands.all_must_let_go(false);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(0.1)), Verdict::must_let_go);
  for (int i = 2; i < 100; ++i) {
    EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(0.1 * i)), Verdict::must_let_go_still) << i;
  }
  // zeros let go, and so does a pause; each for oneself
  EXPECT_EQ(hands.judge(kAnn, {}, at(10)), Verdict::may_drive);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(10.1)), Verdict::may_drive);
  hands.all_must_let_go(true);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(10.2)), Verdict::must_let_go_still);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(10.51)), Verdict::may_drive);
}

TEST(HandDriving, APauseIsForOneself) {
  HandDriving hands;
  (void)hands.judge(kAnn, kDrive.velocity, at(0));
  (void)hands.judge(kBob, kDrive.velocity, at(0));
  hands.all_must_let_go(false);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(0.2)), Verdict::must_let_go);
  EXPECT_EQ(hands.judge(kAnn, kDrive.velocity, at(0.4)), Verdict::must_let_go_still);
  EXPECT_EQ(hands.judge(kBob, kDrive.velocity, at(0.4)), Verdict::may_drive);
}

// What any of the browsers wants to see travels, and no longer than it is wanted.
TEST(PageFeed, AsksForTheCamerasOfAllBrowsers) {
  Table table;
  table.open_session();
  const auto wanted = [&](image::Cameras cameras) {
    return table.await([&] { return table.server.wanted_cameras() == cameras; });
  };
  table.feed.look_through(1, 0b01);
  EXPECT_TRUE(wanted(0b01));
  table.feed.look_through(2, 0b10);
  EXPECT_TRUE(wanted(0b11));
  table.feed.leave(1);
  EXPECT_TRUE(wanted(0b10));
}

// What is predicted beside a viewer: a robot that stands in the hall.
struct Predicted {
  explicit Predicted(Table& at) : table(at) {
    table.open_session();
    EXPECT_TRUE(table.await([&] { return table.viewer.client().newest().has_value(); }));
    robot::Report report = *table.viewer.client().newest();
    report.state.pose = {2, 1.5, 0};
    live.take(report);
    look();
  }
  void look() {
    told = tell_commands(table.viewer, told, live);
    (void)live.at(table.viewer.client().clock().to_remote(table.viewer.now()).time);
  }

  Table& table;
  predict::LiveRobot live = std::move(*predict::make_live_robot(make_hall(), make_hall_robot()));
  std::uint64_t told = 0;
};

TEST(TellCommands, AreKnownToWhatIsPredictedAtOnce) {
  Table table;
  Predicted predicted(table);
  EXPECT_FALSE(predicted.live.landing());
  const auto number = table.viewer.give(kDrive);
  predicted.look();
  EXPECT_EQ(predicted.told, 1u);
  ASSERT_TRUE(predicted.live.landing());
  EXPECT_EQ(predicted.live.landing()->number, number);
  predicted.look();
  EXPECT_EQ(predicted.told, 1u);
}

TEST(TellCommands, ThatTheRobotRefusesAreTakenOut) {
  Table table;
  Predicted predicted(table);
  table.robot.reply = robot::refuse(robot::Refusal::busy, "charging");
  table.viewer.give(kDrive);
  predicted.look();
  ASSERT_TRUE(predicted.live.landing());
  const auto refused = [&] {
    return table.viewer.client().commands().records().back().state == sync::CommandRecord::State::refused;
  };
  ASSERT_TRUE(table.await(refused, [] {}));
  predicted.look();
  EXPECT_FALSE(predicted.live.landing());
}

}  // namespace
}  // namespace forerun::watch
