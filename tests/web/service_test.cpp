// What the page's server owes its guests: whole files however slow the line is, and service however little memory.
#include <gtest/gtest.h>

#include <memory>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/wait_until.hpp"
#include "tests/web/visit.hpp"

namespace forerun::web {
namespace {

using test::n_descriptors;
using test::wait_until;

TEST(WebServer, HeadOfWhatIsMissingHasNoBody) {
  House house;
  WebClient client(house.port());
  client.send("HEAD /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.reply(false).status, 404);
  // the next answer begins where it must
  EXPECT_EQ(client.get("/").body, kPage);
}

// Large enough for no buffer of the system.
WebFile large_file() {
  const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(24u << 20, std::uint8_t{7});
  return {.path = "/large", .content_type = "application/octet-stream", .bytes = {}, .tag = "", .owned = bytes};
}

TEST(WebServer, ALargeFileMayTakeItsTimeAsLongAsItIsTaken) {
  House house({.request_s = 0.4});
  house.web.put(large_file());
  WebClient slow(house.port(), 1 << 16);
  slow.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  // at least 24 pauses of 50 ms: three times as long as the limit of a piece
  const std::size_t taken = slow.take_slowly(1u << 20, 0.05);
  EXPECT_GE(taken, 24u << 20);
}

TEST(WebServer, WhoTakesNothingOfAFileMustGo) {
  House house({.request_s = 0.2});
  house.web.put(large_file());
  const std::size_t before = n_descriptors();
  WebClient stuck(house.port(), 1 << 16);
  stuck.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  // its own end stays open; the server's is closed
  ASSERT_TRUE(wait_until([&] { return house.web.counts().connections == 1; }));
  ASSERT_TRUE(wait_until([&] { return n_descriptors() == before + 1; }));
  EXPECT_LT(stuck.take_slowly(1u << 20, 0), 24u << 20);
}

TEST(WebServer, AFileThatIsTakenAwayIsGone) {
  House house;
  house.web.remove("/index.html");
  EXPECT_EQ(WebClient(house.port()).get("/").status, 404);
}

TEST(WebServer, WithoutMemoryConnectionsAreLostButNotTheService) {
  House house({.silence_s = 0.4});  // browsers are looked after every 0.1 s
  const auto browser = house.visit();
  const std::uint64_t lost = house.web.counts().cut_off;
  {
    const NoMemoryElsewhere none;
    int n_rounds = 0;
    EXPECT_TRUE(wait_until([&] {
      house.web.publish(1, make_text(std::string(500, 'x')));
      house.web.send_to_all(make_text("y"));
      WebClient guest(house.port());
      guest.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return ++n_rounds >= 20 && house.web.counts().cut_off > lost;
    }));
  }
  house.expect_service();
  const auto next = house.visit();
  for (const char* text : {"1", "2", "3"}) {
    house.web.publish(2, make_text(text));
    const auto frame = next->frame();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->payload, text);
  }
  // who is silent is still found out
  EXPECT_EQ(next->frame(10, false)->opcode, 9);
  EXPECT_TRUE(next->is_closed());
}

}  // namespace
}  // namespace forerun::web
