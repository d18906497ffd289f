// The robot's end of the link on a real network: what a control system links to in order to be watched and commanded.
//
//   class MyRobot : public sync::RobotSide { … };          // receives commands
//   auto server = net::RobotServer::open(setup, my_robot);
//   while (running) {
//     server->publish(report);                              // whenever there is something new to say
//     server->poll(0.05);                                   // everything else happens in here
//   }
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/net/udp_socket.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/server.hpp"

namespace forerun::net {

class RobotServer {
 public:
  struct Setup {
    Address listen;  // zero: any address, any port
    sync::KeyPair keys;
    std::vector<sync::AllowedKey> allowed;
    sync::ServerParams params;
  };

  // `robot` must outlive the server. One thread uses both.
  [[nodiscard]] static Result<RobotServer> open(const Setup& setup, sync::RobotSide& robot);
  RobotServer(RobotServer&&) noexcept;
  ~RobotServer();  // ends hand driving

  // Sends the report to everybody, with sections behind (sync/sections.hpp). False, and nothing is sent, when its
  // numbers are not finite or out of range, or the sections are not whole or too long.
  [[nodiscard]] bool publish(const robot::Report& report, Bytes sections = {}) noexcept;
  // The newest image of one of the robot's cameras, for viewers that look; false when it cannot be sent
  // (image/sender.hpp).
  [[nodiscard]] bool publish_image(const image::Info& info, Bytes image) noexcept;
  // Through which cameras somebody looks.
  [[nodiscard]] image::Cameras wanted_cameras() noexcept;
  // How many bytes of images a second reach those who look through this one; nothing: nobody does.
  [[nodiscard]] std::optional<double> image_bytes_per_s(std::uint8_t camera) noexcept;
  // Deals with all that comes in until `timeout_s` has passed or one of `others` (at most 7 file descriptors) can be
  // read. Commands are executed from within.
  void poll(double timeout_s, std::span<const int> others = {});

  // Who may connect has changed; sessions of keys that may no longer end.
  void set_allowed(std::vector<sync::AllowedKey> allowed);
  // Which commands are let through from now on.
  void set_gate(const sync::GateParams& params) noexcept;
  // Lets viewers fetch an object.
  sync::Offer offer(sync::ObjectKind kind, std::vector<std::uint8_t> bytes);
  void withdraw(std::uint64_t object) noexcept;
  [[nodiscard]] Address local_address() const noexcept;
  // The robot's clock on the link; also without a server.
  [[nodiscard]] static RobotTime clock() noexcept;
  [[nodiscard]] RobotTime now() const noexcept { return clock(); }
  [[nodiscard]] std::size_t n_sessions() const noexcept;
  // What the operator has who has least; see sync::Server.
  [[nodiscard]] std::optional<sync::Receipt> receipt() const noexcept;
  [[nodiscard]] const sync::ServerCounts& counts() const noexcept;
  [[nodiscard]] const SocketCounts& socket_counts() const noexcept;

 private:
  struct State;
  explicit RobotServer(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace forerun::net
