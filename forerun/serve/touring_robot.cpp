#include "forerun/serve/touring_robot.hpp"

#include <algorithm>
#include <utility>

#include "forerun/mission/drive_loop.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/physics/crawler_body.hpp"
#include "forerun/sense/live_scan.hpp"
#include "forerun/serve/describe_drive.hpp"
#include "forerun/sim/command_reply.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::serve {
namespace {

constexpr Duration kLongestCatchUp = from_seconds(2);  // a machine that slept does not make the robot race
constexpr Duration kRest = from_seconds(5);            // after a tour
constexpr Duration kRestAtCommand = from_seconds(20);  // at a goal that an operator has given

// As often as the list of goals holds, so that a copy of the robot knows after each stay where it goes next.
sim::Scenario repeated(const sim::Scenario& once, const Pose2& start, std::size_t first_goal) {
  sim::Scenario scenario = once;
  scenario.start = start;
  scenario.goals.clear();
  const std::size_t n = once.goals.size();
  while (n > 0 && scenario.goals.size() + n <= navigate::kMaxTasks) {
    for (std::size_t i = 0; i < n; ++i) scenario.goals.push_back(once.goals[(first_goal + i) % n]);
  }
  return scenario;
}

}  // namespace

Result<std::unique_ptr<TouringRobot>> TouringRobot::make(const sim::Setting& inputs, std::uint64_t seed,
                                                         RobotTime start, const SimulatedSetup& setup) {
  if (auto can = check(setup, inputs.robot); !can) return can.error();
  std::unique_ptr<TouringRobot> robot(new TouringRobot(inputs, seed, start, setup));
  if (auto begun = robot->begin_tour(inputs.scenario.start, 0, start); !begun) return begun.error();
  return robot;
}

Result<void> TouringRobot::begin_tour(const Pose2& pose, std::size_t first_goal, RobotTime now) {
  const sim::Scenario scenario = repeated(inputs_.scenario, pose, first_goal);
  auto made = sim::make_model({inputs_.world, inputs_.robot, scenario, reality_}, seed_++);
  if (!made) return made.error();
  auto model = std::make_unique<sim::Model>(std::move(*made));
  auto body = physics::make_body(*model);
  if (!body) return body.error();
  auto localizer = make_localizer(setup_.pose_source, inputs_, model->start, model->seed);
  if (!localizer) return localizer.error();
  const std::optional<Pose2> counted = loop_ ? std::optional(odometry()) : std::nullopt;
  loop_.reset();
  control_.reset();
  body_ = std::move(*body);
  localizer_ = std::move(*localizer);
  model_ = std::move(model);
  control_ = navigate::make_own_control_system(model_->planning, model_->robot);
  loop_ = std::make_unique<sim::Loop>(
      *model_, *control_,
      sim::Parts{.body = body_.get(), .localizer = localizer_.get(), .guards_hand = setup_.guards_hand});
  cameras_ = RobotCamera::all(model_->world, inputs_.robot);
  changes_.emplace(inputs_.world, inputs_.robot);
  start_ = now;
  first_goal_ = first_goal;
  commanded_.reset();
  idle_since_.reset();
  if (counted) {
    const Pose2 fresh = loop_->plant().unwrapped_odometry();
    odometry_from_loop_ = *counted * inverse(fresh);
    turns_before_ = counted->theta - fresh.theta;
  }
  return {};
}

Pose2 TouringRobot::odometry() const {
  const Pose2 fresh = loop_->plant().unwrapped_odometry();
  const Vec2 position = odometry_from_loop_ * fresh.position();
  return {position.x, position.y, fresh.theta + turns_before_};
}

void TouringRobot::drive_to(RobotTime now) {
  const Duration behind = now - time();
  if (behind > kLongestCatchUp) start_ += behind;
  while (time() < now) {
    loop_->step();
    latency_.command(to_seconds(time() - RobotTime{}), loop_->decision().command);
    latency_.measure(to_seconds(time() - RobotTime{}), loop_->plant().measured_velocity());
    changes_->observe(loop_->reported_pose(), loop_->readings());
    control_->set_changes(changes_->changes());
  }
  mission::settle(*loop_, missions_.pilot());
  const bool idle = loop_->finished() && loop_->helm() == sim::Helm::goals &&
                    loop_->executive().state() != robot::TaskState::cancelled;
  if (!idle) {
    idle_since_.reset();
    return;
  }
  if (!idle_since_) idle_since_ = now;
  if (now - *idle_since_ < (commanded_ ? kRestAtCommand : kRest)) return;
  idle_since_ = now;  // where no tour can begin, it is tried again
  (void)begin_tour(truth(), 0, now);
}

robot::Report TouringRobot::report() const {
  robot::Report report = sim::make_report(*loop_, {});
  report.time = time();
  report.odometry = odometry();
  report.response = latency_.found();
  missions_.pilot().apply(report);
  return report;
}

std::optional<robot::Report> TouringRobot::look(RobotTime now) {
  drive_to(now);
  robot::Report told = report();
  told.seen = changes_->tell(loop_->time(), told.state.pose.position());
  if (setup_.live_scan) told.scan = sense::live_scan(model_->robot, loop_->readings(), loop_->plant().odometry());
  return told;
}

std::optional<Shot> TouringRobot::photograph(RobotTime now, const ShotWish& wish) {
  if (wish.camera >= cameras_.size()) return std::nullopt;
  drive_to(now);
  return cameras_[wish.camera].take({time(), truth(), loop_->reported_pose(), loop_->plant().posture()},
                                    loop_->surroundings().movers(), wish.largest);
}

std::string TouringRobot::describe() const { return describe_drive(*loop_, missions_.pilot()); }

Result<void> TouringRobot::set_reality(const sim::Reality& reality) {
  const sim::Helm helm = loop_->helm();
  const bool cancelled = loop_->executive().state() == robot::TaskState::cancelled;
  const std::optional<Vec2> goal = commanded_;
  const sim::Reality before = std::exchange(reality_, reality);
  const std::size_t n = std::max<std::size_t>(1, inputs_.scenario.goals.size());
  const std::size_t next = commanded_ ? first_goal_ : (first_goal_ + loop_->executive().current()) % n;
  if (auto begun = begin_tour(truth(), next, time()); !begun) {
    reality_ = before;
    return begun;
  }
  // where a new reality leads no way to the goal the robot waits for another
  const robot::Reply reply = goal ? execute({.kind = robot::CommandKind::goal, .goal = *goal}, {}) : robot::accept();
  if (reply.state == robot::Reply::State::refused) end_hand_driving();
  if (helm == sim::Helm::stopped) {
    loop_->command({.kind = robot::CommandKind::stop});
  } else if (helm == sim::Helm::hand || cancelled) {
    end_hand_driving();
  }
  mission::settle(*loop_, missions_.pilot());
  return {};
}

robot::Reply TouringRobot::execute(const robot::Command& command, const sync::CommandInfo&) noexcept {
  if (command.kind == robot::CommandKind::start) return mission::start_on(*loop_, command, missions_.pilot());
  const robot::Reply reply = sim::reply_of(loop_->command(command));
  const bool accepted = reply.state == robot::Reply::State::accepted;
  if (accepted && command.kind == robot::CommandKind::goal) commanded_ = command.goal;
  mission::settle(*loop_, missions_.pilot());
  return reply;
}

robot::Reply TouringRobot::take_object(const sync::BroughtObject& brought) noexcept {
  mission::settle(*loop_, missions_.pilot());
  return missions_.take(brought);
}

// A drive of zeros: the operator may go on where he was.
void TouringRobot::end_hand_driving() noexcept {
  loop_->command({.kind = robot::CommandKind::drive});
  mission::settle(*loop_, missions_.pilot());
}

}  // namespace forerun::serve
