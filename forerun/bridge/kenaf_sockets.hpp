// The two sockets of Kenaf's intermediate process. Each may be read by one thread while another one writes.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/net/resolve.hpp"

namespace forerun::bridge {

// Datagrams of controllers.
class ControllerSocket {
 public:
  [[nodiscard]] static Result<ControllerSocket> open(const net::Address& bind_to);
  ControllerSocket(ControllerSocket&& other) noexcept;
  ControllerSocket& operator=(ControllerSocket&&) = delete;
  ~ControllerSocket();

  [[nodiscard]] net::Address local_address() const noexcept;
  struct Arrived {
    std::span<const std::uint8_t> bytes;  // until the next call; cut off where longer than any of ours
    net::Address from;
    double waited_s = 0;  // since the system had it
  };
  // Waits up to this long.
  [[nodiscard]] std::optional<Arrived> receive(double timeout_s);
  void send(std::span<const std::uint8_t> bytes, const net::Address& to) const noexcept;

 private:
  explicit ControllerSocket(int socket, int family) noexcept : socket_(socket), family_(family) {}

  int socket_ = -1;
  int family_ = 0;
  std::array<std::uint8_t, 512> buffer_;
};

// Lines to and from the simulator, when it is there.
class SimulatorConnection {
 public:
  SimulatorConnection() = default;
  SimulatorConnection(const SimulatorConnection&) = delete;
  SimulatorConnection& operator=(const SimulatorConnection&) = delete;
  ~SimulatorConnection() { close(); }

  // The reader's: connects, waiting up to this long; and reads what arrives within this time. Nothing from receive():
  // it has gone.
  [[nodiscard]] bool connect(const net::Address& to, double timeout_s);
  [[nodiscard]] std::optional<std::string_view> receive(double timeout_s);
  void close();

  // Anybody's, at once. What the simulator does not take now is kept, but nothing beyond it: false, the lines are lost.
  bool send(std::string_view lines);

 private:
  bool flush();  // holds mutex_

  std::mutex mutex_;     // for these two
  int socket_ = -1;      // changed by the reader alone
  std::string waiting_;  // what has not gone out
  std::array<char, 16384> buffer_;
};

}  // namespace forerun::bridge
