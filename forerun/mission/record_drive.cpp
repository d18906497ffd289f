#include "forerun/mission/record_drive.hpp"

#include <cstdio>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::mission {
namespace {

constexpr double kHold = 0.5;  // of the last command [s]
constexpr double kBrake = 1;   // at the last goal [s]
constexpr double kRest = 3;    // to come to rest, and to be seen at rest [s]

// Decides nothing: an operator drives.
class Nobody final : public navigate::ControlSystem {
 public:
  bool set_goal(std::optional<Vec2>) noexcept override { return true; }
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return false; }
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override {
    return {.command = {}, .target = percept.pose.position(), .motion = navigate::Motion::braking};
  }
};

void run_until(sim::Loop& loop, double time, PathRecorder& recorder) {
  while (to_seconds(loop.time()) < time) {
    loop.step();
    recorder.take(loop);
  }
}

}  // namespace

Result<RecordedPath> record_goals(const sim::Model& model, double limit_s, std::span<const std::string> actions) {
  const auto control = navigate::make_own_control_system(model.planning, model.robot);
  sim::Loop loop(model, *control);
  PathRecorder recorder(0.05, actions);
  recorder.take(loop);
  while (!loop.finished() && to_seconds(loop.time()) < limit_s) {
    loop.step();
    recorder.take(loop);
  }
  if (loop.executive().n_reached() < model.tasks.size()) {
    char text[120];
    std::snprintf(text, sizeof text, "the robot reached %zu of %zu goals within %.0f s", loop.executive().n_reached(),
                  model.tasks.size(), to_seconds(loop.time()));
    return Error{text, ErrorKind::impossible};
  }
  run_until(loop, to_seconds(loop.time()) + kBrake, recorder);
  return recorder.path();
}

RecordedPath record_program(const sim::Model& model, navigate::ControlSystem& program, double duration_s) {
  sim::Loop loop(model, program);
  PathRecorder recorder;
  recorder.take(loop);
  run_until(loop, duration_s, recorder);
  return recorder.path();
}

RecordedPath record_commands(const sim::Model& model, std::span<const HandCommand> commands) {
  Nobody nobody;
  sim::Loop loop(model, nobody);
  PathRecorder recorder;
  recorder.take(loop);
  for (const HandCommand& command : commands) {
    run_until(loop, command.time, recorder);
    static_cast<void>(loop.command({robot::CommandKind::drive, {}, command.velocity}));
  }
  run_until(loop, to_seconds(loop.time()) + kHold, recorder);
  static_cast<void>(loop.command({robot::CommandKind::drive, {}, {}}));
  run_until(loop, to_seconds(loop.time()) + kRest, recorder);
  return recorder.path();
}

}  // namespace forerun::mission
