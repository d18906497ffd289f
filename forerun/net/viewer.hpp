// The operator's end of the link on a real network.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "forerun/ahead/own_command.hpp"
#include "forerun/base/result.hpp"
#include "forerun/net/udp_socket.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::net {

class Viewer {
 public:
  struct Setup {
    std::string server;  // "host:port"; asked for again when the robot side is not heard
    sync::Key server_key{};
    sync::KeyPair keys;
    sync::ClientParams params;
  };

  [[nodiscard]] static Result<Viewer> open(const Setup& setup);
  Viewer(Viewer&&) noexcept;
  Viewer& operator=(Viewer&&) noexcept;
  ~Viewer();  // says goodbye

  // Deals with all that comes in until `timeout_s` has passed or one of `others` (at most 7) can be read.
  void poll(double timeout_s, std::span<const int> others = {});
  // As sync::Client::give.
  std::optional<std::uint64_t> give(const robot::Command& command);
  // As sync::Client::look.
  void look(image::Cameras wanted);
  // The newest velocities that were given by hand, and when they reach the robot, by its clock; zeros after any other
  // command.
  struct GivenDrive {
    RobotTime arrives;
    robot::Twist velocity;
    std::optional<robot::FlipperAngles> flippers;
  };
  [[nodiscard]] const std::optional<GivenDrive>& newest_drive() const noexcept;
  // The newest commands that were given, and how many there were in all: what is predicted must know them.
  static constexpr std::size_t kMostGiven = 32;
  [[nodiscard]] std::span<const ahead::OwnCommand> given() const noexcept;
  [[nodiscard]] std::uint64_t n_given() const noexcept;
  // As sync::Client::bring.
  std::uint64_t bring(sync::ObjectKind kind, std::vector<std::uint8_t> bytes);
  // Signs the bytes of a mission with this viewer's key and brings them.
  std::uint64_t bring_mission(Bytes mission);

  [[nodiscard]] sync::Client& client() noexcept;
  [[nodiscard]] OperatorTime now() const noexcept;
  [[nodiscard]] Address local_address() const noexcept;

 private:
  struct State;
  explicit Viewer(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace forerun::net
