// The other end of a page server: a bare socket that can behave well, and badly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace forerun::test {

struct WebReply {
  int status = 0;  // 0: the connection ended without one
  std::string head;
  std::string body;
};

struct WebFrame {
  int opcode = 0;  // 1 text, 2 binary, 8 close, 9 ping
  std::string payload;
  // Of a close.
  [[nodiscard]] int close_code() const {
    if (opcode != 8 || payload.size() < 2) return 0;
    return static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
  }
};

struct WebHello {
  std::string host = "localhost";  // the port is added
  std::string origin = "same";     // "same": of that host; empty: none
  std::string protocol = "forerun.1";
};

class WebClient {
 public:
  explicit WebClient(std::uint16_t port, int receive_bytes = 0);  // 0: the system's buffer
  ~WebClient();
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  // False when the other end is gone.
  bool send(const std::string& bytes) const;
  void end_sending() const;
  // One whole reply; `has_body` is false for HEAD.
  WebReply reply(bool has_body = true);
  WebReply get(const std::string& path, const std::string& more = "", const std::string& host = "localhost");
  // The status of the answer; 101 when the WebSocket is open.
  int open_web_socket(const WebHello& hello = {});
  bool send_frame(int opcode, const std::string& payload) const;
  bool say(const std::string& text) const { return send_frame(1, text); }
  // The next frame; pings are answered on the way, unless they are wanted. Nothing when the connection has ended or
  // the time is up.
  std::optional<WebFrame> frame(double time_limit_s = 10, bool answer_pings = true);
  // Reads in steps of about `step` bytes with a pause after each, until nothing comes any more; how much it was.
  std::size_t take_slowly(std::size_t step, double pause_s);
  // True when the other end closes within the time.
  bool is_closed(double time_limit_s = 10);

 private:
  bool read_more(double time_limit_s);

  std::uint16_t port_;
  int socket_;
  std::string waiting_;
  bool ended_ = false;
};

}  // namespace forerun::test
