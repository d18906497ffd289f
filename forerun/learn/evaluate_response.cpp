#include "forerun/learn/evaluate_response.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"
#include "forerun/io/text.hpp"
#include "forerun/learn/replay.hpp"
#include "forerun/respond/frames.hpp"
#include "forerun/respond/ways.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::learn {
namespace {

constexpr double kSlower = 2;  // poses may come so many times slower than those that were learned from

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

double p95(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

// As in the last two frames (LAT-3 a).
Pose2 go_on(const respond::SeenTrack& track, double period, double horizon) {
  std::size_t hint = 0;
  const Pose2 before = respond::seen_from(track.newest().pose, track.at(track.newest().time - period, hint).pose);
  const double share = -horizon / period;
  return {before.x * share, before.y * share, before.theta * share};
}

std::array<Pose2, kMethods> predict_all(const LearnedModel& model, const respond::Responder& robot, std::size_t h) {
  const double horizon = model.best.horizons[h].horizon;
  const auto frames = respond::make_frames(
      robot.track(), robot.commands(), {model.frames, model.best.period, horizon, shortest_delay(model.best.response)});
  const std::span<const double> inputs(frames.data(), respond::kPerFrame * model.frames);
  const double now = robot.origin().time;
  const Pose2 best = *robot.at(now + horizon);
  return {Pose2{},
          go_on(robot.track(), model.best.period, horizon),
          respond::expected_ahead(model.best.delays, robot.origin(), robot.commands(), horizon).path,
          respond::expected_ahead(model.best.response, robot.origin(), robot.commands(), horizon).path,
          model.papers[h].linear.predict(inputs),
          model.papers[h].network.predict(inputs),
          respond::seen_from(robot.origin().pose, best)};
}

Result<void> check_fit(const LearnedModel& model, std::span<const CommandedDrive> drives) {
  for (const CommandedDrive& drive : drives) {
    if (drive.period > kSlower * model.best.period * (1 + 1e-6)) {
      const auto rate = [](double period) { return io::show(std::round(10 / period) / 10); };
      return Error{drive.file + ": there are " + rate(drive.period) + " poses a second, but the model needs at least " +
                   rate(kSlower * model.best.period)};
    }
    if (drive.sideways && !model.best.sideways) {
      return Error{drive.file + ": there are commands to drive sideways, but the model is of a robot that cannot"};
    }
  }
  return {};
}

}  // namespace

double MethodErrors::place_rms() const { return rms(place); }
double MethodErrors::heading_rms() const { return rms(heading); }
double MethodErrors::place_p95() const { return p95(place); }
double MethodErrors::heading_p95() const { return p95(heading); }

Result<std::vector<HorizonErrors>> evaluate_response(const LearnedModel& model,
                                                     std::span<const CommandedDrive> drives) {
  if (auto checked = check_fit(model, drives); !checked) return checked.error();
  std::vector<HorizonErrors> all(model.best.horizons.size());
  for (std::size_t h = 0; h < all.size(); ++h) all[h].horizon = model.best.horizons[h].horizon;
  const ReplayParams params{.spacing_s = 0.05, .history_s = static_cast<double>(model.frames) * model.best.period};
  const auto take = [&](const Moment& moment) {
    for (std::size_t h = 0; h < all.size(); ++h) {
      if (!moment.truth[h]) continue;
      const Pose2& truth = *moment.truth[h];
      const auto said = predict_all(model, *moment.responder, h);
      for (std::size_t method = 0; method < kMethods; ++method) {
        all[h].methods[method].place.push_back(std::hypot(said[method].x - truth.x, said[method].y - truth.y));
        all[h].methods[method].heading.push_back(std::fabs(normalize_angle(said[method].theta - truth.theta)));
      }
    }
  };
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& stretch : drive.stretches) replay(stretch, model.best, params, take);
  }
  for (const HorizonErrors& one : all) {
    if (!one.of(Method::best).place.empty()) continue;
    return Error{"no stretch without a gap is long enough for a horizon of " + io::show(one.horizon) + " s"};
  }
  return all;
}

}  // namespace forerun::learn
