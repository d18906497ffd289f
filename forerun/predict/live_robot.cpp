#include "forerun/predict/live_robot.hpp"

#include <algorithm>
#include <utility>

#include "forerun/respond/model_bytes.hpp"
#include "forerun/robot/extrapolation.hpp"

namespace forerun::predict {

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
      predictor_(std::make_unique<Predictor>(*model_, params.predictor, drivers_)) {
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
  }
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
  if (hand_) last_ = by_hand(last_);
  return last_;
}

void LiveRobot::give(RobotTime time, const robot::Twist& velocity) noexcept {
  if (hand_) hand_->give(time, velocity);
}

// The regions go along with the robot.
Prediction LiveRobot::by_hand(Prediction prediction) const noexcept {
  const auto state = hand_->at(prediction.time);
  if (!state) return prediction;
  const Vec2 moved = state->pose.position() - prediction.state.pose.position();
  for (Region* region : {&prediction.region50, &prediction.region95}) {
    for (Ellipse& part : region->parts) part.centre = part.centre + moved;
    if (region->floor) region->floor->low = region->floor->low + moved;
  }
  prediction.state = *state;
  return prediction;
}

std::size_t LiveRobot::way_ahead(Duration step, std::span<Pose2> places) {
  if (!predictor_ || !newest_) return 0;
  if (last_.status == Status::none) (void)at(last_.time);
  if (const auto& mission = predictor_->mission()) {
    double gap = to_seconds(last_.gap);
    for (Pose2& place : places) {
      place = mission->state_after(gap).pose;
      gap += to_seconds(step);
    }
    return places.size();
  }
  if (!way_ahead_) way_ahead_ = std::make_unique<WayAhead>(*model_);
  way_ahead_->start(*newest_, {last_.time, last_.state, last_.task, last_.speed_scale, &predictor_->seen()});
  Duration ahead;
  for (Pose2& place : places) {
    place = way_ahead_->pose_after(ahead);
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
