#include "forerun/estimate/change_watch.hpp"
#include "forerun/estimate/latency_meter.hpp"
#include "forerun/localize/robot_localizer.hpp"
#include "forerun/mission/drive_loop.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/physics/crawler_body.hpp"
#include "forerun/sense/live_scan.hpp"
#include "forerun/serve/describe_drive.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/serve/wheel_watch.hpp"
#include "forerun/sim/command_reply.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::serve {
namespace {

class SimulatedRobot final : public ServedRobot {
 public:
  SimulatedRobot(const sim::Setting& known, std::unique_ptr<const sim::Model> model, std::unique_ptr<sim::Body> body,
                 std::unique_ptr<navigate::Localizer> localizer, RobotTime start, const SimulatedSetup& setup)
      : model_(std::move(model)),
        body_(std::move(body)),
        localizer_(std::move(localizer)),
        control_(navigate::make_own_control_system(model_->planning, model_->robot)),
        loop_(*model_, *control_,
              {.body = body_.get(), .localizer = localizer_.get(), .guards_hand = setup.guards_hand}),
        wheels_(model_->robot.drive),
        latency_(model_->robot.limits),
        changes_(known.world, known.robot),
        missions_(known.world, known.robot),
        cameras_(RobotCamera::all(model_->world, known.robot)),
        start_(start),
        live_scan_(setup.live_scan) {}

  std::optional<robot::Report> look(RobotTime now) override {
    listen(now);
    robot::Report report = sim::make_report(loop_, {});
    report.time = start_ + (loop_.time() - RobotTime{});
    const auto& ticks = loop_.readings().ticks;
    wheels_.take(report.time, report, {static_cast<double>(ticks[0]), static_cast<double>(ticks[1])});
    wheels_.apply(report);
    report.response = latency_.found();
    report.seen = changes_.tell(loop_.time(), report.state.pose.position());
    if (live_scan_) report.scan = sense::live_scan(model_->robot, loop_.readings(), loop_.plant().odometry());
    missions_.pilot().apply(report);
    return report;
  }

  void listen(RobotTime now) override {
    // a machine that slept or was too slow does not make the robot race
    const Duration behind = (now - start_) - (loop_.time() - RobotTime{});
    if (behind > kLongestCatchUp) start_ += behind;
    while (loop_.time() - RobotTime{} < now - start_) {
      loop_.step();
      const double time = to_seconds(loop_.time() - RobotTime{});
      latency_.command(time, loop_.decision().command);
      latency_.measure(time, loop_.plant().measured_velocity());
      changes_.observe(loop_.reported_pose(), loop_.readings());
      control_->set_changes(changes_.changes());
    }
    mission::settle(loop_, missions_.pilot());
  }

  std::span<const int> descriptors() override { return {}; }

  robot::Reply execute(const robot::Command& command, const sync::CommandInfo&) noexcept override {
    if (command.kind == robot::CommandKind::start) return mission::start_on(loop_, command, missions_.pilot());
    const robot::Reply reply = sim::reply_of(loop_.command(command));
    mission::settle(loop_, missions_.pilot());
    return reply;
  }
  robot::Reply take_object(const sync::BroughtObject& brought) noexcept override {
    mission::settle(loop_, missions_.pilot());
    return missions_.take(brought);
  }
  const MissionDesk* missions() const override { return &missions_; }
  void end_hand_driving() noexcept override {
    // a drive of zeros: the operator may go on where he was
    loop_.command({.kind = robot::CommandKind::drive});
    mission::settle(loop_, missions_.pilot());
  }

  std::optional<Shot> photograph(RobotTime now, const ShotWish& wish) override {
    if (wish.camera >= cameras_.size()) return std::nullopt;
    listen(now);
    const RobotTime time = start_ + (loop_.time() - RobotTime{});
    return cameras_[wish.camera].take({time, loop_.truth().pose, loop_.reported_pose(), loop_.plant().posture()},
                                      loop_.surroundings().movers(), wish.largest);
  }

  std::string describe() const override { return describe_drive(loop_, missions_.pilot()); }

 private:
  static constexpr Duration kLongestCatchUp = from_seconds(2);

  std::unique_ptr<const sim::Model> model_;
  std::unique_ptr<sim::Body> body_;                 // none: the loop's own
  std::unique_ptr<navigate::Localizer> localizer_;  // likewise
  std::unique_ptr<navigate::ControlSystem> control_;
  sim::Loop loop_;
  WheelWatch wheels_;
  estimate::LatencyMeter latency_;
  estimate::ChangeWatch changes_;
  MissionDesk missions_;
  std::vector<RobotCamera> cameras_;
  RobotTime start_;
  bool live_scan_;
};

}  // namespace

Result<void> check(const SimulatedSetup& setup, const robot::Description& robot) {
  if (!setup.live_scan || robot::find_sensor<robot::Laser>(robot.sensors) != nullptr) return {};
  return Error{"a live scan needs a laser, but the robot " + robot.name + " has none"};
}

Result<std::unique_ptr<navigate::Localizer>> make_localizer(PoseSource pose_source, const sim::Setting& inputs,
                                                            const Pose2& start, std::uint64_t seed) {
  if (pose_source == PoseSource::given) return std::unique_ptr<navigate::Localizer>();
  auto made = localize::RobotLocalizer::make(inputs.world, inputs.robot, start, seed);
  if (!made) return made.error();
  return std::unique_ptr<navigate::Localizer>(std::move(*made));
}

Result<std::unique_ptr<ServedRobot>> make_simulated_robot(const sim::Setting& inputs, std::uint64_t seed,
                                                          RobotTime start, const SimulatedSetup& setup) {
  if (auto can = check(setup, inputs.robot); !can) return can.error();
  auto made = sim::make_model(inputs, seed);
  if (!made) return made.error();
  auto model = std::make_unique<const sim::Model>(std::move(*made));
  auto body = physics::make_body(*model);
  if (!body) return body.error();
  auto localizer = make_localizer(setup.pose_source, inputs, model->start, seed);
  if (!localizer) return localizer.error();
  return std::unique_ptr<ServedRobot>(std::make_unique<SimulatedRobot>(inputs, std::move(model), std::move(*body),
                                                                       std::move(*localizer), start, setup));
}

}  // namespace forerun::serve
