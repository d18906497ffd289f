// A robot of a test on a bus of a test: a Unix datagram socket that carries `struct can_frame`, and behind it tracks
// that do what they are told, with the watchdog of the real robot.
#pragma once

#include <linux/can.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "forerun/kenaf/can_frames.hpp"

namespace forerun::test {

class RobotOnABus {
 public:
  explicit RobotOnABus(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address.sun_path);
    bound_ = ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    thread_ = std::thread([this] { run(); });
  }
  RobotOnABus(const RobotOnABus&) = delete;
  RobotOnABus& operator=(const RobotOnABus&) = delete;
  ~RobotOnABus() {
    ending = true;
    thread_.join();
    ::close(socket_);
  }

  [[nodiscard]] bool bound() const { return bound_; }

  // what the test does to it
  std::atomic<bool> ending = false, held = false, silent = false, fallen = false;
  // where it is [m, degrees], and what it has been told
  std::atomic<double> x = 0, y = 0, yaw_deg = 0, left_mm = 0, right_mm = 0, front_left_deg = 0;
  std::atomic<int> n_commands = 0;
  std::atomic<bool> timed_out = false;

 private:
  using Clock = std::chrono::steady_clock;

  void run() {
    auto last = Clock::now(), next_status = last;
    while (!ending) {
      pollfd watched{socket_, POLLIN, 0};
      if (::poll(&watched, 1, 5) > 0) hear();
      const auto now = Clock::now();
      move(std::chrono::duration<double>(now - last).count());
      last = now;
      timed_out = std::chrono::duration<double>(now - commanded_).count() > kenaf::kWatchdog_s;
      if (now < next_status || silent || controller_length_ == 0) continue;
      next_status = now + std::chrono::milliseconds(50);
      say();
    }
  }

  void hear() {
    can_frame in{};
    socklen_t length = sizeof controller_;
    if (::recvfrom(socket_, &in, sizeof in, 0, reinterpret_cast<sockaddr*>(&controller_), &length) != sizeof in) return;
    controller_length_ = length;
    kenaf::CanFrame frame{static_cast<std::uint16_t>(in.can_id), in.can_dlc, {}};
    std::copy_n(in.data, 8, frame.data.begin());
    if (const auto tracks = kenaf::decode_tracks(frame)) {
      left_mm = tracks->left_mm;
      right_mm = tracks->right_mm;
      status_.command = tracks->counter;
      commanded_ = Clock::now();
      ++n_commands;
    }
    if (const auto flippers = kenaf::decode_flippers(frame)) front_left_deg = (*flippers)[0];
  }

  void move(double seconds) {
    if (held || timed_out) return;
    left_run_ += left_mm * seconds;
    right_run_ += right_mm * seconds;
    const double forward = (left_mm + right_mm) / 2 * seconds / 1000, heading = yaw_deg * kDegree;
    x = x + forward * std::cos(heading);
    y = y + forward * std::sin(heading);
    yaw_deg = std::remainder(yaw_deg + (right_mm - left_mm) / 418 * seconds / kDegree, 360);
  }

  void say() {
    status_.left_ticks = static_cast<std::int32_t>(left_run_ / kenaf::kMmPerTick);
    status_.right_ticks = static_cast<std::int32_t>(right_run_ / kenaf::kMmPerTick);
    status_.flipper_ticks[0] = static_cast<std::int16_t>(front_left_deg / kenaf::kDegreesPerTick);
    status_.yaw_deg = yaw_deg;
    status_.battery_s = 600;
    status_.fallen = fallen;
    status_.timed_out = timed_out;
    ++status_.counter;
    for (const kenaf::CanFrame& frame : kenaf::encode(status_)) {
      can_frame out{};
      out.can_id = frame.id;
      out.can_dlc = frame.length;
      std::copy(frame.data.begin(), frame.data.end(), out.data);
      static_cast<void>(::sendto(socket_, &out, sizeof out, MSG_DONTWAIT | MSG_NOSIGNAL,
                                 reinterpret_cast<sockaddr*>(&controller_), controller_length_));
    }
  }

  static constexpr double kDegree = 3.14159265358979323846 / 180;
  int socket_;
  bool bound_ = false;
  sockaddr_un controller_{};
  socklen_t controller_length_ = 0;
  Clock::time_point commanded_ = Clock::now();
  double left_run_ = 0, right_run_ = 0;  // [mm]
  kenaf::Status status_;
  std::thread thread_;
};

}  // namespace forerun::test
