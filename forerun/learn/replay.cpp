#include "forerun/learn/replay.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::learn {
namespace {

// Nothing beyond the end. Looks from `from` on.
std::optional<Pose2> pose_at(const std::vector<SeenPose>& poses, std::size_t from, double time) {
  const auto later = [](const SeenPose& pose, double t) { return pose.time < t; };
  const auto begin = poses.begin() + static_cast<std::ptrdiff_t>(from);
  const auto b = std::lower_bound(begin, poses.end(), time, later);
  if (b == poses.end()) return std::nullopt;
  if (b == begin) return b->pose;
  const SeenPose& a = *(b - 1);
  const double share = (time - a.time) / (b->time - a.time);
  return Pose2{a.pose.x + (b->pose.x - a.pose.x) * share, a.pose.y + (b->pose.y - a.pose.y) * share,
               a.pose.theta + (b->pose.theta - a.pose.theta) * share};
}

}  // namespace

void replay(const CommandedStretch& stretch, const respond::Model& model, const ReplayParams& params,
            const std::function<void(const Moment&)>& visit) {
  respond::Responder responder(model);
  const double longest = model.horizons.back().horizon;
  double next = stretch.poses.front().time + params.history_s;
  std::size_t command = 0;
  for (std::size_t i = 0; i < stretch.poses.size(); ++i) {
    const auto& [time, pose] = stretch.poses[i];
    for (; command < stretch.commands.size() && stretch.commands[command].time <= time + longest; ++command) {
      responder.give(stretch.commands[command].time, stretch.commands[command].velocity);
    }
    responder.see(time, pose);
    if (time < next) continue;
    next = std::max(next + params.spacing_s, time);
    Moment moment{&responder, {}};
    for (std::size_t h = 0; h < model.horizons.size(); ++h) {
      const auto then = pose_at(stretch.poses, i, time + model.horizons[h].horizon);
      if (then) moment.truth[h] = respond::seen_from(pose, *then);
    }
    visit(moment);
  }
}

}  // namespace forerun::learn
