#include "forerun/net/local_robot.hpp"

#include <utility>

#include "forerun/net/line_buffer.hpp"

namespace forerun::net {

Result<LocalRobot> LocalRobot::open(const std::string& where, const robot::Report& usual) {
  auto socket = LocalSocket::open(where);
  if (!socket) return socket.error();
  return LocalRobot(std::move(*socket), usual);
}

// Control systems that keep the heading of their odometry within one turn are understood, too: nobody turns half round
// between two states.
void LocalRobot::count_turns(robot::Report& report) noexcept {
  if (!report.odometry) return;
  double& heading = report.odometry->theta;
  heading = odometry_heading_ + normalize_angle(heading - odometry_heading_);
  odometry_heading_ = heading;
}

// What a state says of the plan and of things seen holds for those after it, until another control system comes.
void LocalRobot::remember(robot::Report& report) noexcept {
  const std::uint64_t connected = socket_.counts().connected;
  const bool another = std::exchange(planner_, connected) != connected;
  const auto keep = [&](auto& said, auto& kept) {
    if (said) {
      kept = said;
    } else if (kept && another) {
      kept.emplace();
    }
    said = kept;
  };
  keep(report.planned_path, plan_);
  keep(report.seen, seen_);
}

std::string LocalRobot::take(std::string_view line, std::optional<robot::Report>& newest) {
  if (const auto answer = parse_robot_answer(line)) {
    if (!*answer) return answer->error().message;
    answering_ = socket_.counts().connected;
    if ((*answer)->number > 0) answers_.push_back(**answer);
    return {};
  }
  const auto state = parse_ticked_state(line, usual_);
  if (!state) return state.error().message;
  if (std::string wrong = check_ ? check_(state->report) : ""; !wrong.empty()) return wrong;
  newest = state->report;
  ticks_ = state->ticks;
  count_turns(*newest);
  remember(*newest);
  return {};
}

std::optional<robot::Report> LocalRobot::poll() {
  std::optional<robot::Report> newest;
  std::string complaint;
  const auto refuse = [&](const std::string& why) {
    ++n_refused_lines_;
    if (complaint.empty()) complaint = why;
  };
  socket_.receive(
      {.on_line =
           [&](std::string_view line) {
             const std::string wrong = take(line, newest);
             if (!wrong.empty()) refuse(wrong);
           },
       .on_too_long = [&] { refuse("the line is longer than " + std::to_string(kLongestLine) + " bytes"); }});
  if (!complaint.empty()) socket_.send_if_possible(write_robot_error(complaint));
  return newest;
}

}  // namespace forerun::net
