#include "forerun/study/trajectories.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "forerun/base/check.hpp"
#include "forerun/predict/live_robot.hpp"

namespace forerun::study {
namespace {

constexpr double kDrawnStep = 0.1;    // points kept for drawing [s]
constexpr double kCompareStep = 0.5;  // [s]
constexpr double kMoving = 0.01;      // slower than this is standing [m/s]
constexpr double kUnderWay = 0.1;     // faster than turning towards the door [m/s]
constexpr double kLongJump = 1;       // as paper 2 counts them [m]

// An operator's side that knows the messages so far, and nothing else.
class Follower {
 public:
  Follower(const learn::Drive& drive, const predict::ReplicaModel& model) : live_(model) {
    live_.set_mission(drive.mission_number, drive.mission);
  }

  void receive(const robot::Report& report) { live_.take(report); }
  [[nodiscard]] robot::State estimate(RobotTime time) { return live_.at(time).state; }
  // What is said of this moment, beside the truth.
  [[nodiscard]] std::optional<TrackPoint> look(const learn::Drive& drive, RobotTime time) {
    const auto truth = drive.at(to_seconds(time));
    if (!truth) return std::nullopt;
    const predict::Prediction now = live_.at(time);
    return TrackPoint{to_seconds(time),      to_seconds(now.gap), truth->pose,
                      now.extrapolated.pose, now.state.pose,      now.region95};
  }

 private:
  predict::LiveRobot live_;
};

std::vector<const robot::Report*> draw_messages(const learn::Drive& drive, double loss, std::uint64_t seed) {
  const std::vector<bool> arrives = learn::draw_arrivals(drive.reports.size(), loss, seed);
  std::vector<const robot::Report*> messages;
  for (std::size_t i = 0; i < arrives.size(); ++i) {
    if (arrives[i]) messages.push_back(&drive.reports[i]);
  }
  return messages;
}

double driving_speed(const learn::Drive& drive) {
  double way = 0, time = 0;
  for (std::size_t i = 1; i < drive.truth.size(); ++i) {
    const double step = drive.truth[i].driven - drive.truth[i - 1].driven;
    if (step < kMoving * learn::kTruthStep) continue;
    way += step;
    time += learn::kTruthStep;
  }
  return time > 0 ? way / time : 0;
}

void note_jump(const Pose2& before, const Pose2& after, double& largest, int& n_long) {
  const double jump = distance(before.position(), after.position());
  largest = std::max(largest, jump);
  if (jump > kLongJump) ++n_long;
}

// What is shown, frame by frame; keeps some of it.
class Screen {
 public:
  Screen(const predict::ReplicaModel& model, const predict::ShownParams& params)
      : shown_(model.planning, model.robot.footprint.radius, params) {}

  void show(const robot::State& estimate, double time, Trajectories& result) {
    const predict::Shown now = shown_.update(estimate, 1 / kFrameRate);
    if (now.jumped) {
      if (result.n_frames > 0) ++result.n_fades;
    } else {
      const double step = distance(last_, now.pose.position());
      result.max_shown_step_m = std::max(result.max_shown_step_m, step);
    }
    last_ = now.pose.position();
    const bool is_drawn = now.jumped || result.shown.empty() || time - result.shown.back().time >= kDrawnStep - 1e-6;
    if (is_drawn) result.shown.push_back({time, now.pose, now.presence});
    ++result.n_frames;
  }

 private:
  predict::ShownRobot shown_;
  Vec2 last_;
};

// A message comes in: ends the piece before and begins the next.
void take(const robot::Report& message, const learn::Drive& drive, Follower& follower, Trajectories& result) {
  std::optional<TrackPoint> before;
  if (!result.pieces.empty()) before = follower.look(drive, message.time);
  follower.receive(message);
  const auto after = follower.look(drive, message.time);
  if (!after) return;
  if (before) {
    result.pieces.back().points.push_back(*before);
    result.longest_gap_s = std::max(result.longest_gap_s, before->gap);
    note_jump(before->extrapolation, after->extrapolation, result.extrapolation_jump_m, result.n_extrapolation_jumps);
    note_jump(before->prediction, after->prediction, result.prediction_jump_m, result.n_prediction_jumps);
  }
  result.pieces.push_back({{*after}});
  ++result.n_received;
}

}  // namespace

Trajectories follow(const learn::Drive& drive, const predict::ReplicaModel& model, double loss, std::uint64_t seed,
                    const predict::ShownParams& shown) {
  Trajectories result;
  result.n_sent = drive.reports.size();
  result.driving_speed = driving_speed(drive);
  const auto messages = draw_messages(drive, loss, seed);
  if (messages.empty()) return result;
  Follower follower(drive, model);
  Screen screen(model, shown);
  auto next = messages.begin();
  const RobotTime start = (*next)->time;
  for (std::int64_t frame = 0;; ++frame) {
    // counted anew each time, so that frames do not drift
    const RobotTime now = start + from_seconds(static_cast<double>(frame) / kFrameRate);
    if (!drive.at(to_seconds(now))) break;
    for (; next != messages.end() && (*next)->time <= now; ++next) take(**next, drive, follower, result);
    screen.show(follower.estimate(now), to_seconds(now), result);
    if (result.pieces.empty()) continue;
    std::vector<TrackPoint>& points = result.pieces.back().points;
    if (to_seconds(now) - points.back().time < kDrawnStep - 1e-6) continue;
    if (const auto point = follower.look(drive, now)) points.push_back(*point);
  }
  if (!result.pieces.empty()) {
    result.longest_gap_s = std::max(result.longest_gap_s, result.pieces.back().points.back().gap);
  }
  return result;
}

namespace {

// The report with which the gap begins; none where the robot never leaves a goal.
std::optional<std::size_t> find_departure(const learn::Drive& drive, GapStart start) {
  using robot::TaskState;
  const auto& reports = drive.reports;
  std::size_t i = 0;
  const auto leaves_at = [&](std::size_t k) {
    return reports[k].task == TaskState::waiting && reports[k + 1].task == TaskState::driving;
  };
  while (i + 1 < reports.size() && !leaves_at(i)) ++i;
  if (i + 1 >= reports.size()) return std::nullopt;
  if (start == GapStart::before_leaving) return i;
  do ++i;
  while (i < reports.size() && reports[i].task == TaskState::driving && reports[i].state.velocity.vx < kUnderWay);
  if (i == reports.size() || reports[i].task != TaskState::driving) return std::nullopt;
  return i;
}

// The report after which prediction and extrapolation part most, of those with a whole gap after them.
std::optional<std::size_t> find_widest(const learn::Drive& drive, const predict::ReplicaModel& model, double length) {
  std::optional<std::size_t> widest;
  double most = -1;
  Follower follower(drive, model);
  for (std::size_t i = 0; i < drive.reports.size(); ++i) {
    const robot::Report& report = drive.reports[i];
    follower.receive(report);
    if (!drive.at(to_seconds(report.time) + length)) break;
    double apart = 0;
    for (double gap = kCompareStep; gap <= length; gap += kCompareStep) {
      const auto point = follower.look(drive, report.time + from_seconds(gap));
      if (point) apart += distance(point->prediction.position(), point->extrapolation.position());
    }
    if (apart <= most) continue;
    most = apart;
    widest = i;
  }
  return widest;
}

}  // namespace

Gap room_gap(const learn::Drive& drive, const predict::ReplicaModel& model, GapStart start, double length_s) {
  Gap gap{.start = start};
  auto first = find_departure(drive, start);
  gap.at_goal = first && drive.at(to_seconds(drive.reports[*first].time) + length_s);
  if (!gap.at_goal) first = find_widest(drive, model, length_s);
  if (!first) return gap;
  Follower follower(drive, model);
  for (std::size_t i = 0; i <= *first; ++i) follower.receive(drive.reports[i]);
  const auto steps = static_cast<int>(std::lround(length_s / kDrawnStep));
  for (int i = 0; i <= steps; ++i) {
    const RobotTime time = drive.reports[*first].time + from_seconds(i * kDrawnStep);
    if (const auto point = follower.look(drive, time)) gap.points.push_back(*point);
  }
  return gap;
}

const TrackPoint& at_gap(const Gap& gap, double gap_s) {
  FORERUN_CHECK(!gap.points.empty());
  return *std::min_element(gap.points.begin(), gap.points.end(), [&](const TrackPoint& a, const TrackPoint& b) {
    return std::fabs(a.gap - gap_s) < std::fabs(b.gap - gap_s);
  });
}

}  // namespace forerun::study
