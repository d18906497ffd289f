// Missions over a link: real programs, real sockets, bad networks.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/app/expectations.hpp"
#include "tests/app/link_programs.hpp"

namespace forerun::test {
namespace {

constexpr const char* kHall = "rooms:\n  - {from: [0, 0], to: [8, 5]}\nwalls:\n  - {points: [[4, 0], [4, 2.5]]}\n";

std::string scenario_of(const std::string& robot) {
  return "name: hall\nworld: hall.world.yaml\nrobot: " + robot +
         "\nstart: [1, 1, 0]\ngoals:\n  - {name: here, at: [1, 1], wait_s: 0}\n";
}

class MissionLink : public testing::Test {
 protected:
  MissionLink() {
    link_.folder.write("hall.world.yaml", kHall);
    link_.folder.write("hall.scenario.yaml", scenario_of("turtle"));
  }
  // A mission from where the robot stands to the other half of the hall.
  void make_mission(const std::string& to = "6.5,1") {
    const auto run = [&](std::vector<std::string> arguments) {
      const Outcome done = run_forerun(std::move(arguments), {.folder = link_.folder.path()});
      ASSERT_EQ(done.exit_code, 0) << done.err;
    };
    run({"mission", "record", "--world", "hall.world.yaml", "--robot", "turtle", "--from", "1,1,0", "--to", to, "-o",
         "tried.csv"});
    run({"mission", "trim", "tried.csv", "--world", "hall.world.yaml", "--robot", "turtle", "-o", "rounds.json"});
  }
  void serve() { link_.serve("127.0.0.1:0", {"--scenario", link_.folder.file("hall.scenario.yaml")}); }
  std::vector<std::string> with_link(std::vector<std::string> arguments, const std::string& address,
                                     const char* who = "desk") {
    for (const std::string& more : {std::string("--connect"), address, std::string("--server-key"), link_.robot_key,
                                    std::string("--keys"), link_.folder.file(who)}) {
      arguments.push_back(more);
    }
    return arguments;
  }
  Outcome run(std::vector<std::string> arguments) { return run_forerun(std::move(arguments), {.time_limit_s = 240}); }

  Link link_;
};

TEST_F(MissionLink, IsUploadedOverASevereLinkStartedAndWatchedToItsEnd) {
  make_mission();
  serve();
  link_.impair("severe");
  const Outcome done = run(with_link(
      {"mission", "upload", link_.folder.file("rounds.json"), "--start", "--watch", "--json"}, link_.relay_address));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("the robot has the mission rounds"), std::string::npos) << done.err;
  json last;
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) last = json::parse(line);
  EXPECT_EQ(last["state"], "done");
  EXPECT_NEAR(last["reported"]["x_m"].get<double>(), 6.5, 0.3);
  EXPECT_NEAR(last["reported"]["y_m"].get<double>(), 1, 0.3);
  EXPECT_LT(last["off_path_m"].get<double>(), 0.15);
}

TEST_F(MissionLink, GoesOnWhenNobodyIsThere) {
  make_mission();
  serve();
  const Outcome begun =
      run(with_link({"mission", "upload", link_.folder.file("rounds.json"), "--start"}, link_.server_address));
  ASSERT_EQ(begun.exit_code, 0) << begun.err;
  EXPECT_EQ(begun.out.size(), 17u) << "16 digits: " << begun.out;
  // who comes later, and may only watch, fetches the mission from the robot
  const Outcome watched = run(with_link({"mission", "watch"}, link_.server_address));
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_NE(watched.out.find("done"), std::string::npos) << watched.out;
}

TEST_F(MissionLink, AStopTakesOverAndAStartGoesOn) {
  make_mission();
  serve();
  ASSERT_EQ(run(with_link({"mission", "upload", link_.folder.file("rounds.json"), "--start"}, link_.server_address))
                .exit_code,
            0);
  link_.view(link_.server_address);
  ASSERT_FALSE(
      link_.await([](const json& l) { return l["state"].is_object() && l["state"]["v_mps"] > 0.2; }, 30).is_null());
  link_.viewer->write_line(R"({"command":"stop"})");
  const json held = link_.await(
      [](const json& l) { return l["state"].is_object() && l["state"]["mission_state"] == "handed back"; }, 30);
  ASSERT_FALSE(held.is_null()) << link_.last;
  EXPECT_EQ(held["state"]["mission_departure"], "none");
  const Outcome watched = run(with_link({"mission", "watch", "--start"}, link_.server_address));
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
}

TEST_F(MissionLink, HoldsAsPlannedUntilItIsStartedAgain) {
  make_mission("3,1,0,hold");
  serve();
  const Outcome held = run(
      with_link({"mission", "upload", link_.folder.file("rounds.json"), "--start", "--watch"}, link_.server_address));
  EXPECT_EQ(held.exit_code, 1);
  EXPECT_NE(held.err.find("handed back: it holds as planned"), std::string::npos) << held.err;
  const Outcome gone_on = run(with_link({"mission", "watch", "--start"}, link_.server_address));
  EXPECT_EQ(gone_on.exit_code, 0) << gone_on.err;
}

TEST_F(MissionLink, SaysWhyARobotRefusesIt) {
  serve();
  make_mission();
  link_.folder.write("no.json", "{}");
  expect_bad_input(run(with_link({"mission", "upload", link_.folder.file("no.json")}, link_.server_address)),
                   {"is no mission"});
  const Outcome absent = run(with_link({"mission", "watch"}, link_.server_address));
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_NE(absent.err.find("the robot has no mission; forerun mission upload brings one"), std::string::npos)
      << absent.err;
  ASSERT_EQ(run_forerun({"keys", "new", "--keys", link_.folder.file("guest")}).exit_code, 0);
  const Outcome stranger =
      run(with_link({"mission", "upload", link_.folder.file("rounds.json")}, link_.server_address, "guest"));
  EXPECT_EQ(stranger.exit_code, 1);
  EXPECT_NE(stranger.err.find("does not allow this key"), std::string::npos) << stranger.err;
  const Outcome nothing = run(with_link({"mission", "watch", "--start"}, link_.server_address));
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.err.find("the robot has no mission"), std::string::npos) << nothing.err;
  const Outcome silent = run(with_link({"mission", "watch", "--for-s", "1"}, "127.0.0.1:9"));
  EXPECT_EQ(silent.exit_code, 1);
  EXPECT_NE(silent.err.find("nothing was heard of a mission within 1 s"), std::string::npos) << silent.err;
  // signed by somebody, and changed since
  const std::string file = link_.folder.file("signed.json");
  ASSERT_EQ(run_forerun({"mission", "trim", "tried.csv", "--world", "hall.world.yaml", "--robot", "turtle", "-o",
                         "signed.json", "--sign", "--keys", "desk"},
                        {.folder = link_.folder.path()})
                .exit_code,
            0);
  std::string text = link_.folder.read("signed.json");
  const std::size_t value = text.find("\"value\":\"") + 9;
  text[value] = text[value] == 'A' ? 'B' : 'A';
  link_.folder.write("signed.json", text);
  expect_bad_input(run(with_link({"mission", "upload", file}, link_.server_address)), {"the signature does not fit"});
  // a robot of another kind
  link_.server.reset();
  link_.folder.write("hall.scenario.yaml", scenario_of("create"));
  serve();
  const Outcome other = run(with_link({"mission", "upload", link_.folder.file("rounds.json")}, link_.server_address));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.err.find("the robot refused it: the mission was made for another robot"), std::string::npos)
      << other.err;
}

}  // namespace
}  // namespace forerun::test
