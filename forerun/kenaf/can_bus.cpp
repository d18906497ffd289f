#include "forerun/kenaf/can_bus.hpp"

#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace forerun::kenaf {
namespace {

class CanBus final : public Bus {
 public:
  CanBus(int socket, std::string name) : socket_(socket), name_(std::move(name)) {}
  CanBus(const CanBus&) = delete;
  CanBus& operator=(const CanBus&) = delete;
  ~CanBus() override { ::close(socket_); }

  void send(std::span<const CanFrame> frames) override {
    for (const CanFrame& frame : frames) {
      can_frame out{};
      out.can_id = frame.id;
      out.can_dlc = frame.length;
      std::copy(frame.data.begin(), frame.data.end(), out.data);
      static_cast<void>(::send(socket_, &out, sizeof out, MSG_NOSIGNAL));
    }
  }

  void receive(std::vector<CanFrame>& frames) override {
    for (int i = 0; i < 128; ++i) {
      can_frame in{};
      const ssize_t n = ::recv(socket_, &in, sizeof in, MSG_TRUNC);
      if (n < 0) return;
      // neither longer numbers nor remote frames nor errors are ours
      if (n != sizeof in || (in.can_id & ~CAN_SFF_MASK) != 0 || in.can_dlc > 8) continue;
      CanFrame frame{static_cast<std::uint16_t>(in.can_id), in.can_dlc, {}};
      std::copy_n(in.data, in.can_dlc, frame.data.begin());
      frames.push_back(frame);
    }
  }

  [[nodiscard]] int descriptor() const noexcept override { return socket_; }
  [[nodiscard]] std::string name() const override { return name_; }

 private:
  int socket_;
  std::string name_;
};

OpenedBus finish(int socket, bool ready, const std::string& name) {
  const std::string reason = std::strerror(errno);
  if (ready) return {std::make_unique<CanBus>(socket, name), ""};
  if (socket >= 0) ::close(socket);
  return {nullptr, "HRT_KENAF_CAN is \"" + name + "\", which cannot be opened: " + reason};
}

OpenedBus open_unix(const std::string& name) {
  const std::string path = name.substr(std::strlen("unix:"));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return {nullptr, "HRT_KENAF_CAN is \"" + name + "\", but a path has 1 to 107 bytes"};
  }
  std::copy(path.begin(), path.end(), address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // an address of our own, which the system chooses: the robot answers there
  sockaddr_un own{};
  own.sun_family = AF_UNIX;
  const bool ready = socket >= 0 && ::bind(socket, reinterpret_cast<sockaddr*>(&own), sizeof own.sun_family) == 0 &&
                     ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  return finish(socket, ready, name);
}

}  // namespace

OpenedBus open_can_bus(const std::string& interface) {
  if (interface.starts_with("unix:")) return open_unix(interface);
  const int socket = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  if (socket < 0) return finish(socket, false, interface);
  const unsigned index = ::if_nametoindex(interface.c_str());
  if (index == 0) return finish(socket, false, interface);
  // only what the robot says, four numbers in a row
  static_assert((kTrackEncodersId & 3) == 0 && kStateId == kTrackEncodersId + 3);
  const can_filter filter{kTrackEncodersId, CAN_EFF_FLAG | CAN_RTR_FLAG | (CAN_SFF_MASK & ~3u)};
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(index);
  const bool ready = ::setsockopt(socket, SOL_CAN_RAW, CAN_RAW_FILTER, &filter, sizeof filter) == 0 &&
                     ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  return finish(socket, ready, interface);
}

}  // namespace forerun::kenaf
