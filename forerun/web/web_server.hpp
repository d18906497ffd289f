// The page's server: files over HTTP, live messages over WebSocket, on a thread of its own. Its functions may be called
// from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::web {

inline constexpr const char* kWebProtocol = "forerun.1";  // the WebSocket subprotocol

struct WebLimits {
  std::size_t connections = 64;        // at once; beyond, who has not begun a WebSocket makes room
  std::size_t header_bytes = 8192;     // of a request
  std::size_t message_bytes = 8192;    // of a message from a browser
  double messages_per_s = 50;          // from a browser
  std::size_t waiting_messages = 256;  // for one browser, of those that are never left out
  double request_s = 10;               // to send a request, to take 64 KiB of a file, to say farewell [s]
  double silence_s = 30;               // a browser that answers no ping for this long is gone [s]
  bool messages_wanted = true;         // false: who says anything is disconnected
};

template <class Visit>
void visit_fields(WebLimits& p, Visit&& visit) {
  visit("connections", p.connections,
        Field{1, 65536, "connections at once; beyond, who has not begun a WebSocket makes room"});
  visit("header_bytes", p.header_bytes, Field{512, 1048576, "of a request [bytes]"});
  visit("message_bytes", p.message_bytes, Field{64, 1048576, "of a message from a browser [bytes]"});
  visit("messages_per_s", p.messages_per_s, Field{1, 10000, "from a browser [1/s]"});
  visit("waiting_messages", p.waiting_messages, Field{1, 65536, "for one browser, of those that are never left out"});
  visit("request_s", p.request_s, Field{0.1, 3600, "to send a request, to take 64 KiB of a file, to say farewell [s]"});
  visit("silence_s", p.silence_s, Field{1, 3600, "a browser that answers no ping for this long is gone [s]"});
  visit("messages_wanted", p.messages_wanted, Field{.about = "false: who says anything is disconnected"});
}

struct WebSetup {
  sync::Address listen;                 // port zero: any free one
  bool any_port_if_taken = false;       // take a free port where this one is taken
  std::vector<std::string> host_names;  // beside localhost and addresses in numbers
  std::string tls_cert, tls_key;        // PEM files; empty: no TLS
  WebLimits limits;
};

struct WebFile {
  std::string path;  // "/assets/…"
  std::string content_type;
  Bytes bytes;         // live as long as the server, or are kept in `owned`
  std::string tag;     // in quotes; differs when the bytes differ; may be empty
  bool gzip = false;   // the bytes are compressed; every browser reads that
  bool fixed = false;  // never changes under this path: browsers do not ask again
  std::shared_ptr<const std::vector<std::uint8_t>> owned = nullptr;
};

// A message for browsers, made once for all of them: the whole frame, as it goes over the wire.
struct WebMessage {
  std::shared_ptr<const std::string> bytes;
};
[[nodiscard]] WebMessage make_text(const std::string& text);
[[nodiscard]] WebMessage make_binary(const std::string& bytes);

using BrowserId = std::uint64_t;

struct WebEvent {
  enum class Kind : std::uint8_t { joined, left, said };
  Kind kind = Kind::joined;
  BrowserId browser = 0;
  std::string text;  // of `said`
};

struct WebCounts {
  std::uint64_t connections = 0;  // accepted
  std::uint64_t turned_away = 0;  // there was no room
  std::uint64_t refused = 0;      // requests: malformed, a foreign host or origin
  std::uint64_t browsers = 0;     // at this moment
  std::uint64_t cut_off = 0;      // browsers that said too much, or fell behind
  std::uint64_t replaced = 0;     // messages that were left out for a newer one
  std::uint64_t sent = 0;         // messages
};

class WebServer {
 public:
  [[nodiscard]] static Result<WebServer> open(const WebSetup& setup);
  WebServer(WebServer&&) noexcept;
  ~WebServer();  // closes all connections

  [[nodiscard]] sync::Address local_address() const noexcept;
  // Adds a file, or takes the place of the one with this path.
  void put(WebFile file);
  // Who is being sent the file still gets all of it.
  void remove(const std::string& path);

  // Readable when there are events; at most 4096 wait, and browsers that would add more are cut off.
  [[nodiscard]] int descriptor() const noexcept;
  [[nodiscard]] std::vector<WebEvent> take_events();

  // The first messages of a browser that has joined; from then on it gets what all get.
  void welcome(BrowserId browser, std::vector<WebMessage> first);
  // To one or to all, in order and without gaps. A browser that does not take them is cut off.
  void send(BrowserId browser, WebMessage message);
  void send_to_all(WebMessage message);
  // To all. A browser that has not yet taken the last one of this `topic` gets only the newest.
  void publish(std::uint32_t topic, WebMessage message);

  [[nodiscard]] WebCounts counts() const noexcept;

 private:
  struct State;
  explicit WebServer(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace forerun::web
