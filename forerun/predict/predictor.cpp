#include "forerun/predict/predictor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forerun/base/check.hpp"
#include "forerun/geom/geometric_median.hpp"
#include "forerun/predict/report_signs.hpp"

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr double kChosenAt = 4;        // the driver is believed that is best at this gap [s]
constexpr double kEnsembleFrom = 0.3;  // with less weight its driver is not worth an ensemble
constexpr double kSlowShare = 0.16;    // of its speed: slower than this a robot is about to start or to stop
constexpr double kFarFromGoal = 1;     // a path that ends farther than this from the goal is another one's [m]
constexpr double kNear = 0.005;        // experts nearer to each other than this are of one mind [m] …
constexpr double kNearShare = 0.03;    // … and the more so the longer the way may be
constexpr double kSure = 0.5;          // of all weight: whoever has more is believed to know how sure it is
constexpr double kReachSlack = 0.2;    // a robot may have been this far from where it was reported [m] …
constexpr double kReachShare = 1.05;   // … and be a little faster than said
constexpr double kLooksAhead = 1;      // where a robot on a mission is heading: where it will be after this time [s]
constexpr double kJump = 0.5;          // a pose farther off than this is another one [m]

// One part alone lies about the likeliest place, not about the mean.
Mixture recentred(Mixture mixture, Vec2 middle) noexcept {
  if (mixture.size() != 1) return mixture;
  const Vec2 off = mixture[0].centre - middle;
  Spread& spread = mixture[0].spread;
  spread.xx += off.x * off.x;
  spread.xy += off.x * off.y;
  spread.yy += off.y * off.y;
  mixture[0].centre = middle;
  return mixture;
}

std::shared_ptr<navigate::GoalPlan> make_plan(const ReplicaModel& model) {
  return std::make_shared<navigate::GoalPlan>(model.planning, kPlannedGoals);
}

}  // namespace

Predictor::Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers)
    : Predictor(model, params, drivers, make_plan(model)) {}

Predictor::Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers,
                     const std::shared_ptr<navigate::GoalPlan>& plan)
    : model_(model),
      params_(params),
      drivers_(drivers),
      manners_(std::make_shared<Manners>()),
      seen_(model.doors, model.robot.height),
      experiments_(model, drivers, plan, manners_),
      ensemble_(model, std::span(drivers).first(1), plan, params.ensemble),
      filter_(params.filter),
      speed_(params.speed),
      certainty_(params.certainty),
      reach_(model.planning.clearance),
      goals_(params.stays_s),
      hold_ups_(params.relax_s) {}

void Predictor::resync(const robot::Report& report) noexcept {
  FORERUN_ASSERT(!newest_ || report.time >= newest_->time);
  if (newest_ && report.time - newest_->time > from_seconds(params_.longest_gap_s)) {
    trail_.clear();
    experiments_.forget();
  } else {
    advance(report.time);
  }
  filter_.take_in(report);
  const auto arrival = newest_ ? replica().arrival() : std::nullopt;
  goals_.take_in(report, arrival, speed_.scale() * model_.robot.limits.max_speed);
  if (newest_) {
    mission_.take_in(*newest_, report);
    learn(report);
  } else if (!tells_phase(report)) {
    certainty_.start_with(params_.stranger_doubt);
  }
  if (!weights_) {
    weights_.emplace(prior_weights(drivers_, tells_phase(report)), error_growth(drivers_.size()), params_.weights);
  }
  take_path(report);
  seen_.take(report);
  manners_->take_in(report, top_speed(), held_up_);
  newest_ = report;
  start(goals_.completed(report));
}

void Predictor::set_mission(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path) noexcept {
  experiments_.forget();  // they may go by the path before
  mission_.set(number, std::move(path));
  if (newest_) start(goals_.completed(*newest_));
}

robot::TaskState Predictor::task() const noexcept {
  if (!mission()) return replica().task();
  return mission()->is_over(now().gap) ? TaskState::done : TaskState::driving;
}

Vec2 Predictor::target() const noexcept {
  return mission() ? mission()->state_after(now().gap + kLooksAhead).pose.position() : replica().decision().target;
}

// What is not said stays as it was; a path that leads elsewhere than to the goal is an old one.
void Predictor::take_path(const robot::Report& report) noexcept {
  if (report.planned_path) path_ = *report.planned_path;
  const bool leads_there =
      !path_.empty() && report.goal && distance(path_[path_.size() - 1], *report.goal) < kFarFromGoal;
  if (!leads_there) path_.clear();
}

// Where the robot is by this report, as seen from where it was before. A pose that contradicts the wheels is a
// correction of localization, not motion: then the wheels count. Without wheels nothing can be said of such a pose.
std::optional<Vec2> Predictor::seen_at(const robot::Report& report) const noexcept {
  const Vec2 said = report.state.pose.position();
  const Pose2& before = newest_->state.pose;
  if (newest_->odometry && report.odometry) {
    const Pose2 moved = robot::odometry_between(*newest_->odometry, *report.odometry);
    const Pose2 turned{before.x, before.y, before.theta - newest_->odometry->theta};  // the wheels' axes in the world
    const Vec2 there = turned * moved.position();
    return distance(there, said) > kJump + 0.1 * length(moved.position()) ? there : said;
  }
  const double reach = 1.5 * model_.robot.limits.max_speed * to_seconds(report.time - newest_->time);
  if (distance(before.position(), said) > kJump + reach) return std::nullopt;
  return said;
}

void Predictor::learn(const robot::Report& report) noexcept {
  const auto expected = trail_.at(report.time);
  const auto seen = seen_at(report);
  const bool jumped = !seen || !(*seen == report.state.pose.position());
  if (expected && seen) {
    learn_weights(report, *expected, *seen);
    if (!jumped) learn_speed(report, *expected);
    learn_certainty(report, *expected, *seen);
    notice_hold_up(report, *expected);
    learn_delay(report, *expected, *seen);
  }
  if (jumped) {
    experiments_.forget();
  } else {
    experiments_.keep_newest();
  }
}

// The newest experts and those of older reports, each at its gap.
void Predictor::learn_weights(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept {
  const double scale = 0.5 * speed_.scale() * model_.robot.limits.max_speed;
  const auto teach = [&](const Experiment& experiment, double gap, const ExpertPlaces& places) {
    ExpertWeights::Lesson lesson{experiment.activity(), gap, {}, experiment.awake(), scale};
    for (std::size_t i = 0; i < experiment.n_experts(); ++i) lesson.errors[i] = distance(places[i], seen);
    weights_->learn(lesson);
  };
  teach(experiments_.newest(), to_seconds(report.time - newest_->time), expected.experts);
  // where a robot that we know is held up by others, all experts err alike
  if (tells_phase(report)) return;
  experiments_.visit_due(report.time, [&](const Experiment& experiment, double gap) {
    const ExpertPoses poses = experiment.poses_at(report.time);
    ExpertPlaces places{};
    for (std::size_t i = 0; i < experiment.n_experts(); ++i) places[i] = poses[i].position();
    teach(experiment, gap, places);
    // where it would have been expected, by what is known now
    const ExpertRow weights = weights_->at(experiment.activity(), gap, experiment.awake());
    const Vec2 middle = middle_of(poses, weights, gap).position();
    certainty_.learn({seen, blur_of(report, experiment.from())}, among_experts(places, weights, middle, gap),
                     {gap, experiment.activity()});
  });
}

void Predictor::learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept {
  if (!is_same_leg(*newest_, report) || expected.task != TaskState::driving || mission()) return;
  const PoseCovariance sure = filter_.covariance();
  const double time = to_seconds(report.time - newest_->time);
  speed_.observe(distance(start_.position(), filter_.pose().position()),
                 distance(start_.position(), expected.experts[kFirstDriver + driver_]),
                 speed_.scale() * model_.robot.limits.max_speed * time, sure.xx + sure.yy);
}

// A robot that says what it does, and was given another goal meanwhile, has done nothing that it could have said.
void Predictor::learn_certainty(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept {
  const bool told_otherwise = newest_->goal && report.goal != newest_->goal && expected.task != report.task;
  if (tells_phase(report) && told_otherwise) return;
  const double gap = to_seconds(report.time - newest_->time);
  const Certainty::When when{gap, experiments_.newest().activity()};
  const bool jumped = !(seen == report.state.pose.position());
  if (const PoseCovariance sure = filter_.covariance(); sure.xx > 0 && !jumped) {
    certainty_.learn({drawn(filter_.pose().position(), sure), 0, sqrt(std::max(sure.xx, sure.yy))}, expected.expected,
                     when);
  } else {
    certainty_.learn({seen, blur_of(report, start_.position())}, expected.expected, when);
  }
}

// One of the places where the robot may truly have been. Regions are about the robot, not about its reports: so it is
// inside as often as the robot was, whatever the reports err by.
Vec2 Predictor::drawn(Vec2 middle, const PoseCovariance& sure) noexcept {
  const double first = sqrt(sure.xx);  // Cholesky factors
  const double mixed = sure.xy / first, second = sqrt(std::max(0.0, sure.yy - square(mixed)));
  const double a = draws_.normal(), b = draws_.normal();
  return middle + Vec2{first * a, mixed * a + second * b};
}

// How much later than expected it came to where it is.
void Predictor::learn_delay(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept {
  if (!is_same_leg(*newest_, report)) {
    hold_ups_.forget_current();
    return;
  }
  if (expected.task != TaskState::driving) return;
  const double time = to_seconds(report.time - newest_->time);
  hold_ups_.take_in(time, time - std::min(time, milestones_.passes(seen)), held_up_);
}

void Predictor::notice_hold_up(const robot::Report& report, const TrailPoint& expected) noexcept {
  held_up_ = is_slow(report, expected) || is_stuck(*newest_, report);
}

Circumstances Predictor::circumstances(const robot::Report& report) const noexcept {
  Circumstances its{.limits = scaled(model_.robot.limits, speed_.scale()),
                    .belief_error = filter_.belief_error(),
                    .belief_lasts_s = params_.filter.correlation_s,
                    .seen = &seen_};
  if (held_up_) its.relax_s = std::min(hold_ups_.lasting().median_left(hold_ups_.so_far()), params_.longest_relax_s);
  if (report.task == TaskState::driving && report.goal) its.next = goals_.after(*report.goal);
  return its;
}

// A robot that drives slowly may have its reasons, and turns on the spot as it was seen to.
Circumstances Predictor::slowed(Circumstances its, const robot::Report& report) const noexcept {
  const bool drives = report.task == TaskState::driving && report.state.velocity.vx > kStanding;
  if (drives && its.relax_s <= 0) its.relax_s = params_.slowed_s;
  const double turn_rate = manners_->turn_rate();
  if (turn_rate > 0) its.limits.max_turn_rate = std::min(its.limits.max_turn_rate, 1.1 * turn_rate);
  return its;
}

void Predictor::start_experts(const robot::Report& begin) noexcept {
  const Circumstances its = circumstances(begin);
  const double slow = kSlowShare * speed_.scale() * model_.robot.limits.max_speed;
  const auto course = mission_.course(*newest_, begin.state.pose, its.relax_s);
  const Activity activity = course ? Activity::mission : activity_of(*newest_, slow, held_up_);
  experiments_.newest().start(
      {begin, its, slowed(its, begin), {path_.data(), path_.size()}, course, static_cast<std::size_t>(activity)});
  choose_driver();
}

void Predictor::choose_driver() noexcept {
  const Experiment& newest = experiments_.newest();
  const ExpertRow row = weights_->at(newest.activity(), kChosenAt, newest.awake());
  driver_ = static_cast<std::size_t>(
      std::max_element(row.begin() + kFirstDriver, row.begin() + static_cast<std::ptrdiff_t>(newest.n_experts())) -
      (row.begin() + kFirstDriver));
  has_ensemble_ = !newest.mission() && row[kFirstDriver] >= kEnsembleFrom;
}

void Predictor::start(const robot::Report& report) noexcept {
  start_ = filter_.pose();
  robot::Report begin = report;
  begin.state.pose = start_;
  start_experts(begin);
  if (has_ensemble_) {
    ensemble_.resync({0, report, start_, filter_.covariance(), circumstances(report), speed_.variance(), &goals_,
                      !newest_->goal.has_value()});
  }
  trail_.clear();
  milestones_.clear();
  reach_.start(newest_->state.pose.position());
  time_ = report.time;
  blend();
  remember();
}

const robot::State& Predictor::advance(RobotTime now) noexcept {
  if (!newest_) return state_;
  while (time_ < now) {
    const RobotTime due = newest_->time + milestones_.next();
    time_ = std::min(now, due > time_ ? due : time_ + Milestones::kStep);
    experiments_.newest().advance(time_);
    if (has_ensemble_) ensemble_.advance(time_);
    blend();
    remember();
  }
  return state_;
}

// Experts nearer to each other than this are of one mind [m].
double Predictor::near(double gap) const noexcept {
  return kNear + kNearShare * gap * speed_.scale() * model_.robot.limits.max_speed;
}

Pose2 Predictor::middle_of(const ExpertPoses& poses, const ExpertRow& weights, double gap) const noexcept {
  const std::size_t n = experiments_.newest().n_experts();
  return geometric_median({poses.data(), n}, {weights.data(), n}, near(gap));
}

// Between experts that are about of one mind it is in the middle; of others it is with those that weigh most.
void Predictor::blend() noexcept {
  const Experiment& newest = experiments_.newest();
  const double gap = to_seconds(time_ - newest_->time);
  const std::size_t n = newest.n_experts();
  weights_now_ = weights_->at(newest.activity(), gap, newest.awake());
  ExpertPoses poses{};
  robot::Twist velocity;
  for (std::size_t i = 0; i < n; ++i) {
    const robot::State its = newest.state(i);
    poses[i] = its.pose;
    velocity.vx += weights_now_[i] * its.velocity.vx;
    velocity.vy += weights_now_[i] * its.velocity.vy;
    velocity.w += weights_now_[i] * its.velocity.w;
  }
  if (has_ensemble_) poses[kFirstDriver] = ensemble_.middle(poses[kFirstDriver]);
  state_ = {middle_of(poses, weights_now_, gap), velocity};
  middle_ = state_.pose.position();
  for (std::size_t i = 0; i < n; ++i) places_[i] = poses[i].position();
}

void Predictor::remember() noexcept {
  if (!milestones_.full() && time_ == newest_->time + milestones_.next()) milestones_.add(middle_);
  expected_ = expected();
  trail_.add({time_, state_, task(), expected_, places_});
}

// Where the experts have it, each as far as it is believed, the ensemble instead of the first of them where it is
// believed most; what may have held it up; and that it may have left.
Mixture Predictor::expected() const noexcept {
  const bool is_sure = has_ensemble_ && weights_now_[kFirstDriver] > kSure;
  Opinions all;
  double others = 0;
  if (newest_->task == TaskState::driving && task() == TaskState::driving) {
    others += add_delays(all, milestones_, hold_ups_, under_way(now().gap));
  }
  const auto wait = open_wait();
  if (wait && !(is_sure && ensemble_.guesses_departures(goals_)))
    others += add_departures(all, *wait, goals_.waiting(), top_speed());
  ExpertRow weights = weights_now_;
  for (double& weight : weights) weight *= 1 - others;
  if (is_sure) {
    all.push_back({middle_, ensemble_.spread(middle_), weights[kFirstDriver]});
    weights[kFirstDriver] = 0;
  }
  add_experts(all, places_, weights, under_way(now().gap));
  return recentred(make_mixture(all), middle_);
}

Mixture Predictor::among_experts(const ExpertPlaces& places, const ExpertRow& weights, Vec2 middle,
                                 double gap) const noexcept {
  Opinions all;
  add_experts(all, places, weights, under_way(gap));
  return recentred(make_mixture(all), middle);
}

double Predictor::top_speed() const noexcept { return speed_.scale() * model_.robot.limits.max_speed; }

UnderWay Predictor::under_way(double gap) const noexcept { return {gap, top_speed(), mission().has_value()}; }

// While the replica waits at the last goal that is known: nobody knows when the robot leaves, nor where to.
std::optional<Wait> Predictor::open_wait() const noexcept {
  const auto since = replica().at_end_since();
  if (!since || mission()) return std::nullopt;
  const double so_far = goals_.arrived() ? to_seconds(*since - *goals_.arrived()) : 0;
  return Wait{state_.pose.position(), std::max(0.0, so_far), to_seconds(time_ - *since)};
}

Certainty::When Predictor::now() const noexcept {
  if (!newest_) return {};
  return {to_seconds(time_ - newest_->time), experiments_.newest().activity()};
}

Region Predictor::region(double share) const noexcept {
  if (!newest_) return {};
  Region region = certainty_.region(share, expected_, now());
  limit(region);
  return region;
}

// To floor that can have been reached; where the robot does not seem to be on any floor, the map says nothing.
void Predictor::limit(Region& region) const noexcept {
  if (!reach_.known()) return;
  const double top_speed = std::max(1.0, speed_.scale()) * model_.robot.limits.max_speed;
  const double way = kReachSlack + kReachShare * top_speed * now().gap;
  reach_.extend(way);
  const bool is_free = std::all_of(region.parts.begin(), region.parts.end(), [&](const Ellipse& part) {
    return reach_.contains_disc(part.centre, part.major, way);
  });
  if (is_free) return;
  region.floor = square_around(region);
  reach_.mark(*region.floor, way);
  if (!(region.radius() > 0)) region.floor.reset();
}

}  // namespace forerun::predict
