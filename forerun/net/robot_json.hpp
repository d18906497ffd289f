// What a control system and Forerun say to each other: one JSON object a line. Pure text, no sockets. Described in
// docs/robot-interface.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/estimate/encoders.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/reply.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::net {

// A state of the robot. `t_s`, `x_m`, `y_m` and `theta_rad` must be there; what else is not comes from `usual`, and so
// do robot, model and sequence, which a control system does not know. Times count to the microsecond; a `plan` of any
// length is thinned.
[[nodiscard]] Result<robot::Report> parse_robot_state(std::string_view line, const robot::Report& usual = {});
// The same with the encoders' ticks, where the state says them.
struct TickedState {
  robot::Report report;
  std::optional<estimate::Ticks> ticks;
};
[[nodiscard]] Result<TickedState> parse_ticked_state(std::string_view line, const robot::Report& usual = {});
// All fields of the same, planned path and wheels where the report says them; reading it back gives the same report.
// Without a line break, as all that follow.
[[nodiscard]] std::string write_robot_state(const robot::Report& report);

struct RobotCommand {
  std::uint64_t number = 0;  // grows from command to command
  robot::Command command;
  bool timeout = false;  // a drive of zeros because hand driving ceased
};
[[nodiscard]] std::string write_robot_command(const RobotCommand& command);
[[nodiscard]] Result<RobotCommand> parse_robot_command(std::string_view line);

// What the robot is to do where it stands on its mission: {"command":"action","number":12,"action":"photo"}.
struct RobotAction {
  std::uint64_t number = 0;  // as those of commands
  std::string name;
};
[[nodiscard]] std::string write_robot_action(const RobotAction& action);
// Nothing where the line is something else.
[[nodiscard]] std::optional<RobotAction> parse_robot_action(std::string_view line);

// What a control system says to a command: {"accepted":7} or {"refused":7,"reason":"…","kind":"busy"}; and to an action
// at its end: {"done":7} or {"failed":7,"reason":"…"}. Number 0 is {"answers":true}: it will say so to each.
struct RobotAnswer {
  std::uint64_t number = 0;
  robot::Reply reply;
  bool over = false;  // the action is: done, or where the reply is a refusal, failed
};
// Nothing where the line is something else.
[[nodiscard]] std::optional<Result<RobotAnswer>> parse_robot_answer(std::string_view line);
[[nodiscard]] std::string write_robot_answer(const RobotAnswer& answer);

[[nodiscard]] std::string write_robot_error(std::string_view sentence);

}  // namespace forerun::net
