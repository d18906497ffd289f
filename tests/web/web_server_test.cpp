// The page's server and its guests, over real sockets of this machine.
#include "forerun/web/web_server.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "forerun/net/resolve.hpp"
#include "forerun/net/wait.hpp"
#include "tests/support/wait_until.hpp"
#include "tests/support/web_client.hpp"
#include "tests/web/visit.hpp"

namespace forerun::web {
namespace {

using test::WebClient;
using test::WebFrame;

TEST(WebServer, ServesFilesAndSaysWhatItDoesNotHave) {
  House house;
  WebClient client(house.port());
  const auto page = client.get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, kPage);
  EXPECT_NE(page.head.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_NE(page.head.find("no-cache"), std::string::npos);
  // on the same connection
  EXPECT_NE(client.get("/model/0").head.find("immutable"), std::string::npos);
  const auto unchanged = client.get("/index.html", "If-None-Match: \"1\"\r\n");
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.head.find("Content-Length"), std::string::npos) << unchanged.head;
  EXPECT_EQ(client.get("/../etc/passwd").status, 404);
  client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto head = client.reply(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_NE(head.head.find("Content-Length: 11"), std::string::npos) << head.head;
  EXPECT_EQ(client.get("/?fresh=1").body, "there is no such file\n");
  EXPECT_EQ(client.get("/index.html?fresh=1").body, kPage);
  client.send("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.reply().status, 405);
}

TEST(WebServer, ThePageMayLoadItsOwnThingsAndBeInNobodysFrame) {
  House house;
  const std::string head = WebClient(house.port()).get("/").head;
  for (const char* part : {"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'",
                           "object-src 'none'", "frame-ancestors 'none'", "X-Frame-Options: DENY",
                           "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin"}) {
    EXPECT_NE(head.find(part), std::string::npos) << part << " in\n" << head;
  }
  EXPECT_EQ(head.find("unsafe-eval'"), head.find("wasm-unsafe-eval'") + 5) << "only WebAssembly is compiled";
  // what is refused is no page either
  EXPECT_NE(WebClient(house.port()).get("/none").head.find("nosniff"), std::string::npos);
}

TEST(WebServer, BadPathsAreNotFound) {
  House house;
  WebClient client(house.port());
  for (const std::string& path : {std::string("/.."), std::string("/%2e%2e/"), std::string("//index.html"),
                                  std::string("/index.html/"), std::string("/INDEX.HTML"), std::string("/model/"),
                                  "/" + std::string(4000, 'x'), std::string("*"), std::string("http://x/")}) {
    EXPECT_EQ(client.get(path).status, 404) << path;
  }
  EXPECT_EQ(client.get("/").status, 200);
}

TEST(WebServer, OnlyGetAndHeadAreAllowed) {
  House house;
  for (const char* verb : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW"}) {
    WebClient client(house.port());
    client.send(std::string(verb) + " / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const auto reply = client.reply();
    EXPECT_EQ(reply.status, 405) << verb;
    EXPECT_NE(reply.head.find("Allow: GET, HEAD"), std::string::npos) << verb;
  }
}

TEST(WebServer, ForeignNamesAreRefused) {
  House house({}, {"watch.example"});
  EXPECT_EQ(WebClient(house.port()).get("/", "", "evil.example").status, 403);
  EXPECT_EQ(WebClient(house.port()).get("/", "", "").status, 403);
  EXPECT_EQ(WebClient(house.port()).get("/", "", "Watch.example").status, 200);
  EXPECT_EQ(WebClient(house.port()).open_web_socket({.host = "evil.example"}), 403);
  EXPECT_EQ(house.web.counts().refused, 3u);
}

TEST(WebServer, ForeignPagesGetNoWebSocket) {
  House house;
  for (const char* origin : {"http://evil.example", "null", "", "http://localhost", "https://localhost.evil.example"}) {
    EXPECT_EQ(WebClient(house.port()).open_web_socket({.origin = origin}), 403) << origin;
  }
  EXPECT_EQ(WebClient(house.port()).open_web_socket({.protocol = "forerun.0"}), 400);
  EXPECT_EQ(WebClient(house.port()).open_web_socket({.protocol = ""}), 400);
  EXPECT_EQ(WebClient(house.port()).get("/ws").status, 426);
  EXPECT_EQ(WebClient(house.port()).open_web_socket(), 101);
}

TEST(WebServer, GarbageAndLongHeadersEndTheConnectionAndNothingElse) {
  House house;
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x02garbage\r\n\r\n"), std::string(100, '\0') + "\r\n\r\n",
        std::string("GET / HTTP/9.9\r\n\r\n"), "GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + std::string(20000, 'a') + "\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + std::string(1000, 'x')}) {
    WebClient client(house.port());
    client.send(garbage);
    const int status = client.reply().status;
    EXPECT_TRUE(status == 400 || status == 0 || status == 405) << status;
    EXPECT_TRUE(client.is_closed());
  }
  house.expect_service();
}

TEST(WebServer, WhoSaysNothingMustGo) {
  House house({.request_s = 0.2});
  WebClient silent(house.port());
  WebClient slow(house.port());
  slow.send("GET / HT");
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(slow.is_closed());
  house.expect_service();
}

TEST(WebServer, WhoOnlyHoldsAConnectionMakesRoom) {
  House house({.connections = 3});
  std::vector<std::unique_ptr<WebClient>> idle;
  for (int i = 0; i < 10; ++i) idle.push_back(std::make_unique<WebClient>(house.port()));
  house.expect_service();
  EXPECT_TRUE(idle.front()->is_closed());
}

TEST(WebServer, BrowsersKeepTheirPlacesWhenAllAreTaken) {
  House house({.connections = 2});
  const auto first = house.visit();
  const auto second = house.visit();
  WebClient third(house.port());
  const auto full = third.reply();
  EXPECT_EQ(full.status, 503);
  EXPECT_NE(full.body.find("places are taken"), std::string::npos);
  EXPECT_TRUE(third.is_closed());
  house.web.send_to_all(make_text("still here"));
  EXPECT_EQ(first->frame()->payload, "still here");
  EXPECT_EQ(second->frame()->payload, "still here");
}

TEST(WebServer, WordsOfBrowsersArriveWithTheirName) {
  House house;
  BrowserId id = 0;
  auto browser = house.visit(&id);
  browser->say("stop");
  const auto said = house.await(WebEvent::Kind::said);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->text, "stop");
  EXPECT_EQ(said->browser, id);
  browser.reset();
  const auto left = house.await(WebEvent::Kind::left);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->browser, id);
}

TEST(WebServer, NobodyIsSentToBeforeTheWelcome) {
  House house;
  WebClient client(house.port());
  ASSERT_EQ(client.open_web_socket(), 101);
  const auto joined = house.await(WebEvent::Kind::joined);
  ASSERT_TRUE(joined);
  house.web.publish(1, make_text("too early"));
  house.web.send_to_all(make_text("too early"));
  house.web.welcome(joined->browser, {make_text("first"), make_text("second")});
  house.web.publish(1, make_binary("third"));
  EXPECT_EQ(client.frame()->payload, "first");
  EXPECT_EQ(client.frame()->payload, "second");
  const auto third = client.frame();
  EXPECT_EQ(third->opcode, 2);
  EXPECT_EQ(third->payload, "third");
}

// The code with which the server ends it. It does not wait for long for an answer to its farewell.
int end_after(House& house, const std::function<void(WebClient&)>& act) {
  const auto browser = house.visit();
  act(*browser);
  int code = 0;
  while (const auto frame = browser->frame()) {
    if (frame->opcode == 8) {
      code = frame->close_code();
      break;
    }
  }
  EXPECT_TRUE(house.await(WebEvent::Kind::left)) << "closed with " << code;
  return code;
}

TEST(WebServer, WhoBreaksTheRulesIsCutOff) {
  House house({.request_s = 0.3, .silence_s = 1.0});
  EXPECT_EQ(end_after(house, [](WebClient& c) { c.say(std::string(8193, 'x')); }), 1009);
  EXPECT_EQ(end_after(house, [](WebClient& c) { c.send_frame(2, "binary"); }), 1008);
  EXPECT_EQ(end_after(house, [](WebClient& c) { c.say("\xff\xfe"); }), 1007);
  EXPECT_EQ(end_after(house, [](WebClient& c) { c.send("\x81\x05hello"); }), 1002);  // not masked
  EXPECT_EQ(end_after(house,
                      [](WebClient& c) {
                        for (int i = 0; i < 200; ++i) c.say("stop");
                      }),
            1008);
  house.expect_service();
}

TEST(WebServer, WatchersMaySayNothing) {
  House house({.request_s = 0.3, .messages_wanted = false});
  EXPECT_EQ(end_after(house, [](WebClient& c) { c.say(R"({"type":"stop","robot":1})"); }), 1008);
  EXPECT_FALSE(std::any_of(house.events.begin(), house.events.end(),
                           [](const WebEvent& e) { return e.kind == WebEvent::Kind::said; }));
}

TEST(WebServer, ABrowserThatIsGoneWithoutAWordIsForgotten) {
  House house({.silence_s = 0.4});
  const auto deaf = house.visit();
  EXPECT_TRUE(house.await(WebEvent::Kind::left)) << "it answers no pings";
}

TEST(WebServer, ASlowBrowserGetsTheNewestAndNeverABacklog) {
  House house;
  BrowserId id = 0;
  const auto slow = house.visit(&id, 4096);
  constexpr int kCount = 20000;
  // outcomes may not be lost; they come in between
  for (int i = 0; i < kCount; ++i) {
    house.web.publish(7, make_binary(std::to_string(i) + std::string(100, ' ')));
    if (i % 1000 == 0) house.web.send(id, make_text("outcome " + std::to_string(i)));
  }
  house.web.send(id, make_text("end"));
  // it reads only when most of them have been left out
  ASSERT_TRUE(test::wait_until([&] { return house.web.counts().replaced > 2 * kCount / 3; }));
  int n_reports = 0;
  int newest = -1;
  int next_outcome = 0;
  bool ended = false;
  while (!ended || newest < kCount - 1) {
    const auto frame = slow->frame();
    ASSERT_TRUE(frame) << n_reports << " reports, newest " << newest;
    if (frame->opcode == 2) {
      ++n_reports;
      EXPECT_GT(std::stoi(frame->payload), newest) << "never an older one after a newer one";
      newest = std::stoi(frame->payload);
    } else if (frame->payload == "end") {
      ended = true;
    } else {
      EXPECT_EQ(frame->payload, "outcome " + std::to_string(next_outcome));
      next_outcome += 1000;
    }
  }
  EXPECT_EQ(next_outcome, kCount);
  EXPECT_LT(n_reports, kCount / 3);
  EXPECT_EQ(house.web.counts().replaced + static_cast<std::uint64_t>(n_reports), static_cast<std::uint64_t>(kCount));
}

TEST(WebServer, ABrowserThatTakesNothingIsCutOffRatherThanMissingAnOutcome) {
  House house({.waiting_messages = 16});
  BrowserId id = 0;
  const auto stuck = house.visit(&id, 4096);
  for (int i = 0; i < 400; ++i) house.web.send(id, make_text(std::string(1000, 'x')));
  EXPECT_TRUE(house.await(WebEvent::Kind::left));
  EXPECT_EQ(house.web.counts().cut_off, 1u);
}

TEST(WebServer, RandomBytesOnAWebSocketHarmNobodyElse) {
  House house;
  const auto other = house.visit();
  std::minstd_rand random(5);
  for (int round = 0; round < 60; ++round) {
    WebClient client(house.port());
    ASSERT_EQ(client.open_web_socket(), 101);
    std::string bytes(1 + random() % 300, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    if (round % 2 == 0) bytes[0] = static_cast<char>(0x80 | (random() % 11));  // often a kind that exists
    client.send(bytes);
    client.end_sending();
    EXPECT_TRUE(client.is_closed());
  }
  house.web.send_to_all(make_text("fine"));
  EXPECT_EQ(other->frame()->payload, "fine");
}

TEST(WebServer, APortThatIsTakenIsNamedOrAvoided) {
  House house;
  const auto same = WebServer::open({.listen = house.web.local_address(), .limits = {}});
  ASSERT_FALSE(same);
  EXPECT_NE(same.error().message.find(std::to_string(house.port())), std::string::npos);
  const auto other = WebServer::open({.listen = house.web.local_address(), .any_port_if_taken = true, .limits = {}});
  ASSERT_TRUE(other);
  EXPECT_GT(other->local_address().port, house.port()) << "one of the next";
  EXPECT_LT(other->local_address().port, house.port() + 20);
}

TEST(WebServer, CertificatesThatCannotBeReadAreNamed) {
  const auto one = WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .tls_cert = "a.pem", .limits = {}});
  ASSERT_FALSE(one);
  EXPECT_NE(one.error().message.find("--tls-key"), std::string::npos);
  const auto none = WebServer::open(
      {.listen = *net::resolve("127.0.0.1:0"), .tls_cert = "no.pem", .tls_key = "no.key", .limits = {}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no.pem"), std::string::npos);
}

}  // namespace
}  // namespace forerun::web
