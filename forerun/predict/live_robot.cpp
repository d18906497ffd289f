#include "forerun/predict/live_robot.hpp"

#include <algorithm>
#include <utility>

#include "forerun/respond/model_bytes.hpp"
#include "forerun/robot/extrapolation.hpp"

namespace forerun::predict {
namespace {

constexpr double kReach95 = 2.4477, kReach50 = 1.1774;  // of a normal distribution in the plane [σ]

// Where most of it is, and no surer than the robot itself.
ahead::Blur blur_of(const Region& region95, const robot::PoseError& said) noexcept {
  if (region95.parts.empty()) return {};
  const Ellipse& most = region95.parts[0];
  const double major = square(most.major / kReach95), minor = square(most.minor / kReach95);
  const SinCos along = sincos(most.heading);
  return {.xx = std::max(square(said.sigma_x), major * square(along.cos) + minor * square(along.sin)),
          .xy = (major - minor) * along.cos * along.sin,
          .yy = std::max(square(said.sigma_y), major * square(along.sin) + minor * square(along.cos))};
}

Region region_of(const ahead::Blur& blur, Vec2 centre, double reach) noexcept {
  const double half = 0.5 * (blur.xx + blur.yy), off = sqrt(square(0.5 * (blur.xx - blur.yy)) + square(blur.xy));
  Region region;
  region.parts.push_back({centre, reach * sqrt(half + off), reach * sqrt(std::max(0.0, half - off)),
                          0.5 * atan2(2 * blur.xy, blur.xx - blur.yy)});
  return region;
}

}  // namespace

const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::none:
      return "none";
    case Status::fresh:
      return "fresh";
    case Status::predicted:
      return "predicted";
    case Status::stale:
      return "stale";
  }
  return "unknown";
}

LiveRobot::LiveRobot(std::shared_ptr<const ReplicaModel> model, const LiveParams& params, std::vector<Driver> drivers)
    : model_(std::move(model)),
      params_(params),
      drivers_(std::move(drivers)),
      predictor_(std::make_unique<Predictor>(*model_, params.predictor, drivers_)),
      own_(std::make_unique<ahead::OwnFuture>(model_->robot, model_->planning.clearance, model_->doors)) {
  // what cannot be read was learned by somebody else's program: nothing is known then
  auto learned = respond::model_from_bytes(model_->robot.response);
  if (!learned) return;
  response_ = std::make_unique<const respond::Model>(*learned);
  hand_ = std::make_unique<respond::HandPrediction>(*response_);
}

LiveRobot::LiveRobot(const ReplicaModel& model, const LiveParams& params, std::vector<Driver> drivers)
    : LiveRobot(std::shared_ptr<const ReplicaModel>(std::shared_ptr<void>(), &model), params, std::move(drivers)) {}

Taken LiveRobot::take(const robot::Report& report) {
  if (!predictor_) return Taken::no_model;
  if (newest_ && newest_->time == report.time && newest_->sequence == report.sequence) return Taken::known;
  const bool restarted = newest_ && report.time < newest_->time;
  if (restarted) {
    predictor_.reset();  // first, so that its memory serves the next one
    predictor_ = std::make_unique<Predictor>(*model_, params_.predictor, drivers_);
    predictor_->set_mission(mission_, mission_path_);
    if (hand_) hand_ = std::make_unique<respond::HandPrediction>(*response_);
    own_->clear();
  }
  own_->take(report);
  newest_ = report;
  if (hand_) hand_->take(report);
  predictor_->resync(report);
  last_ = {};
  last_.time = report.time;
  return restarted ? Taken::restarted : Taken::newer;
}

void LiveRobot::set_mission(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path) {
  mission_ = number;
  mission_path_ = std::move(path);
  if (predictor_) predictor_->set_mission(mission_, mission_path_);
}

Prediction LiveRobot::at(RobotTime now) noexcept {
  if (!predictor_ || !newest_) return {};
  const RobotTime end = newest_->time + from_seconds(params_.horizon_s);
  const RobotTime time = std::clamp(now, std::min(last_.time, end), end);
  const Duration gap = time - newest_->time;
  const bool fresh = gap <= from_seconds(params_.fresh_s);
  begin_own(time);
  const robot::State state = predictor_->advance(time);
  last_ = {.status = now > end ? Status::stale
                     : fresh   ? Status::fresh
                               : Status::predicted,
           .time = time,
           .gap = gap,
           .state = state,
           .extrapolated = robot::extrapolate(*newest_, gap),
           .region50 = predictor_->region(0.5),
           .region95 = predictor_->region(0.95),
           .task = predictor_->task(),
           .target = predictor_->target(),
           .driver = predictor_->driver(),
           .driver_name = predictor_->driver_name(),
           .speed_scale = predictor_->speed_scale(),
           .experts = predictor_->expert_weights()};
  follow_own();
  follow_response();
  return last_;
}

void LiveRobot::give(const ahead::OwnCommand& command) {
  const bool drives = command.command.kind == robot::CommandKind::drive;
  // whatever else is given ends a drive
  if (hand_) hand_->give(command.takes_effect, drives ? command.command.velocity : robot::Twist{});
  if (!own_) return;
  const bool is_goal = command.command.kind == robot::CommandKind::goal;
  if (is_goal && !way_to_goal_) way_to_goal_ = std::make_unique<WayToGoal>(*model_);
  own_->give(command);
}

void LiveRobot::settle(std::uint64_t number, ahead::Settled outcome) noexcept {
  if (own_) own_->settle(number, outcome);
}

// From where it is when the first of our commands takes effect.
void LiveRobot::begin_own(RobotTime time) noexcept {
  const auto first = own_->begins();
  if (own_->is_begun() || !first || *first > time) return;
  const RobotTime begin = std::max(*first, last_.time);
  const robot::State state = predictor_->advance(begin);
  own_->begin(begin, state, blur_of(predictor_->region(0.95), newest_->error));
}

void LiveRobot::follow_own() noexcept {
  if (!own_->is_begun()) return;
  if (way_to_goal_) way_to_goal_->know(*newest_, predictor_->speed_scale(), predictor_->seen());
  own_->advance(last_.time, &predictor_->seen(), way_to_goal_.get());
  last_.state = own_->state();
  const Vec2 place = last_.state.pose.position();
  last_.region50 = predictor_->on_floor(region_of(own_->blur(), place, kReach50));
  last_.region95 = predictor_->on_floor(region_of(own_->blur(), place, kReach95));
  last_.task = own_->goes_by_itself() ? robot::TaskState::driving : robot::TaskState::idle;
  last_.target = own_->goes_by_itself() ? own_->goal() : place;
}

// The regions go along with the robot.
void LiveRobot::follow_response() noexcept {
  const auto state = hand_ && !own_->goes_by_itself() && !own_->is_held() ? hand_->at(last_.time) : std::nullopt;
  if (!state) return;
  const Vec2 moved = state->pose.position() - last_.state.pose.position();
  for (Region* region : {&last_.region50, &last_.region95}) {
    for (Ellipse& part : region->parts) part.centre = part.centre + moved;
    if (region->floor) region->floor->low = region->floor->low + moved;
  }
  last_.state = *state;
}

void LiveRobot::start_way_ahead() {
  if (!way_ahead_) way_ahead_ = std::make_unique<WayAhead>(*model_);
  const WayAhead::Present present{last_.time, last_.state, last_.task, last_.speed_scale, &predictor_->seen()};
  if (!own_->is_begun()) return way_ahead_->start(*newest_, present);
  way_ahead_->start(as_told(*newest_, own_->goes_by_itself() ? std::optional(own_->goal()) : std::nullopt), present);
}

std::optional<ahead::Landing> LiveRobot::landing() {
  if (!predictor_ || !newest_ || own_->commands().empty()) return std::nullopt;
  ahead::OwnFuture::Present present{last_.time, last_.state, last_.state};
  const auto first = own_->begins();
  if (first && *first > last_.time && last_.task == robot::TaskState::driving) {
    start_way_ahead();
    present.at_effect = way_ahead_->state_after(*first - last_.time);
  }
  return own_->landing(present, &predictor_->seen());
}

std::size_t LiveRobot::way_ahead(Duration step, std::span<Pose2> places) {
  if (!predictor_ || !newest_) return 0;
  if (last_.status == Status::none) (void)at(last_.time);
  if (const auto& mission = predictor_->mission(); mission && !own_->is_begun()) {
    double gap = to_seconds(last_.gap);
    for (Pose2& place : places) {
      place = mission->state_after(gap).pose;
      gap += to_seconds(step);
    }
    return places.size();
  }
  start_way_ahead();
  Duration ahead;
  for (Pose2& place : places) {
    place = way_ahead_->state_after(ahead).pose;
    ahead = ahead + step;
  }
  return places.size();
}

Result<LiveRobot> make_live_robot(const world::World& world, const robot::Description& robot,
                                  const LiveParams& params) {
  auto model = make_replica_model(world, robot);
  if (!model) return model.error();
  return LiveRobot(std::make_shared<const ReplicaModel>(std::move(*model)), params);
}

}  // namespace forerun::predict
