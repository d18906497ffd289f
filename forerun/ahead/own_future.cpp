#include "forerun/ahead/own_future.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::ahead {
namespace {

constexpr double kSpeedOff = 0.03;     // of its speed, and …
constexpr double kTurnOff = 0.04;      // … of its turn rate: σ as a share
constexpr double kHeadingOff = 0.015;  // σ of the heading that it sets out with [rad]
constexpr double kResponseOff = 0.05;  // σ of the dead time of a robot that has not said it …
constexpr double kFoundOff = 0.02;     // … and of one that has [s]
constexpr double kAnyway = 0.01;       // σ of where it is, whatever is known [m]
constexpr double kGoalOff = 0.1;       // σ of where it is on its way to a goal, as a share of the way driven
constexpr double kGain = 0.06;         // how fast the blur becomes wider or narrower
constexpr double kMostDoubt = 6;       // what it may become; never less than reckoned
constexpr double kIn95 = 5.991;        // χ² of two dimensions
constexpr double kReportOff = 0.02;    // σ of the poses of a robot that does not say [m]
constexpr Duration kLongestStop = from_seconds(12);

void add(Blur& blur, Vec2 off, double weight = 1) noexcept {
  blur.xx += weight * off.x * off.x;
  blur.xy += weight * off.x * off.y;
  blur.yy += weight * off.y * off.y;
}

// How much a chance counts that is more than what a region of 95 % may leave out: then it must reach so far.
double weight_of(double chance) noexcept {
  constexpr double kLeftOut = 0.05;
  return std::max(chance, std::min(1.0, chance / kLeftOut) / kIn95);
}

Blur scaled(const Blur& blur, double factor) noexcept { return {blur.xx * factor, blur.xy * factor, blur.yy * factor}; }

// Squared, in standard deviations.
double distance2(const Blur& blur, Vec2 off) noexcept {
  const double determinant = blur.xx * blur.yy - blur.xy * blur.xy;
  if (!(determinant > 0)) return 0;
  return (blur.yy * off.x * off.x - 2 * blur.xy * off.x * off.y + blur.xx * off.y * off.y) / determinant;
}

}  // namespace

OwnFuture::OwnFuture(const robot::Description& robot, const Grid<float>& clearance, std::span<const world::Door> doors,
                     const CommandRules& rules)
    : robot_(robot), response_(response_of(robot)), floor_(clearance, robot.footprint, doors), commands_(rules) {}

OwnFuture::Differences OwnFuture::differences() const noexcept {
  const double response = response_.is_found ? kFoundOff : kResponseOff;
  const double late = sqrt(square(commands_.uncertainty_s()) + square(response));
  return {{{}, {.late_s = late}, {.speed = 1 + kSpeedOff}, {.turn = 1 + kTurnOff}, {.unlucky = true}}};
}

void OwnFuture::give(const OwnCommand& command) noexcept {
  commands_.give(command);
  if (is_begun_ && command.takes_effect < time_) again();
  if (commands_.empty()) is_begun_ = false;
}

void OwnFuture::settle(std::uint64_t number, Settled outcome) noexcept {
  if (commands_.settle(number, outcome) && outcome != Settled::confirmed) again();
}

void OwnFuture::clear() noexcept {
  commands_.clear();
  is_begun_ = false;
  reported_.reset();
}

// From the state that it began with, by what is known now.
void OwnFuture::again() noexcept {
  const auto first = begins();
  is_begun_ = is_begun_ && first && *first <= begun_;
  if (is_begun_) begin(begun_, begun_state_, begun_blur_);
}

std::optional<RobotTime> OwnFuture::begins() const noexcept {
  return reported_ ? commands_.begin(*reported_) : std::nullopt;
}

void OwnFuture::begin(RobotTime time, const robot::State& state, const Blur& blur) noexcept {
  is_begun_ = true;
  begun_ = time_ = time;
  begun_state_ = state_ = state;
  begun_blur_ = blur;
  is_at_goal_ = false;
  for (HandRun& run : runs_) run.start(time, state);
}

void OwnFuture::advance(RobotTime time, const sense::SeenWorld* seen, GoalDriver* driver) noexcept {
  seen_ = seen;
  while (true) {
    const auto now = commands_.at(time_);
    const bool to_goal = driver != nullptr && now.kind == OwnCommands::InForce::Kind::goal;
    if (to_goal && (!is_at_goal_ || !(goal_ == now.goal))) {
      is_at_goal_ = true;
      goal_ = now.goal;
      goal_from_ = state_.pose.position();
      driver->start(time_, state_, goal_);
    }
    const auto change = commands_.next_goal_change(time_);
    const RobotTime until = change ? std::min(*change, time) : time;
    if (to_goal) drive_to_goal(until, driver);
    if (!to_goal) drive_by_hand(until, seen);
    time_ = std::max(time_, until);
    if (!change || *change > time) return;
  }
}

void OwnFuture::drive_by_hand(RobotTime until, const sense::SeenWorld* seen) noexcept {
  is_at_goal_ = false;
  const Differences all = differences();
  for (std::size_t i = 0; i < kRuns; ++i) runs_[i].advance(until, inputs(seen), all[i]);
  state_ = runs_[0].state();
}

// Those that differ keep as far from it as they were.
void OwnFuture::drive_to_goal(RobotTime until, GoalDriver* driver) noexcept {
  const Vec2 before = state_.pose.position();
  state_ = driver->advance(until);
  const Vec2 moved = state_.pose.position() - before;
  for (HandRun& run : runs_) {
    const Vec2 place = run.state().pose.position() + moved;
    run.start(until, {{place.x, place.y, state_.pose.theta}, state_.velocity});
  }
}

Blur OwnFuture::blur() const noexcept {
  Blur blur = begun_blur_;
  const Vec2 middle = state_.pose.position();
  for (std::size_t i = 1; i < kRuns; ++i) {
    add(blur, runs_[i].state().pose.position() - middle, i + 1 < kRuns ? 1 : weight_of(commands_.chance_lost()));
  }
  blur.xx += square(kAnyway);
  blur.yy += square(kAnyway);
  const Vec2 gone = middle - begun_state_.pose.position();
  add(blur, Vec2{-gone.y, gone.x} * kHeadingOff);
  if (is_at_goal_) {
    const double off = square(kGoalOff * distance(middle, goal_from_));
    blur.xx += off;
    blur.yy += off;
  }
  return scaled(blur, square(doubt_));
}

// Steered, so that reports are outside of 95 % as often as that says (BEY-2).
void OwnFuture::learn(const robot::Report& report) noexcept {
  const bool by_hand = commands_.at(begun_).kind == OwnCommands::InForce::Kind::velocity;
  const auto change = commands_.next_goal_change(begun_);
  if (!by_hand || report.time <= begun_ || (change && *change < report.time)) return;
  begin(begun_, begun_state_, begun_blur_);
  drive_by_hand(report.time, seen_);
  Blur wide = blur();
  const double x = std::max(kReportOff, report.error.sigma_x), y = std::max(kReportOff, report.error.sigma_y);
  wide.xx += square(x);
  wide.yy += square(y);
  const bool outside = distance2(wide, report.state.pose.position() - state_.pose.position()) > kIn95;
  doubt_ = clamp(doubt_ * exp(kGain * (outside ? 0.95 / 0.25 : -0.05 / 0.25)), 1.0, kMostDoubt);
}

void OwnFuture::take(const robot::Report& report) noexcept {
  if (is_begun_) learn(report);
  ahead::take(response_, robot_, report);
  commands_.take(report);
  reported_ = report.time;
  slack_ = std::max(report.error.sigma_x, report.error.sigma_y);
  climbs_ = report.posture.has_value();
  is_begun_ = false;
}

std::optional<Landing> OwnFuture::landing(const Present& present, const sense::SeenWorld* seen) const noexcept {
  const auto newest = commands_.newest();
  if (!newest || present.now > newest->takes_effect + from_seconds(commands_.rules().drive_timeout_s)) {
    return std::nullopt;
  }
  // what is done now gets there after the same way, and shows after the dead time; velocities go on as they are
  const RobotTime lands = std::max(newest->takes_effect, present.now + (newest->takes_effect - newest->given)) +
                          from_seconds(response_.forward.delay);
  Landing landing{.number = newest->command.number, .lands = lands, .state = {}, .rest = {}, .contact = {}, .way = {}};
  const auto first = begins();
  const bool is_later = !is_begun_ && first && *first > present.now;
  HandRun run;
  landing.way.push_back(present.state.pose);
  run.start(is_later ? *first : present.now, is_later ? present.at_effect : present.state);
  if (is_begun_ && !is_at_goal_) run = runs_[0];
  const HandInputs with = inputs(seen);
  for (RobotTime time = run.time() + Landing::kStep; time < lands; time = time + Landing::kStep) {
    if (landing.way.size() + 2 < Landing::kMostPlaces) {
      run.advance(time, with);
      landing.way.push_back(run.state().pose);
    }
  }
  run.advance(std::max(lands, run.time()), with);
  landing.state = run.state();
  landing.way.push_back(landing.state.pose);
  landing.goes_by_itself = newest->command.command.kind == robot::CommandKind::goal;
  run.let_go(kLongestStop, with);
  landing.rest = run.state().pose;
  landing.way.push_back(landing.rest);
  landing.meets_wall = run.held_at().has_value();
  landing.contact = run.held_at().value_or(landing.rest);
  return landing;
}

}  // namespace forerun::ahead
