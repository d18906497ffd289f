// `forerun demo` as its page sees it: real datagrams, a real WebSocket.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "forerun/sim/model_bytes.hpp"
#include "tests/app/expectations.hpp"
#include "tests/app/page_client.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

struct Demo {
  explicit Demo(const std::vector<std::string>& more = {}) : program(forerun_command(arguments(more))) {
    port = await_page(program);
    EXPECT_NE(port, 0);
  }
  // An option of `more` takes the place of ours.
  static std::vector<std::string> arguments(const std::vector<std::string>& more) {
    std::vector<std::string> all{"demo", "--no-open"};
    for (const auto& [name, value] :
         {std::pair("--page-port", "0"), std::pair("--reality", "exact"), std::pair("--loss", "0"),
          std::pair("--delay-s", "0.01"), std::pair("--interval-s", "0.1")}) {
      if (std::find(more.begin(), more.end(), name) != more.end()) continue;
      all.insert(all.end(), {name, value});
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Background program;
  std::uint16_t port = 0;
};

// Whoever is told of a robot can fetch its model.
json await_model(PageClient& page) {
  return page.await(
      [](const json& m) { return m["type"] == "hello" && !m["robots"][0]["model"].get<std::string>().empty(); });
}

TEST(Demo, TellsThePageEverythingAndEndsWithCtrlC) {
  Demo demo;
  PageClient page(demo.port);
  const json first = page.await([](const json&) { return true; });
  ASSERT_EQ(first["type"], "hello") << first;
  EXPECT_EQ(first["mode"], "demo");
  const json settings = page.await_type("demo");
  EXPECT_EQ(settings["interval_s"], 0.1);
  const json hello = first["robots"][0]["model"] == "" ? await_model(page) : first;
  ASSERT_TRUE(hello.is_object());
  EXPECT_EQ(hello["robots"][0]["world"], "Bonn office");
  const WebReply model = WebClient(demo.port).get("/model/" + hello["robots"][0]["model"].get<std::string>());
  ASSERT_EQ(model.status, 200);
  EXPECT_TRUE(sim::unpack_model(PageClient::bytes_of(model.body)));

  const auto report = page.await_report([](const robot::Report& r) { return r.state.velocity.vx > 0.1; });
  ASSERT_TRUE(report) << "it drives by itself";
  // the truth of an exact robot is what it reports
  const std::string truth = page.await_binary(3);
  ASSERT_EQ(truth.size(), 40u);
  ByteReader reader(PageClient::bytes_of(truth).subspan(16));
  EXPECT_LT(std::hypot(reader.f64() - report->state.pose.x, reader.f64() - report->state.pose.y), 2);
  EXPECT_EQ(page.await_binary(2).size(), 16u);
  const json link = page.await([](const json& m) { return m["type"] == "link" && m["age_s"].is_number(); });
  ASSERT_TRUE(link.is_object());
  EXPECT_EQ(link["may_operate"], true);
  demo.program.signal(SIGINT);
  EXPECT_EQ(demo.program.finish(), 130);
}

TEST(Demo, CommandsOfThePageAreObeyedAndConfirmed) {
  Demo demo;
  PageClient page(demo.port);
  ASSERT_TRUE(page.await_report([](const robot::Report& r) { return r.task == robot::TaskState::driving; }));
  page.say({{"type", "goal"}, {"robot", 1}, {"x", 3.0}, {"y", 1.25}});
  EXPECT_TRUE(page.await_outcome("goal", "confirmed").is_object());
  ASSERT_TRUE(page.await_report([](const robot::Report& r) { return r.goal && *r.goal == Vec2{3.0, 1.25}; }));
  page.say({{"type", "goal"}, {"robot", 1}, {"x", -500}, {"y", 0}});
  EXPECT_TRUE(page.await_outcome("goal", "refused").is_object());
  page.say({{"type", "stop"}, {"robot", 1}});
  EXPECT_TRUE(page.await_outcome("stop", "confirmed").is_object());
  ASSERT_TRUE(page.await_report(
      [](const robot::Report& r) { return r.motors == robot::MotorState::stopped && r.state.velocity.vx == 0; }));
  // driving by hand ends when the page says no more
  for (int i = 0; i < 5; ++i) {
    page.say({{"type", "drive"}, {"robot", 1}, {"v", 0.2}, {"w", 0}});
    ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  }
  ASSERT_TRUE(page.await_report([](const robot::Report& r) { return r.hand_driven && r.state.velocity.vx > 0.05; }));
  ASSERT_TRUE(page.await_report([](const robot::Report& r) { return r.state.velocity.vx == 0; }));
  // nonsense is refused with a sentence
  page.say({{"type", "fly"}, {"robot", 1}});
  EXPECT_NE(page.await_type("outcome").dump().find("goal, stop"), std::string::npos);
}

TEST(Demo, TheNetworkChangesAtOnce) {
  Demo demo;
  PageClient page(demo.port);
  ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  page.say({{"type", "demo"}, {"blackout", true}});
  EXPECT_EQ(page.await_type("demo")["blackout"], true);
  const json stale =
      page.await([](const json& m) { return m["type"] == "link" && m.dump().find("\"stale\"") != std::string::npos; });
  ASSERT_TRUE(stale.is_object());
  EXPECT_GT(stale["age_s"].get<double>(), 3);
  page.say({{"type", "demo"}, {"blackout", false}});
  EXPECT_TRUE(page.await([](const json& m) { return m["type"] == "link" && m["age_s"].is_number() && m["age_s"] < 1; })
                  .is_object());
  // another reality goes on where the robot is
  const auto before = page.await_report([](const robot::Report&) { return true; });
  page.say({{"type", "demo"}, {"reality", "mismatched"}});
  const auto after = page.await_report(
      [&](const robot::Report& r) { return r.sequence > before->sequence + 10 && r.error.sigma_x > 0; });
  ASSERT_TRUE(after);
  EXPECT_LT(distance(after->state.pose.position(), before->state.pose.position()), 3);
  page.say({{"type", "demo"}, {"reality", "magic"}});
  EXPECT_NE(page.await_type("outcome").dump().find("magic"), std::string::npos);
}

TEST(Demo, AGoalOfABlackoutIsRefusedWhenItEnds) {
  constexpr Vec2 kGoal{3.0, 1.25};
  Demo demo;
  PageClient page(demo.port);
  ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  page.say({{"type", "demo"}, {"blackout", true}});
  // the last report has come, and the session is still thought to be open
  const auto await_age = [&](double age_s) {
    return page
        .await([&](const json& m) { return m["type"] == "link" && m["age_s"].is_number() && m["age_s"] > age_s; })
        .is_object();
  };
  ASSERT_TRUE(await_age(1));
  page.say({{"type", "goal"}, {"robot", 1}, {"x", kGoal.x}, {"y", kGoal.y}});
  ASSERT_TRUE(await_age(4)) << "longer than a viewer usually asks";
  page.say({{"type", "demo"}, {"blackout", false}});
  const json outcome = page.await(
      [](const json& m) { return m["type"] == "outcome" && m["command"] == "goal" && m["state"] != "sent"; });
  ASSERT_TRUE(outcome.is_object()) << "the page says what became of it";
  EXPECT_EQ(outcome["state"], "refused") << outcome;
  EXPECT_NE(outcome["text"].get<std::string>().find("too old"), std::string::npos) << outcome;
  const auto first = page.await_report([](const robot::Report&) { return true; });
  ASSERT_TRUE(first);
  // reports show what a command has changed within a second
  const auto later = page.await_report([&](const robot::Report& r) {
    EXPECT_FALSE(r.goal == kGoal);
    return r.sequence > first->sequence + 20;
  });
  EXPECT_TRUE(later);
}

TEST(Demo, EndsAfterTheTimeAndTakesAFreePortWhereItsOwnIsTaken) {
  Demo first;
  Background second(
      forerun_command({"demo", "--no-open", "--page-port", std::to_string(first.port), "--for-s", "0.5"}));
  const auto port = await_page(second);
  EXPECT_NE(port, 0);
  EXPECT_NE(port, first.port);
  EXPECT_EQ(second.finish(), 0);
}

TEST(Demo, APageThatComesLateIsToldAllAtOnce) {
  Demo demo({"--interval-s", "20"});
  PageClient first(demo.port);
  const auto report = first.await_report([](const robot::Report&) { return true; });
  ASSERT_TRUE(report);
  ASSERT_TRUE(await_model(first).is_object());
  // the next report is many seconds away, and the link's state is told four times a second
  PageClient late(demo.port);
  EXPECT_EQ(late.await([](const json&) { return true; }, 5)["type"], "hello");
  EXPECT_EQ(late.await_type("demo", 5)["interval_s"], 20);
  const auto same = late.await_report([](const robot::Report&) { return true; }, 5);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->sequence, report->sequence);
  EXPECT_TRUE(late.await_type("link", 5).is_object());
}

TEST(Demo, TheFirstReportComesOverABadLinkBeforeTheSecondIsDue) {
  Demo demo({"--interval-s", "60", "--loss", "0.3", "--delay-s", "0.09"});
  PageClient page(demo.port);
  const auto report = page.await_report([](const robot::Report&) { return true; }, 40);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->sequence, 0u);
}

TEST(Demo, CtrlCEndsItWithBrowsersAndGuestsOnIt) {
  Demo demo;
  PageClient page(demo.port);
  PageClient other(demo.port);
  const WebClient idle(demo.port);
  const WebClient half(demo.port);
  half.send("GET / HT");
  ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  demo.program.signal(SIGINT);
  EXPECT_EQ(demo.program.finish(5), 130);
}

TEST(Demo, TheWholeProgramEndsWithASecondCtrlCAtTheLatest) {
  Demo demo;
  demo.program.signal(SIGINT);
  demo.program.signal(SIGINT);
  EXPECT_EQ(demo.program.finish(5), 130);
}

TEST(Demo, TheBrowserThatItOpensDoesNotKeepItsPort) {
  const TempFolder folder;
  const std::string note = folder.file("browser");
  // a browser that stays; its note is whole when it is there
  const std::string script = folder.write(
      "xdg-open", "#!/bin/sh\necho $$ $1 > " + note + ".new\nmv " + note + ".new " + note + "\nexec sleep 100\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::vector<std::string> command{"/usr/bin/env", "DISPLAY=:0", "PATH=" + folder.path() + ":/usr/bin:/bin"};
  for (const std::string& word : forerun_command({"demo", "--page-port", "0"})) command.push_back(word);
  Background demo(command);
  const std::uint16_t port = await_page(demo);
  ASSERT_NE(port, 0);
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(note); }));
  pid_t browser = 0;
  std::string address;
  std::ifstream(note) >> browser >> address;
  ASSERT_GT(browser, 0);
  EXPECT_EQ(address, "http://localhost:" + std::to_string(port));
  EXPECT_EQ(WebClient(port).get("/").status, 200);
  demo.signal(SIGINT);
  EXPECT_EQ(demo.finish(), 130);
  EXPECT_TRUE(WebClient(port).is_closed(0)) << "somebody still listens";
  EXPECT_EQ(kill(browser, SIGKILL), 0) << "the browser outlives the demo";
}

TEST(Demo, FilesAreCachedAsLongAsTheyHold) {
  Demo demo;
  WebClient client(demo.port);
  for (const std::string path : {"/", "/core.wasm"}) {
    const WebReply file = client.get(path);
    if (path != "/" && file.status == 404) continue;  // a program without its page
    EXPECT_NE(file.head.find("Cache-Control: no-cache"), std::string::npos) << path;
    const auto at = file.head.find("ETag: ");
    ASSERT_NE(at, std::string::npos) << path;
    const std::string tag = file.head.substr(at + 6, file.head.find("\r\n", at) - at - 6);
    EXPECT_EQ(client.get(path, "If-None-Match: " + tag + "\r\n").status, 304);
    EXPECT_EQ(client.get(path, "If-None-Match: \"old\"\r\n").status, 200);
  }
}

TEST(Demo, BadInputIsNamed) {
  expect_bad_input(run_forerun({"demo", "--reality", "magic"}), {"magic"});
  expect_bad_input(run_forerun({"demo", "--loss", "2"}), {"--loss", "2"});
  for (const char* word : {"", "maybe", "1"}) {
    expect_bad_input(run_forerun({"demo", "--guard", word, "--for-s", "1"}), {"--guard", "on", "off"});
  }
  expect_bad_input(run_forerun({"demo", "--scenario", "nowhere"}), {"nowhere"});
}

}  // namespace
}  // namespace forerun::test
