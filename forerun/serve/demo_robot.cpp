#include "forerun/serve/demo_robot.hpp"

#include "forerun/net/resolve.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::serve {
namespace {

constexpr double kTurn = 0.02;                          // how often the robot's thread looks round [s]
constexpr Duration kTruthInterval = from_seconds(0.1);  // of the true pose

}  // namespace

DemoRobot::DemoRobot(const Setup& setup, std::unique_ptr<TouringRobot> robot)
    : conditions_(setup.conditions), on_complaint_(setup.on_complaint), robot_(std::move(robot)) {}

Result<std::unique_ptr<DemoRobot>> DemoRobot::open(const Setup& setup) {
  auto touring = TouringRobot::make(setup.setting, setup.seed, net::RobotServer::clock(), setup.simulated);
  if (!touring) return touring.error();
  std::unique_ptr<DemoRobot> robot(new DemoRobot(setup, std::move(*touring)));
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  RobotService::Setup service{.robot = setup.robot, .look_interval = from_seconds(setup.conditions.interval_s)};
  service.on_complaint = setup.on_complaint;
  service.link.listen = *listen;
  service.link.keys = setup.keys;
  service.link.allowed = {{setup.operator_key, sync::Role::operate}};
  service.link.params.gate = demo_gate(setup.conditions.delay_s);
  auto opened = RobotService::open(service, setup.setting, *robot->robot_);
  if (!opened) return opened.error();
  robot->service_ = std::move(*opened);
  return robot;
}

DemoRobot::~DemoRobot() {
  quit_ = true;
  if (thread_.joinable()) thread_.join();
}

void DemoRobot::start(OnTruth on_truth) {
  thread_ = std::thread([this, on_truth = std::move(on_truth)] { run(on_truth); });
}

void DemoRobot::apply(const DemoConditions& conditions) {
  service_->set_look_interval(from_seconds(conditions.interval_s));
  service_->server().set_gate(demo_gate(conditions.delay_s));
  const auto reality = sim::find_reality(conditions.reality);
  if (conditions.reality != conditions_.reality && reality) {
    const auto set = robot_->set_reality(*reality);
    if (!set) on_complaint_("the reality level stays: " + set.error().message);
  }
  conditions_ = conditions;
}

void DemoRobot::run(const OnTruth& on_truth) {
  RobotTime next_truth;
  while (!quit_) {
    if (const auto wanted = wanted_.take()) apply(*wanted);
    service_->turn(kTurn);
    if (robot_->time() < next_truth) continue;
    next_truth = robot_->time() + kTruthInterval;
    on_truth(robot_->time(), robot_->truth());
  }
}

}  // namespace forerun::serve
