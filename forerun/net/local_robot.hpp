// A real robot's control system behind the local socket: its states come in, commands go out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forerun/net/local_socket.hpp"
#include "forerun/net/robot_json.hpp"

namespace forerun::net {

class LocalRobot {
 public:
  // `where` as LocalSocket takes it; `usual` gives the fields that the control system does not send.
  [[nodiscard]] static Result<LocalRobot> open(const std::string& where, const robot::Report& usual = {});

  // What is wrong with a state of this robot in this world, in a sentence; empty: nothing. Such a line is refused, too.
  using Check = std::function<std::string(const robot::Report&)>;
  void check_by(Check check) { check_ = std::move(check); }

  // The newest state that has arrived since the last call, with the plan and the things seen that are in force, where
  // they were ever said. A line that
  // is wrong is dropped and counted; the first one of a call is answered with a sentence that says why.
  [[nodiscard]] std::optional<robot::Report> poll();
  // The ticks that came with that state, where it said them.
  [[nodiscard]] const std::optional<estimate::Ticks>& ticks() const noexcept { return ticks_; }
  // False when nobody takes it: the control system is not there, or does not read and has been disconnected.
  bool command(const RobotCommand& command) { return socket_.send(write_robot_command(command)); }
  bool act(const RobotAction& action) { return socket_.send(write_robot_action(action)); }

  // The control system that is connected has shown that it answers commands.
  [[nodiscard]] bool answers() const noexcept { return answering_ > 0 && answering_ == socket_.counts().connected; }
  // What it has said to commands since the last call.
  [[nodiscard]] std::vector<RobotAnswer> take_answers() noexcept { return std::exchange(answers_, {}); }

  [[nodiscard]] const LocalSocket& socket() const noexcept { return socket_; }
  [[nodiscard]] std::uint64_t n_refused_lines() const noexcept { return n_refused_lines_; }

 private:
  LocalRobot(LocalSocket socket, const robot::Report& usual) noexcept : socket_(std::move(socket)), usual_(usual) {}

  void count_turns(robot::Report& report) noexcept;
  void remember(robot::Report& report) noexcept;
  // The sentence that is wrong with it, if any.
  [[nodiscard]] std::string take(std::string_view line, std::optional<robot::Report>& newest);

  LocalSocket socket_;
  robot::Report usual_;
  Check check_;
  double odometry_heading_ = 0;  // of the state before, with whole turns [rad]
  std::optional<robot::PlannedPath> plan_;
  std::optional<robot::SeenThings> seen_;
  std::optional<estimate::Ticks> ticks_;  // of the newest state
  std::uint64_t planner_ = 0;             // which of the control systems that came was the last to say a state
  std::uint64_t n_refused_lines_ = 0;
  std::vector<RobotAnswer> answers_;
  std::uint64_t answering_ = 0;  // which of the control systems that came was the last to answer
};

}  // namespace forerun::net
