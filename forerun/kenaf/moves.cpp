#include "forerun/kenaf/moves.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "forerun/kenaf/motion.hpp"

namespace forerun::kenaf {
namespace {

constexpr double kSilent_s = 1;  // statuses come 20 times a second
constexpr double kDegree = 3.14159265358979323846 / 180;
// On the spot, tracks 220 mm apart slip and turn the robot as if they were 1.9 times as far apart (robots/kenaf.yaml).
constexpr double kHalfBase_mm = 220 * 1.9 / 2;
constexpr double kHeadingGain = 4;     // speed difference per angle that it is off [mm/s per degree]
constexpr double kMostSteering = 0.3;  // of the speed

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }
double wrapped(double deg) { return std::remainder(deg, 360); }
double travelled_mm(const Status& s) { return (double{1} * s.left_ticks + s.right_ticks) / 2 * kMmPerTick; }

std::string format(const char* text, double a, double b) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, text, a, b);
  return buffer;
}

// One move: how much of the way is done at a status, and what the tracks do at a speed.
struct Move {
  double way = 0;
  const MotionLimits& params;
  const char* unit;  // "%.0f of %.0f mm"
  std::function<double(const Status&)> done;
  std::function<std::array<double, 2>(double speed, const Status&)> tracks;
};

// Why it cannot go on; empty where it can.
std::string find_trouble(const std::optional<KnownStatus>& known) {
  if (!known) return "the robot has said nothing yet";
  if (seconds(Clock::now() - known->arrived) > kSilent_s) return "the robot has said nothing for a second";
  if (known->status.fallen) return "the robot has fallen over";
  return "";
}

std::string carry_out(Driver& driver, const Move& move, const StopSignal& stop) {
  Motion motion(move.way, move.params);
  // longer than a move at a quarter of the speed takes
  const double limit_s = 10 + 4 * std::fabs(move.way) / move.params.fastest;
  const auto begin = Clock::now();
  for (std::uint64_t number = 0;;) {
    const auto known = driver.await_newer(number, std::chrono::milliseconds(50));
    if (std::string trouble = find_trouble(known); !trouble.empty()) return trouble;
    if (stop.given()) return "it was stopped";
    if (known->number == number) continue;
    number = known->number;
    const double now_s = seconds(known->arrived - begin), done = move.done(known->status);
    const Motion::Step step = motion.step(done, now_s);
    if (step.state == Motion::State::there) return "";
    if (step.state == Motion::State::stalled || now_s > limit_s) {
      return std::string("the robot does not get on: ") + format(move.unit, done, move.way);
    }
    const auto [left, right] = move.tracks(step.speed, known->status);
    driver.set_tracks(left, right);
  }
}

std::string carry_out_and_stand(Driver& driver, const Move& move, const StopSignal& stop) {
  std::string trouble = carry_out(driver, move, stop);
  driver.set_tracks(0, 0);
  return trouble;
}

}  // namespace

std::string go_forward(Driver& driver, double mm, const StopSignal& stop) {
  const auto begin = driver.newest();
  if (std::string trouble = find_trouble(begin); !trouble.empty()) return trouble;
  const double from = travelled_mm(begin->status), heading = begin->status.yaw_deg;
  const auto tracks = [&](double speed, const Status& s) -> std::array<double, 2> {
    const double most = kMostSteering * std::fabs(speed);
    const double steering = std::clamp(kHeadingGain * wrapped(heading - s.yaw_deg), -most, most);
    return {speed - steering, speed + steering};
  };
  const auto done = [&](const Status& s) { return travelled_mm(s) - from; };
  return carry_out_and_stand(driver, {mm, kForwardMotion, "%.0f of %.0f mm", done, tracks}, stop);
}

std::string turn(Driver& driver, double deg, const StopSignal& stop) {
  const auto begin = driver.newest();
  if (std::string trouble = find_trouble(begin); !trouble.empty()) return trouble;
  // summed up from status to status: it may be more than one turn
  double last = begin->status.yaw_deg, turned = 0;
  const auto done = [&](const Status& s) {
    turned += wrapped(s.yaw_deg - last);
    last = s.yaw_deg;
    return turned;
  };
  const auto tracks = [](double speed, const Status&) -> std::array<double, 2> {
    const double track = speed * kDegree * kHalfBase_mm;
    return {-track, track};
  };
  return carry_out_and_stand(driver, {deg, kTurningMotion, "%.0f of %.0f degrees", done, tracks}, stop);
}

}  // namespace forerun::kenaf
