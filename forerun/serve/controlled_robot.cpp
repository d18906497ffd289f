#include "forerun/base/fixed_vector.hpp"
#include "forerun/net/local_robot.hpp"
#include "forerun/serve/served_robot.hpp"

namespace forerun::serve {
namespace {

class ControlledRobot final : public ServedRobot {
 public:
  explicit ControlledRobot(net::LocalRobot robot) : robot_(std::move(robot)) {}

  std::optional<robot::Report> look(RobotTime now) override {
    listen(now);
    return std::exchange(newest_, std::nullopt);
  }

  // States count from their arrival: the control system's own clock may be set at any time, ours never is.
  void listen(RobotTime now) override {
    auto report = robot_.poll();
    if (!report) return;
    report->time = now;
    newest_ = *report;
    // told to stand, but still driving: the line may have been lost
    if (ending_ && report->hand_driven) send({.kind = robot::CommandKind::drive}, true);
    ending_ = ending_ && report->hand_driven;
  }

  std::span<const int> descriptors() override {
    descriptors_ = robot_.socket().descriptors();
    return {descriptors_.data(), descriptors_.size()};
  }

  bool execute(const robot::Command& command, const sync::CommandInfo&) noexcept override {
    ending_ = false;
    return send(command, false);
  }
  void end_hand_driving() noexcept override {
    ending_ = true;
    send({.kind = robot::CommandKind::drive}, true);
  }

  std::string describe() const override {
    return robot_.socket().connected() ? "control system connected" : "waiting at " + robot_.socket().where();
  }

 private:
  // Numbers of our own: those of operators belong to their keys, and grow for each key by itself.
  bool send(const robot::Command& command, bool timeout) noexcept {
    return robot_.command({.number = ++number_, .command = command, .timeout = timeout});
  }

  net::LocalRobot robot_;
  std::optional<robot::Report> newest_;
  FixedVector<int, 2> descriptors_;
  std::uint64_t number_ = 0;
  bool ending_ = false;  // hand driving was ended, and the control system has not shown yet that it knows
};

}  // namespace

Result<std::unique_ptr<ServedRobot>> make_controlled_robot(const std::string& where, const robot::Description& robot) {
  robot::Report usual;
  usual.limits = {robot.limits.max_speed, robot.limits.max_turn_rate};
  auto local = net::LocalRobot::open(where, usual);
  if (!local) return local.error();
  return std::unique_ptr<ServedRobot>(std::make_unique<ControlledRobot>(std::move(*local)));
}

}  // namespace forerun::serve
