// `forerun relay` and the page of `forerun view`, with a real robot side before them.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/app/expectations.hpp"
#include "tests/app/link_programs.hpp"
#include "tests/app/page_client.hpp"

namespace forerun::test {
namespace {

TEST(RelayCommand, ManyWatchAndNobodyCommands) {
  Link link;
  link.serve("127.0.0.1:0", {"--public"});
  Background relay(forerun_command({"relay", link.robot_key + "@" + link.server_address,
                                    link.robot_key + "@127.0.0.1:9", "--listen", "127.0.0.1:0"}));
  const auto port = await_page(relay);
  ASSERT_NE(port, 0);
  PageClient first(port);
  PageClient second(port);
  for (PageClient* page : {&first, &second}) {
    const json hello = page->await([](const json& m) { return m["type"] == "hello" && m["robots"][0]["model"] != ""; });
    ASSERT_TRUE(hello.is_object());
    EXPECT_EQ(hello["mode"], "watch");
    ASSERT_EQ(hello["robots"].size(), 2u);
    EXPECT_EQ(hello["robots"][1]["name"], "127.0.0.1:9") << "a robot that does not answer has no name yet";
    EXPECT_TRUE(page->await_report([](const robot::Report& r) { return r.state.velocity.vx > 0.1; }));
    // of the one that does not answer it is said that it does not
    const json down = page->await([](const json& m) { return m["type"] == "link" && m["robot"] == 2; });
    EXPECT_EQ(down["warnings"][0]["kind"], "down");
  }
  first.say({{"type", "stop"}, {"robot", 1}});
  EXPECT_EQ(first.await_close(), 1008);
  EXPECT_TRUE(second.await_report([](const robot::Report& r) { return r.state.velocity.vx > 0.1; }));
  relay.signal(SIGINT);
  EXPECT_EQ(relay.finish(), 130);
}

TEST(RelayCommand, BadInputIsNamed) {
  expect_bad_input(run_forerun({"relay"}), {"robots"});
  expect_bad_input(run_forerun({"relay", "127.0.0.1:7420"}), {"127.0.0.1:7420", "KEY@HOST:PORT"});
  expect_bad_input(run_forerun({"relay", "xyz@127.0.0.1:7420"}), {"xyz"});
  const Link link;
  const std::string robot = link.robot_key + "@127.0.0.1:9";
  expect_bad_input(run_forerun({"relay", robot, "--tls-cert", "no.pem"}), {"--tls-key"});
  expect_bad_input(run_forerun({"relay", robot, "--listen", ":0", "--tls-cert", "no.pem", "--tls-key", "no.key"}),
                   {"no.pem"});
}

TEST(ViewPage, WhoHoldsTheKeyOperates) {
  Link link;
  link.serve();
  Background view(forerun_command({"view", "--connect", link.server_address, "--server-key", link.robot_key, "--keys",
                                   link.folder.file("desk"), "--page-port", "0", "--no-open"}));
  const auto port = await_page(view);
  ASSERT_NE(port, 0);
  PageClient page(port);
  ASSERT_TRUE(page.await([](const json& m) { return m["type"] == "hello" && m["mode"] == "operate"; }).is_object());
  ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  page.say({{"type", "stop"}, {"robot", 1}});
  EXPECT_TRUE(page.await_outcome("stop", "confirmed").is_object());
  page.say({{"type", "demo"}, {"loss", 0}});
  EXPECT_NE(page.await_type("outcome").dump().find("no demo"), std::string::npos);
  // no foreign page drives the robot
  EXPECT_EQ(WebClient(port).open_web_socket({.origin = "http://evil.example"}), 403);
}

TEST(ViewPage, WhoOnlyWatchesIsToldSo) {
  Link link;
  link.serve();
  Background view(forerun_command({"view", "--watch", "--connect", link.server_address, "--server-key", link.robot_key,
                                   "--keys", link.folder.file("desk"), "--page-port", "0", "--no-open"}));
  PageClient page(await_page(view));
  const json hello = page.await_type("hello");
  EXPECT_EQ(hello["mode"], "watch");
  ASSERT_TRUE(page.await_report([](const robot::Report&) { return true; }));
  page.say({{"type", "stop"}, {"robot", 1}});
  const json refused = page.await_outcome("stop", "refused");
  EXPECT_TRUE(refused.is_object());
}

TEST(BenchRelay, EveryBrowserGetsEveryReportWhenNoneIsSlow) {
  const Outcome outcome =
      run_forerun({"bench-relay", "--browsers", "20", "--rate-hz", "5", "--duration-s", "1", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  for (const char* name :
       {"browsers", "delivered_fraction", "server_cpu_fraction", "latency_ms_p99", "memory_per_browser_kib"}) {
    EXPECT_TRUE(result[name].is_number()) << name;
  }
  EXPECT_EQ(result["browsers"], 20);
  EXPECT_GT(result["delivered_fraction"].get<double>(), 0);
  EXPECT_LE(result["delivered_fraction"].get<double>(), 1);
}

}  // namespace
}  // namespace forerun::test
