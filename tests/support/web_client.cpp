#include "tests/support/web_client.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <chrono>

#include "tests/support/wait_until.hpp"

namespace forerun::test {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t content_length(std::string head) {
  for (char& c : head) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto at = head.find("content-length:");
  return at == head.npos ? 0 : std::stoul(head.substr(at + 15));
}

double seconds_until(Clock::time_point end) { return std::chrono::duration<double>(end - Clock::now()).count(); }

Clock::time_point in(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

WebClient::WebClient(std::uint16_t port, int receive_bytes) : port_(port), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  if (receive_bytes > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ended_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0;
}

WebClient::~WebClient() { close(socket_); }

bool WebClient::send(const std::string& bytes) const {
  return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

void WebClient::end_sending() const { shutdown(socket_, SHUT_WR); }

bool WebClient::read_more(double time_limit_s) {
  pollfd polled{socket_, POLLIN, 0};
  if (ended_ || time_limit_s <= 0 || poll(&polled, 1, static_cast<int>(time_limit_s * 1e3) + 1) <= 0) return false;
  char bytes[65536];
  const ssize_t n = recv(socket_, bytes, sizeof bytes, 0);
  if (n <= 0) {
    ended_ = true;
    return false;
  }
  waiting_.append(bytes, static_cast<std::size_t>(n));
  return true;
}

WebReply WebClient::reply(bool has_body) {
  const auto end = in(10);
  std::size_t head_end;
  while ((head_end = waiting_.find("\r\n\r\n")) == waiting_.npos) {
    if (!read_more(seconds_until(end))) return {};
  }
  WebReply reply{.head = waiting_.substr(0, head_end + 2)};
  reply.status = std::stoi(reply.head.substr(9, 3));
  waiting_.erase(0, head_end + 4);
  const std::size_t length = has_body ? content_length(reply.head) : 0;
  while (waiting_.size() < length && read_more(seconds_until(end))) {
  }
  reply.body = waiting_.substr(0, length);
  waiting_.erase(0, reply.body.size());
  return reply;
}

WebReply WebClient::get(const std::string& path, const std::string& more, const std::string& host) {
  send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n");
  return reply();
}

int WebClient::open_web_socket(const WebHello& hello) {
  const std::string host = hello.host + ":" + std::to_string(port_);
  std::string request = "GET /ws HTTP/1.1\r\nHost: " + host +
                        "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: Zm9yZXJ1biBicm93c2VyIQ==\r\n";
  if (!hello.origin.empty()) {
    request += "Origin: " + (hello.origin == "same" ? "http://" + host : hello.origin) + "\r\n";
  }
  if (!hello.protocol.empty()) request += "Sec-WebSocket-Protocol: " + hello.protocol + "\r\n";
  send(request + "\r\n");
  return reply().status;
}

bool WebClient::send_frame(int opcode, const std::string& payload) const {
  std::string bytes(1, static_cast<char>(0x80 | opcode));
  if (payload.size() < 126) {
    bytes += static_cast<char>(0x80 | payload.size());
  } else {
    bytes += static_cast<char>(0x80 | 126);
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 0xff);
  }
  bytes += std::string(4, '\0');  // a mask that changes nothing
  return send(bytes + payload);
}

std::optional<WebFrame> WebClient::frame(double time_limit_s, bool answer_pings) {
  const auto end = in(time_limit_s);
  while (true) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(waiting_[i])); };
    std::size_t header = 2;
    std::size_t length = waiting_.size() < 2 ? 0 : byte(1) & 0x7f;
    if (length == 126) {
      header = 4;
      length = waiting_.size() < 4 ? 0 : byte(2) << 8 | byte(3);
    }
    if (waiting_.size() < header + length || waiting_.size() < 2) {
      if (!read_more(seconds_until(end))) return std::nullopt;
      continue;
    }
    WebFrame frame{static_cast<int>(byte(0) & 0x0f), waiting_.substr(header, length)};
    waiting_.erase(0, header + length);
    if (frame.opcode != 9 || !answer_pings) return frame;
    send_frame(10, frame.payload);
  }
}

std::size_t WebClient::take_slowly(std::size_t step, double pause_s) {
  std::size_t taken = 0;
  const auto take_step = [&] {
    for (std::size_t end = taken + step; taken < end;) {
      if (!read_more(2)) return false;
      taken += waiting_.size();
      waiting_.clear();
    }
    return true;
  };
  (void)wait_until([&] { return !take_step(); }, {.limit_s = 60, .every_s = pause_s});
  return taken;
}

bool WebClient::is_closed(double time_limit_s) {
  const auto end = in(time_limit_s);
  while (!ended_) {
    if (seconds_until(end) <= 0) return false;
    read_more(seconds_until(end));
  }
  return true;
}

}  // namespace forerun::test
