#include "forerun/predict/ensemble.hpp"

#include <algorithm>
#include <array>

#include "forerun/geom/geometric_median.hpp"

namespace forerun::predict {
namespace {

// Members differ in seven respects. In each, half of them are off to one side and half to the other, and no two
// respects go together (an orthogonal array): eight such members spread as many random ones would on average.
enum Respect : int { kAlong = 1, kAcross, kHeading, kSpeed, kHeadingWeight, kDistanceWeight, kVelocityWeight };

double sign(int member, Respect respect) noexcept {
  int bits = member & respect;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return (bits & 1) != 0 ? -1 : 1;
}

std::vector<std::unique_ptr<navigate::ControlSystem>> make_controls(const DriverInputs& inputs,
                                                                    std::span<const Driver> drivers) {
  std::vector<std::unique_ptr<navigate::ControlSystem>> controls;
  for (const Driver& driver : drivers) controls.push_back(driver.make(inputs));
  return controls;
}

}  // namespace

robot::Limits scaled(const robot::Limits& limits, double scale) noexcept {
  robot::Limits result = limits;
  for (double* limit : {&result.max_speed, &result.max_turn_rate, &result.acceleration, &result.deceleration,
                        &result.turn_acceleration, &result.turn_deceleration}) {
    *limit *= scale;
  }
  return result;
}

Ensemble::Member::Member(const DriverInputs& inputs, std::span<const Driver> drivers, SharedScans& scans)
    : controls(make_controls(inputs, drivers)), replica(inputs.model, *controls.front(), &scans) {}

Ensemble::Ensemble(const ReplicaModel& model, std::span<const Driver> drivers,
                   const std::shared_ptr<navigate::GoalPlan>& plan, const EnsembleParams& params)
    : params_(params), scans_(std::make_unique<SharedScans>(model)), random_(1, 0x5eed) {
  params_.members = std::min(params.members, kMostMembers);
  for (int i = 0; i < params_.members; ++i) {
    robot::Description robot = model.robot;
    robot.control.heading_weight *= exp(params.weight_spread * sign(i, kHeadingWeight));
    robot.control.distance_weight *= exp(params.weight_spread * sign(i, kDistanceWeight));
    robot.control.velocity_weight *= exp(params.weight_spread * sign(i, kVelocityWeight));
    members_.push_back(std::make_unique<Member>(DriverInputs{model, robot, plan, nullptr}, drivers, *scans_));
  }
}

void Ensemble::resync(const Start& start) noexcept {
  const auto& known = start.goals->known();
  // the same for all: each goal costs a plan
  if (!known.empty()) somewhere_ = known[random_.below(known.size())];
  const double first = sqrt(start.covariance.xx);  // Cholesky factors
  const double mixed = first > 0 ? start.covariance.xy / first : 0;
  const double second = sqrt(std::max(0.0, start.covariance.yy - square(mixed)));
  const double heading = sqrt(start.covariance.heading);
  const double speed = sqrt(start.speed_variance + square(params_.speed_spread));
  const Pose2& said = start.report.state.pose;
  const robot::PoseError& error = start.report.error;
  for (int i = 0; i < params_.members; ++i) {
    const double a = sign(i, kAlong), b = sign(i, kAcross);
    const Pose2 pose{start.pose.x + first * a, start.pose.y + mixed * a + second * b,
                     normalize_angle(start.pose.theta + heading * sign(i, kHeading))};
    Circumstances its = start.circumstances;
    its.limits = scaled(its.limits, exp(speed * sign(i, kSpeed)));
    // whatever is true, the robot believes what it said
    its.belief_error = {said.x - pose.x, said.y - pose.y, normalize_angle(said.theta - pose.theta)};
    its.chance = {params_.velocity_noise, std::max(error.sigma_x, error.sigma_y), error.sigma_heading,
                  params_.period_noise, random_.bits()};
    if (its.relax_s > 0) its.relax_s *= a > 0 ? 2.5 : 0.4;
    robot::Report begin = start.report;
    begin.state.pose = pose;
    guess_departure(start, sign(i, kSpeed) > 0, begin, its);
    Member& member = *members_[static_cast<std::size_t>(i)];
    member.replica.drive_by(*member.controls[start.driver]);
    member.replica.resync(begin, its);
  }
}

// When a robot leaves a goal is anybody's guess unless it says so: each member makes its own. Where to may not be known
// either: then half of them stay, and the others go to a place where it has been before.
void Ensemble::guess_departure(const Start& start, bool goes, robot::Report& begin, Circumstances& its) noexcept {
  const auto usual = start.goals->usual_wait();
  if (!usual) return;
  const Duration wait = from_seconds(to_seconds(*usual) * random_.uniform(0.5, 1.5));
  if (begin.task == robot::TaskState::driving) {
    if (!its.next && goes && somewhere_) its.next = NextGoal{*somewhere_, wait};
    if (its.next) its.next->wait = wait;
  } else if (begin.task == robot::TaskState::waiting && start.guessed) {
    const auto since = start.goals->arrived();
    const Duration waited = since ? begin.time - *since : Duration{};
    if (!begin.goal && goes) begin.goal = somewhere_;
    begin.remaining_wait = std::max(wait - waited, from_seconds(random_.uniform(0, 5)));
  }
}

void Ensemble::advance(RobotTime until) noexcept {
  for (const auto& member : members_) member->replica.advance(until);
}

Pose2 Ensemble::middle(const Pose2& likeliest) const noexcept {
  std::array<Pose2, kMostMembers> poses;
  const std::size_t n = members_.size();
  for (std::size_t i = 0; i < n; ++i) poses[i] = members_[i]->replica.state().pose;
  return geometric_median(likeliest, 2, {poses.data(), n});
}

Spread Ensemble::spread(Vec2 centre) const noexcept {
  Spread spread{square(params_.floor), 0, square(params_.floor)};
  const std::size_t n = members_.size();
  if (n == 0) return spread;
  std::array<Vec2, kMostMembers> off{};
  for (std::size_t i = 0; i < n; ++i) {
    off[i] = members_[i]->replica.state().pose.position() - centre;
    spread.xx += off[i].x * off[i].x / static_cast<double>(n);
    spread.xy += off[i].x * off[i].y / static_cast<double>(n);
    spread.yy += off[i].y * off[i].y / static_cast<double>(n);
  }
  std::array<double, kMostMembers> far{};
  for (std::size_t i = 0; i < n; ++i) far[i] = spread.distance2(off[i]);
  std::sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(n));
  // they are two on average
  spread.evenness = clamp(sqrt((far[(n - 1) / 2] + far[n / 2]) / 4), 0.25, 1.0);
  return spread;
}

}  // namespace forerun::predict
