#include "forerun/web/page_hub.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>

#include "forerun/net/resolve.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/sync/report_wire.hpp"
#include "tests/support/web_client.hpp"

namespace forerun::web {
namespace {

using nlohmann::json;
using test::WebClient;

WebServer open_web() {
  auto made = WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .limits = {}});
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

void join(WebServer& web, PageHub& hub, WebClient& client) {
  ASSERT_EQ(client.open_web_socket(), 101);
  const std::array<int, 1> descriptor{web.descriptor()};
  ASSERT_TRUE(net::wait_readable(descriptor, 10));
  for (const WebEvent& event : web.take_events()) hub.welcome(event.browser);
}

TEST(PageHub, WhoComesLaterIsToldAllThatItMustKnow) {
  WebServer web = open_web();
  PageHub hub(web, PageMode::demo, "1.2.3", 2);
  hub.set_robot(1, {.name = "rhino", .world = "office", .model = 0xabc});
  hub.set_demo({.loss = 0.5});
  robot::Report report;
  report.sequence = 41;
  report.time = {5'000'000'000};
  hub.report(1, {report, *sync::encode_report(report)}, {6'000'000'000});
  hub.link(1, {.age = 1.0, .loss = 0.25, .warnings = {{"late", "too late"}}});
  const std::int64_t reported = net::read_steady_time();

  WebClient client(web.local_address().port);
  join(web, hub, client);
  const json hello = json::parse(client.frame()->payload);
  EXPECT_EQ(hello["type"], "hello");
  EXPECT_EQ(hello["mode"], "demo");
  EXPECT_EQ(hello["version"], "1.2.3");
  ASSERT_EQ(hello["robots"].size(), 1u) << "of the other nothing is known";
  EXPECT_EQ(hello["robots"][0]["model"], "0000000000000abc");
  const json demo = json::parse(client.frame()->payload);
  EXPECT_EQ(demo["loss"], 0.5);
  EXPECT_EQ(demo["blackout"], false);
  const auto frame = client.frame();
  ByteReader reader(bytes_of(frame->payload));
  EXPECT_EQ(reader.u8(), 1);
  reader.u8();
  reader.u16();
  EXPECT_EQ(reader.u32(), 1u);
  // the robot's clock has gone on since the report came
  EXPECT_GE(reader.i64(), 6'000'000'000 + (net::read_steady_time() - reported) - 2'000'000'000);
  const auto decoded = sync::decode_report(reader.bytes(reader.remaining()));
  ASSERT_TRUE(decoded.report);
  EXPECT_EQ(decoded.report->sequence, 41u);
  const json link = json::parse(client.frame()->payload);
  EXPECT_EQ(link["type"], "link");
  EXPECT_EQ(link["age_s"], 1.0);
  EXPECT_TRUE(link["round_trip_s"].is_null());
  EXPECT_EQ(link["warnings"][0]["kind"], "late");

  // and what changes reaches who is there
  hub.set_robot(2, {.name = "r\xff", .world = "", .model = 0});
  const json again = json::parse(client.frame()->payload);
  EXPECT_EQ(again["type"], "hello") << "a name that is no text is mended";
  ASSERT_EQ(again["robots"].size(), 2u);
  EXPECT_EQ(again["robots"][1]["id"], 2);
  hub.truth(1, {7}, {1, 2, 3});
  const auto truth = client.frame();
  ByteReader numbers(bytes_of(truth->payload));
  EXPECT_EQ(numbers.u8(), 3);
  numbers.bytes(15);
  EXPECT_EQ(numbers.f64(), 1);
  EXPECT_EQ(numbers.f64(), 2);
  EXPECT_EQ(numbers.f64(), 3);
  EXPECT_TRUE(numbers.finished());
  hub.put_model(0xabc, bytes_of("model"));
  EXPECT_EQ(WebClient(web.local_address().port).get("/model/0000000000000abc").body, "model");
}

TEST(PageHub, ModelsThatNoRobotHasAnyMoreAreForgotten) {
  WebServer web = open_web();
  PageHub hub(web, PageMode::watch, "1", 2);
  const auto status_of = [&](const std::string& model) {
    return WebClient(web.local_address().port).get("/model/000000000000000" + model).status;
  };
  hub.put_model(0xa, bytes_of("a"));
  hub.set_robot(1, {.name = "r", .world = "w", .model = 0xa});
  hub.put_model(0xa, bytes_of("a"));  // by the thread of another robot, which is about to name it
  hub.put_model(0xb, bytes_of("b"));
  hub.set_robot(1, {.name = "r", .world = "w", .model = 0xb});
  EXPECT_EQ(status_of("a"), 200);
  hub.set_robot(2, {.name = "s", .world = "w", .model = 0xa});
  hub.put_model(0xc, bytes_of("c"));
  hub.set_robot(2, {.name = "s", .world = "w", .model = 0xc});
  EXPECT_EQ(status_of("a"), 404);
  EXPECT_EQ(status_of("b"), 200);
  EXPECT_EQ(status_of("c"), 200);
  // it can come back
  hub.put_model(0xa, bytes_of("a"));
  hub.set_robot(1, {.name = "r", .world = "w", .model = 0xa});
  EXPECT_EQ(status_of("a"), 200);
  EXPECT_EQ(status_of("b"), 404);
}

TEST(PageWish, CommandsAreRead) {
  const auto goal = parse_page_wish(R"({"type":"goal","robot":1,"x":1.5,"y":-2})", {});
  ASSERT_TRUE(goal) << goal.error().message;
  EXPECT_EQ(goal->command->kind, robot::CommandKind::goal);
  EXPECT_EQ(goal->command->goal, (Vec2{1.5, -2}));
  const auto strafe = parse_page_wish(R"({"type":"drive","robot":3,"v":0.2,"w":-0.1,"vy":0.3})", {});
  ASSERT_TRUE(strafe);
  EXPECT_EQ(strafe->command->velocity, (robot::Twist{0.2, 0.3, -0.1}));
  EXPECT_FALSE(parse_page_wish(R"({"type":"drive","robot":3,"v":0.2,"w":-0.1,"vy":"fast"})", {}));
  const auto drive = parse_page_wish(R"({"type":"drive","robot":3,"v":0.2,"w":-0.1})", {});
  ASSERT_TRUE(drive);
  EXPECT_EQ(drive->robot, 3u);
  EXPECT_EQ(drive->command->velocity.vx, 0.2);
  EXPECT_EQ(drive->command->velocity.w, -0.1);
  EXPECT_FALSE(drive->command->flippers);
  const auto climb = parse_page_wish(R"({"type":"drive","robot":3,"v":0.2,"w":0,"flippers":[1,1,0,-0.5]})", {});
  ASSERT_TRUE(climb) << climb.error().message;
  EXPECT_EQ(climb->command->flippers, (robot::FlipperAngles{1, 1, 0, -0.5}));
  for (const char* wrong : {"[1,1,0]", "[1,1,0,\"up\"]", "[1,1,0,9]", "1"}) {
    EXPECT_FALSE(parse_page_wish(std::string(R"({"type":"drive","robot":3,"v":0,"w":0,"flippers":)") + wrong + "}", {}))
        << wrong;
  }
  EXPECT_EQ(parse_page_wish(R"({"type":"stop","robot":1})", {})->command->kind, robot::CommandKind::stop);
  EXPECT_EQ(parse_page_wish(R"({"type":"cancel","robot":1})", {})->command->kind, robot::CommandKind::cancel);
}

TEST(PageWish, WhoWantsImagesSaysSo) {
  const auto look = parse_page_wish(R"({"type":"look","robot":1,"cameras":[0,2]})", {});
  ASSERT_TRUE(look && look->look);
  EXPECT_EQ(*look->look, 0b101);
  EXPECT_FALSE(look->command);
  EXPECT_EQ(*parse_page_wish(R"({"type":"look","robot":1,"cameras":[]})", {})->look, image::kNoCamera);
  EXPECT_FALSE(parse_page_wish(R"({"type":"look","robot":1})", {}));
  for (const char* wrong : {"true", "0", "[8]", "[-1]", "[0.5]", "[\"above\"]"}) {
    EXPECT_FALSE(parse_page_wish(std::string(R"({"type":"look","robot":1,"cameras":)") + wrong + "}", {})) << wrong;
  }
}

TEST(PageWish, SettingsChangeWhatTheyName) {
  const DemoSettings now{.loss = 0.1, .delay_s = 0.2, .interval_s = 3};
  const auto wish = parse_page_wish(R"({"type":"demo","loss":0.9,"blackout":true})", now);
  ASSERT_TRUE(wish) << wish.error().message;
  EXPECT_EQ(*wish->demo, (DemoSettings{.loss = 0.9, .delay_s = 0.2, .interval_s = 3, .blackout = true}));
}

TEST(PageWish, SettingsAreTakenWithinTheRangesThatThePageIsTold) {
  WebServer web = open_web();
  PageHub hub(web, PageMode::demo, "1.2.3", 1);
  hub.set_demo({});
  WebClient client(web.local_address().port);
  join(web, hub, client);
  EXPECT_EQ(json::parse(client.frame()->payload)["type"], "hello");
  const json ranges = json::parse(client.frame()->payload)["ranges"];
  EXPECT_EQ(ranges.size(), 3u);
  for (const auto& [key, range] : ranges.items()) {
    for (const auto& [value, allowed] :
         {std::pair(range[0].get<double>(), true), std::pair(range[1].get<double>(), true),
          std::pair(range[0].get<double>() - 0.01, false), std::pair(range[1].get<double>() + 0.01, false)}) {
      EXPECT_EQ(bool(parse_page_wish(json{{"type", "demo"}, {key, value}}.dump(), {})), allowed) << key << " " << value;
    }
  }
}

TEST(PageWish, AllElseIsRefusedWithASentence) {
  for (const char* text : {"",
                           "{",
                           "[]",
                           "1",
                           "null",
                           R"({"type":1})",
                           R"({"type":"fly","robot":1})",
                           R"({"type":"goal","robot":1})",
                           R"({"type":"goal","robot":1,"x":"1","y":2})",
                           R"({"type":"goal","robot":1,"x":1e300,"y":2})",
                           R"({"type":"goal","robot":0,"x":1,"y":2})",
                           R"({"type":"goal","robot":1e99,"x":1,"y":2})",
                           R"({"type":"drive","robot":1,"v":1})",
                           R"({"type":"drive","robot":1,"v":17,"w":0})",
                           R"({"type":"drive","robot":1,"v":0,"w":33})",
                           R"({"type":"goal","robot":1,"x":0,"y":100001})",
                           R"({"type":"stop"})",
                           R"({"type":"demo","loss":1.5})",
                           R"({"type":"demo","loss":null})",
                           R"({"type":"demo","blackout":1})",
                           R"({"type":"demo","reality":2})",
                           R"({"type":"demo","interval_s":0})"}) {
    const auto wish = parse_page_wish(text, {});
    ASSERT_FALSE(wish) << text;
    EXPECT_FALSE(wish.error().message.empty());
  }
}

TEST(PageWish, MutatedMessagesNeverBreakIt) {
  std::minstd_rand random(3);
  const std::string seeds[] = {R"({"type":"goal","robot":1,"x":1.5,"y":-2})",
                               R"({"type":"demo","loss":0.5,"reality":"noisy","blackout":false})"};
  for (int i = 0; i < 20000; ++i) {
    std::string text = seeds[i % 2];
    for (int n = 0; n < 3; ++n) text[random() % text.size()] = static_cast<char>(random());
    const auto wish = parse_page_wish(text, {});
    if (wish && wish->demo) {
      EXPECT_GE(wish->demo->loss, 0);
      EXPECT_LE(wish->demo->loss, 1);
    }
  }
  EXPECT_FALSE(parse_page_wish(std::string(1024, '['), {}));
}

}  // namespace
}  // namespace forerun::web
