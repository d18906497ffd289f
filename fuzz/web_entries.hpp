// What browsers send: wishes, frames, and whole visits to the real server.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "forerun/net/resolve.hpp"
#include "forerun/sync/wire.hpp"
#include "forerun/web/frames.hpp"
#include "forerun/web/page_hub.hpp"
#include "forerun/web/web_server.hpp"
#include "fuzz/checks.hpp"

namespace forerun::fuzz {

inline bool run_page_wish(std::string_view bytes) {
  const web::DemoSettings now;
  const Result<web::PageWish> wish = web::parse_page_wish(bytes, now);
  if (!check_answer(wish)) return false;
  FORERUN_CHECK(wish->robot >= 1);
  if (wish->demo) {
    FORERUN_CHECK(wish->demo->loss >= 0 && wish->demo->loss <= 1);
    FORERUN_CHECK(wish->demo->delay_s >= 0 && wish->demo->delay_s <= 10);
    FORERUN_CHECK(wish->demo->interval_s >= 0.05 && wish->demo->interval_s <= 60);
  }
  if (wish->command) FORERUN_CHECK(std::isfinite(wish->command->goal.x) && std::isfinite(wish->command->velocity.w));
  return true;
}

struct WebSaid {
  web::WebFrameReader::Kind kind;
  std::string payload;
  web::WebClose why;
  bool operator==(const WebSaid&) const = default;
};

inline std::vector<WebSaid> hear_frames(Bytes bytes, std::size_t piece) {
  constexpr std::size_t kLargest = 64;
  web::WebFrameReader reader(kLargest);
  std::vector<WebSaid> heard;
  while (!bytes.empty()) {
    Bytes some = bytes.first(std::min(piece, bytes.size()));
    bytes = bytes.subspan(some.size());
    while (true) {
      web::WebFrameReader::Said said = reader.take(some);
      if (said.kind == web::WebFrameReader::Kind::nothing) break;
      FORERUN_CHECK(said.payload.size() <= 125);
      heard.push_back({said.kind, std::move(said.payload), said.why});
      if (heard.back().kind == web::WebFrameReader::Kind::broken) return heard;
      if (heard.back().kind == web::WebFrameReader::Kind::text) FORERUN_CHECK(web::is_utf8(heard.back().payload));
    }
    FORERUN_CHECK(some.empty());
  }
  return heard;
}

// In pieces of any size the same is heard.
inline bool run_web_frames(std::string_view bytes) {
  if (bytes.empty()) return false;
  const Bytes frames = as_bytes(bytes.substr(1));
  const std::vector<WebSaid> heard = hear_frames(frames, frames.size() + 1);
  FORERUN_CHECK(hear_frames(frames, 1u + static_cast<unsigned char>(bytes[0])) == heard);
  FORERUN_CHECK(hear_frames(frames, 1) == heard);
  return !heard.empty() && heard.back().kind != web::WebFrameReader::Kind::broken;
}

// A server with one small file and whatever its guests do to it.
struct VisitedServer {
  VisitedServer() : web(std::move(*web::WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .limits = {}}))) {
    web.put({.path = "/index.html", .content_type = "text/html", .bytes = as_bytes("<p>"), .tag = "\"1\""});
  }
  // The first bytes of the answer to a guest that says this and no more.
  std::string visit(std::string_view bytes) {
    const int guest = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(web.local_address().port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    FORERUN_CHECK(connect(guest, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    // a reset instead of a long farewell: thousands of visits a second would use up all ports
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(guest, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void)!send(guest, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    shutdown(guest, SHUT_WR);
    std::array<char, 4096> answer;
    std::string first;
    while (true) {
      const ssize_t n = recv(guest, answer.data(), answer.size(), 0);
      if (n <= 0) break;
      if (first.empty()) first.assign(answer.data(), static_cast<std::size_t>(n));
    }
    close(guest);
    (void)web.take_events();
    return first;
  }

  web::WebServer web;
};

// A guest's bytes to the real server, which must let it go at once and serve the next.
inline bool run_web_visit(std::string_view bytes) {
  // never destroyed: its thread would end after what OpenSSL keeps for threads, and that would count as lost
  static VisitedServer& server = *new VisitedServer;
  const std::string answer = server.visit(bytes.substr(0, 16384));
  FORERUN_CHECK(answer.empty() || answer.starts_with("HTTP/1.1 "));
  return answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.1 101");
}

}  // namespace forerun::fuzz
