#include "forerun/respond/ways.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "forerun/base/math.hpp"
#include "forerun/base/two.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::respond {
namespace {

constexpr double kStep = 0.08;       // [s]
constexpr std::size_t kAtOnce = 16;  // steps

struct Steps {
  int n = 1;
  double dt = 0;  // [s]
};

Steps steps_to(double ahead) noexcept {
  const int n = std::max(1, static_cast<int>(std::ceil(ahead / kStep)));
  return {n, ahead / n};
}

// Calls `meanwhile(velocities)` with the mean velocities of some steps at a time, which cost less together.
template <class Meanwhile>
void advance(const ResponseSteps& response, const CommandTrack& commands, double from, int n_steps, Expected& robot,
             Meanwhile&& meanwhile) noexcept {
  std::array<robot::Twist, kAtOnce> means;
  for (int done = 0; done < n_steps;) {
    const std::size_t n = std::min(kAtOnce, static_cast<std::size_t>(n_steps - done));
    for (std::size_t k = 0; k < n; ++k, ++done) {
      means[k] = response.advance(commands, from + done * response.dt(), robot.motion);
    }
    robot.path = robot::move(robot.path, {means.data(), n}, response.dt());
    meanwhile(std::span<const robot::Twist>(means.data(), n));
  }
}

// What is left of each habit's deviation in the mean over one step, and at its end.
struct Fading {
  double now = 1;   // at the beginning of the step
  double mean = 1;  // share of that in the step
  double end = 1;   // share of that at its end
};

Fading fading(double lasts, double dt) noexcept {
  const double end = exp(-dt / lasts);
  return {1, lasts / dt * (1 - end), end};
}

Pose2 plus(const Pose2& a, const Pose2& b) noexcept { return {a.x + b.x, a.y + b.y, a.theta + b.theta}; }

Pose2 apply(const HorizonModel& horizon, const Inputs& inputs) noexcept {
  double sum[3] = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < kInputs; ++i) sum[k] += horizon.residual[k][i] * inputs[i];
  }
  return {sum[0], sum[1], sum[2]};
}

Pose2 apply(const HorizonModel& horizon, const NetworkInputs& inputs) noexcept {
  return apply_network(horizon.network, inputs);
}

// Between the horizons on both sides; less and less below the first one, and as at the last one beyond.
template <class AnyInputs>
Pose2 learned_residual(const Model& model, const AnyInputs& inputs, double ahead) noexcept {
  const auto& all = model.horizons;
  std::size_t late = 0;
  while (late + 1 < all.size() && all[late].horizon < ahead) ++late;
  const Pose2 then = apply(all[late], inputs);
  if (ahead >= all[late].horizon) return then;
  const Pose2 before = late > 0 ? apply(all[late - 1], inputs) : Pose2{};
  const double from = late > 0 ? all[late - 1].horizon : 0;
  const double share = (ahead - from) / (all[late].horizon - from);
  return {before.x + (then.x - before.x) * share, before.y + (then.y - before.y) * share,
          before.theta + (then.theta - before.theta) * share};
}

}  // namespace

Pose2 apply_network(const ResidualNetwork& network, const NetworkInputs& inputs) noexcept {
  // one input after the other for all units: compilers do several units at once then
  std::array<double, kNetworkUnits> units = network.in[kNetworkInputs];
  for (std::size_t i = 0; i < kNetworkInputs; ++i) {
    for (std::size_t k = 0; k < kNetworkUnits; ++k) units[k] += network.in[i][k] * inputs[i];
  }
  static_assert(kNetworkUnits % 2 == 0);
  for (std::size_t k = 0; k < kNetworkUnits; k += 2) {
    const Two two = 1.0 / (1.0 + exp(-Two{units[k], units[k + 1]}));  // sigmoid
    units[k] = two[0];
    units[k + 1] = two[1];
  }
  double sum[3];
  for (std::size_t k = 0; k < 3; ++k) {
    sum[k] = network.out[k][kNetworkUnits];
    for (std::size_t i = 0; i < kNetworkUnits; ++i) sum[k] += network.out[k][i] * units[i];
  }
  return {sum[0], sum[1], sum[2]};
}

Expected expected_ahead(const Response& response, const Origin& origin, const CommandTrack& commands,
                        double ahead) noexcept {
  Expected robot{{}, origin.motion};
  const Steps steps = steps_to(ahead);
  advance(ResponseSteps(response, steps.dt), commands, origin.time, steps.n, robot, [](auto&&) {});
  return robot;
}

Inputs make_inputs(const Origin& origin, const Expected& then) noexcept {
  Inputs inputs{};
  std::size_t n = 0;
  for (const double value : {then.path.x, then.path.y, then.path.theta}) inputs[n++] = value;
  for (const robot::Twist& v : {origin.motion.velocity, then.motion.velocity}) {
    for (const double value : {v.vx, v.vy, v.w}) inputs[n++] = value;
  }
  inputs[n++] = then.motion.velocity.vx * then.path.theta;
  for (const Pose2& residual : origin.residuals) {
    for (const double value : {residual.x, residual.y, residual.theta}) inputs[n++] = value;
  }
  inputs[n++] = 1;
  return inputs;
}

NetworkInputs make_network_inputs(const Model& model, const Origin& origin, const CommandTrack& commands,
                                  const Inputs& inputs, double ahead) noexcept {
  NetworkInputs all{};
  std::copy(inputs.begin(), inputs.end(), all.begin());
  const double end = origin.time + ahead - std::min(model.response.forward.delay, model.response.turn.delay);
  const double part = std::max(model.period, (ahead + 2 * model.period) / kCommandParts);
  std::size_t n = kInputs;
  for (std::size_t i = 0; i < kCommandParts; ++i) {
    const double back = static_cast<double>(i) * part;
    const robot::Twist mean = commands.mean(end - back - part, end - back);
    for (const double value : {mean.vx, mean.vy, mean.w}) all[n++] = value;
  }
  return all;
}

namespace {

// Habits that are wanted, each on its way.
class Habits {
 public:
  Habits(const Model& model, const Origin& origin, double dt, const WayMask& wanted) noexcept
      : model_(model), origin_(origin), dt_(dt) {
    for (std::size_t k = 0; k < kHabits.size(); ++k) {
      if (wanted[kFirstHabit + 2 * k] || wanted[kFirstHabit + 2 * k + 1])
        going_.push_back({k, fading(kHabits[k].lasts, dt), {}});
    }
  }

  // At most kAtOnce steps.
  void step(std::span<const robot::Twist> usual) noexcept {
    std::array<robot::Twist, kAtOnce> velocities;
    for (Going& habit : going_) {
      const robot::Twist& off = origin_.deviations[kHabits[habit.which].window].velocity;
      for (std::size_t i = 0; i < usual.size(); ++i) {
        const robot::Twist& v = usual[i];
        const double share = habit.fading.now * habit.fading.mean;
        habit.fading.now *= habit.fading.end;
        velocities[i] = {v.vx + off.vx * share, model_.sideways ? v.vy + off.vy * share : v.vy, v.w + off.w * share};
      }
      habit.path = robot::move(habit.path, {velocities.data(), usual.size()}, dt_);
    }
  }
  void put(Ways& ways) const noexcept {
    for (const Going& habit : going_) {
      ways[kFirstHabit + 2 * habit.which] = habit.path;
      ways[kFirstHabit + 2 * habit.which + 1] =
          plus(habit.path, origin_.deviations[kHabits[habit.which].window].offset);
    }
  }

 private:
  struct Going {
    std::size_t which = 0;
    Fading fading;
    Pose2 path;
  };
  const Model& model_;
  const Origin& origin_;
  double dt_;
  FixedVector<Going, kHabits.size()> going_;
};

}  // namespace

Ways predict_ways(const Model& model, const Origin& origin, const CommandTrack& commands, double ahead,
                  const WayMask& wanted) noexcept {
  const Steps steps = steps_to(ahead);
  Expected usual{{}, origin.motion};
  Habits habits(model, origin, steps.dt, wanted);
  advance(ResponseSteps(model.response, steps.dt), commands, origin.time, steps.n, usual,
          [&](std::span<const robot::Twist> means) { habits.step(means); });
  Ways ways{};
  ways[kUsual] = usual.path;
  if (wanted[kWeighed] || wanted[kNetworked]) {
    const Inputs inputs = make_inputs(origin, usual);
    if (wanted[kWeighed]) ways[kWeighed] = plus(usual.path, learned_residual(model, inputs, ahead));
    if (wanted[kNetworked]) {
      const NetworkInputs more = make_network_inputs(model, origin, commands, inputs, ahead);
      ways[kNetworked] = plus(usual.path, learned_residual(model, more, ahead));
    }
  }
  if (wanted[kDelayed]) ways[kDelayed] = expected_ahead(model.delays, origin, commands, ahead).path;
  for (std::size_t k = 0; k < kStrangers.size(); ++k) {
    if (!wanted[kFirstStranger + k]) continue;
    const Response stranger{kStrangers[k], kStrangers[k], kStrangers[k]};
    ways[kFirstStranger + k] = expected_ahead(stranger, origin, commands, ahead).path;
  }
  habits.put(ways);
  return ways;
}

}  // namespace forerun::respond
