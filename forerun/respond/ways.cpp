#include "forerun/respond/ways.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/respond/network.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::respond {
namespace {

constexpr double kStep = 0.08;  // [s]

ResponseSteps steps_for(const Response& response, double ahead, int& n) noexcept {
  n = std::max(1, static_cast<int>(std::ceil(ahead / kStep)));
  return {response, ahead / n};
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
  for (double& unit : units) unit = sigmoid(unit);
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
  int n = 0;
  const ResponseSteps steps = steps_for(response, ahead, n);
  for (int i = 0; i < n; ++i) {
    const robot::Twist mean = steps.advance(commands, origin.time + i * steps.dt(), robot.motion);
    robot.path = robot::move(robot.path, mean, steps.dt());
  }
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

  void step(const robot::Twist& usual) noexcept {
    for (Going& habit : going_) {
      const robot::Twist& off = origin_.deviations[kHabits[habit.which].window].velocity;
      const double share = habit.fading.now * habit.fading.mean;
      habit.fading.now *= habit.fading.end;
      const double aside = model_.sideways ? usual.vy + off.vy * share : usual.vy;
      habit.path = robot::move(habit.path, {usual.vx + off.vx * share, aside, usual.w + off.w * share}, dt_);
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
  int n = 0;
  const ResponseSteps steps = steps_for(model.response, ahead, n);
  Expected usual{{}, origin.motion};
  Habits habits(model, origin, steps.dt(), wanted);
  for (int i = 0; i < n; ++i) {
    const robot::Twist mean = steps.advance(commands, origin.time + i * steps.dt(), usual.motion);
    usual.path = robot::move(usual.path, mean, steps.dt());
    habits.step(mean);
  }
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
