// Lines of text to and from one program on the same machine, over a Unix stream socket or UDP on loopback.
//
// `unix:PATH` is the one to choose: only the file's owner can connect, nothing is lost or reordered, and the end of the
// other program is seen at once. `unix-group:PATH` lets in the file's group too. `udp:127.0.0.1:PORT` is for programs
// that cannot open Unix sockets; each datagram holds whole lines, whoever sent the last one is the other side, and any
// program on the machine may be that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/result.hpp"

namespace forerun::net {

struct LocalCounts {
  std::uint64_t lines = 0;      // received
  std::uint64_t too_long = 0;   // lines longer than kLongestLine, skipped
  std::uint64_t connected = 0;  // programs that came
  std::uint64_t refused = 0;    // programs that came while another one was there
  std::uint64_t deaf = 0;       // programs that did not read what was sent to them, and were disconnected
  std::uint64_t unsent = 0;     // lines that nobody took
};

// What happens to the lines that arrive.
struct LineHandlers {
  std::function<void(std::string_view)> on_line;
  std::function<void()> on_too_long = [] {};
};

// One way of talking to the other program.
class LineTransport {
 public:
  virtual ~LineTransport() = default;
  virtual void receive(const LineHandlers& handlers) = 0;
  virtual bool send(std::string_view line, bool needed) = 0;
  [[nodiscard]] virtual bool connected() const noexcept = 0;
  [[nodiscard]] virtual FixedVector<int, 2> descriptors() const noexcept = 0;
  [[nodiscard]] virtual std::string where() const = 0;

  LocalCounts counts;
};

class LocalSocket {
 public:
  // Waits at `unix:PATH`, `unix-group:PATH` or `udp:ADDRESS:PORT`; the address must be one of loopback, port 0 is any
  // port.
  [[nodiscard]] static Result<LocalSocket> open(const std::string& where);

  // Hands out what has arrived, without waiting; at most 64 KiB a call, so that a flood does not stop everything else.
  void receive(const LineHandlers& handlers) { transport_->receive(handlers); }
  // Never waits. False when nobody is there, or nobody reads: then the other program has missed something that it
  // should know and is disconnected, so that it never gets old lines later.
  bool send(std::string_view line) { return transport_->send(line, true); }
  // The same for lines that the other program may miss.
  bool send_if_possible(std::string_view line) { return transport_->send(line, false); }

  [[nodiscard]] bool connected() const noexcept { return transport_->connected(); }
  // For wait_readable(); they change when a program comes or goes.
  [[nodiscard]] FixedVector<int, 2> descriptors() const noexcept { return transport_->descriptors(); }
  // As open() takes it, with the real port.
  [[nodiscard]] std::string where() const { return transport_->where(); }
  [[nodiscard]] const LocalCounts& counts() const noexcept { return transport_->counts; }

 private:
  explicit LocalSocket(std::unique_ptr<LineTransport> transport) noexcept : transport_(std::move(transport)) {}

  std::unique_ptr<LineTransport> transport_;
};

// Who may connect to a Unix socket: its owner, or its group too.
enum class LocalAccess : std::uint8_t { owner, group };

// The two ways; `path` and `address` are what follows the colon.
[[nodiscard]] Result<std::unique_ptr<LineTransport>> open_unix_lines(const std::string& path, LocalAccess access);
[[nodiscard]] Result<std::unique_ptr<LineTransport>> open_udp_lines(const std::string& address);

}  // namespace forerun::net
