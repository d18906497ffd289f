#include "forerun/app/demo_parts.hpp"

#include <algorithm>
#include <cstdio>

#include "forerun/net/resolve.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::app {
namespace {

constexpr double kTurn = 0.02;                          // how often the robot's thread looks round [s]
constexpr Duration kTruthInterval = from_seconds(0.1);  // of the true pose, for the page
constexpr Duration kLongestLinkTurn = from_seconds(0.05);
// Delays of the demo reach many seconds: commands may be as old, and nothing is lost by a simulated robot's obeying.
constexpr double kOldestCommand = 30;  // [s]
constexpr std::uint32_t kRobotNumber = 1;

void apply(const web::DemoSettings& settings, impair::LinkProfile& profile) {
  for (impair::LinkPath* path : {&profile.up, &profile.down}) {
    path->loss = settings.loss;
    path->delay = settings.delay_s;
  }
  const bool black = !profile.blackouts.empty();
  if (settings.blackout == black) return;
  profile.blackouts.clear();
  if (settings.blackout) profile.blackouts.push_back({.at = 0, .every = 0, .length = 1e9});
}

}  // namespace

DemoRobot::DemoRobot(const DemoRobotSetup& setup, std::unique_ptr<serve::TouringRobot> robot)
    : settings_(setup.settings), robot_(std::move(robot)), reality_(setup.settings.get().reality) {}

Result<std::unique_ptr<DemoRobot>> DemoRobot::open(const DemoRobotSetup& setup) {
  auto touring = serve::TouringRobot::make(setup.inputs, setup.seed, net::RobotServer::clock());
  if (!touring) return touring.error();
  std::unique_ptr<DemoRobot> robot(new DemoRobot(setup, std::move(*touring)));
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  net::RobotServer::Setup server{.listen = *listen, .keys = setup.keys};
  server.allowed = {{setup.operator_key, sync::Role::operate}};
  server.params.gate.max_command_age_s = kOldestCommand;
  auto opened = net::RobotServer::open(server, *robot->robot_);
  if (!opened) return opened.error();
  robot->server_ = std::make_unique<net::RobotServer>(std::move(*opened));
  robot->model_ =
      robot->server_->offer(sync::ObjectKind::model, sim::pack_model(setup.inputs.world, setup.inputs.robot));
  return robot;
}

DemoRobot::~DemoRobot() {
  quit_ = true;
  if (thread_.joinable()) thread_.join();
}

void DemoRobot::start(web::PageSink& page) {
  thread_ = std::thread([this, &page] { run(page); });
}

void DemoRobot::publish(const web::DemoSettings& settings) {
  const bool obeyed = obedience_.wants_report(robot_->time(), server_->counts().commands_executed);
  if (!obeyed && robot_->time() < reported_ + from_seconds(settings.interval_s)) return;
  reported_ = robot_->time();
  obedience_.on_sent();
  robot::Report report = robot_->report();
  report.robot = kRobotNumber;
  report.model = model_;
  report.sequence = sequence_++;
  (void)server_->publish(report);
}

void DemoRobot::run(web::PageSink& page) {
  RobotTime next_truth;
  while (!quit_) {
    const web::DemoSettings settings = settings_.get();
    const auto reality = sim::find_reality(settings.reality);
    if (settings.reality != reality_ && reality) {
      reality_ = settings.reality;
      const auto set = robot_->set_reality(*reality);
      if (!set) std::fprintf(stderr, "forerun: the reality level stays: %s\n", set.error().message.c_str());
    }
    robot_->drive_to(server_->now());
    publish(settings);
    if (robot_->time() >= next_truth) {
      next_truth = robot_->time() + kTruthInterval;
      page.truth(kRobotNumber, robot_->time(), robot_->truth());
    }
    server_->poll(kTurn);
  }
}

Result<std::unique_ptr<DemoLink>> DemoLink::open(const net::Address& robot, const SharedSettings& settings,
                                                 std::uint64_t seed) {
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  std::unique_ptr<DemoLink> link(new DemoLink(settings));
  link->profile_.name = "demo";
  apply(settings.get(), link->profile_);
  auto relay = net::BadNetwork::open({.listen = *listen, .to = robot, .seed = seed}, link->profile_);
  if (!relay) return relay.error();
  link->relay_ = std::make_unique<net::BadNetwork>(std::move(*relay));
  link->thread_ = std::thread([raw = link.get()] { raw->run(); });
  return link;
}

DemoLink::~DemoLink() {
  quit_ = true;
  if (thread_.joinable()) thread_.join();
}

void DemoLink::run() {
  while (!quit_) {
    apply(settings_.get(), profile_);
    relay_->turn(kLongestLinkTurn);
  }
}

}  // namespace forerun::app
