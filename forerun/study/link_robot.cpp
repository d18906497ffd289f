#include "forerun/study/link_robot.hpp"

namespace forerun::study {
namespace {

constexpr std::size_t kRemembered = 4096;
constexpr double kRadius = 3.0;  // [m]
constexpr double kSpeed = 0.35;  // [m/s]
constexpr double kTimeout = sync::GateParams{}.drive_timeout_s;
constexpr double kSlack = 0.05;  // the study looks at timers every 20 ms [s]

}  // namespace

LinkRobot::LinkRobot() : said_(kRemembered) {}

robot::Report LinkRobot::report(RobotTime time) {
  const double turn = kSpeed / kRadius;
  const double angle = turn * to_seconds(now_);
  robot::Report report;
  report.robot = 7;
  report.model = 0x0123456789abcdef;
  report.sequence = n_reports_++;
  report.time = time;
  const Vec2 out = unit_vector(angle);
  report.state.pose = {kRadius * out.x, kRadius * out.y, normalize_angle(angle + kPi / 2)};
  report.state.velocity = {kSpeed, 0, turn};
  report.target = Vec2{kRadius, 0};
  report.goal = Vec2{-kRadius, 0};
  report.task = robot::TaskState::driving;
  report.limits = {0.5, 1.0};
  report.error = {0.02, 0.03, 0.1, 0.01};
  report.hand_driven = driven_at_.has_value();
  if (const auto body = sync::encode_report(report)) said_[report.sequence % kRemembered] = *body;
  return report;
}

bool LinkRobot::has_said(const robot::Report& report) const noexcept {
  const auto body = sync::encode_report(report);
  return body && *body == said_[report.sequence % kRemembered];
}

robot::Reply LinkRobot::execute(const robot::Command& command, const sync::CommandInfo& info) noexcept {
  note_end_of_driving();
  executed_.push_back({command.kind, info, now_});
  if (command.kind == robot::CommandKind::drive) driven_at_ = now_;
  return robot::accept();
}

void LinkRobot::end_hand_driving() noexcept { note_end_of_driving(); }

void LinkRobot::note_end_of_driving() noexcept {
  if (driven_at_ && to_seconds(now_ - *driven_at_) > kTimeout + kSlack) ++n_overruns_;
  driven_at_.reset();
}

}  // namespace forerun::study
