#include "forerun/respond/responder.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::respond {

Responder::Responder(const Model& model) noexcept : model_(model), track_(model.period), trust_(model) {}

void Responder::forget() noexcept {
  track_.forget();
  n_past_ = 0;
}

void Responder::see(double time, const Pose2& pose, const robot::Twist& measured) noexcept {
  if (!track_.empty() && time - track_.newest().time > std::max(kLongestGap, 3 * model_.period)) forget();
  if (!track_.empty() && !(time > track_.newest().time)) return;
  track_.see(time, pose, measured, model_.response, commands_);
  origin_ = make_origin(track_, model_.period);
  look_back();
  remember();
}

void Responder::remember() noexcept {
  const double spacing = std::max(0.1, model_.horizons.back().horizon / (kPast - 4));
  if (n_past_ > 0 && origin_.time - past_[(first_ + n_past_ - 1) % kPast].origin.time < spacing) return;
  if (n_past_ == kPast) {
    first_ = (first_ + 1) % kPast;
    --n_past_;
  }
  past_[(first_ + n_past_++) % kPast] = {origin_, 0};
}

void Responder::look_back() noexcept {
  for (std::size_t i = 0; i < n_past_; ++i) score(past_[(first_ + i) % kPast]);
  while (n_past_ > 0 && past_[first_].next == model_.horizons.size()) {
    first_ = (first_ + 1) % kPast;
    --n_past_;
  }
}

void Responder::score(Past& past) noexcept {
  const double now = track_.newest().time;
  for (; past.next < model_.horizons.size(); ++past.next) {
    const double ahead = model_.horizons[past.next].horizon;
    const double then = past.origin.time + ahead;
    if (then > now) return;
    std::size_t hint = 0;
    const Pose2 seen = seen_from(past.origin.pose, track_.at(then, hint).pose);
    const Ways ways = predict_ways(model_, past.origin, commands_, ahead);
    WaySquares off;
    for (std::size_t way = 0; way < kWays; ++way) {
      off[way] = {square(ways[way].x - seen.x) + square(ways[way].y - seen.y),
                  square(normalize_angle(ways[way].theta - seen.theta))};
    }
    trust_.learn(past.next, off, now - learned_[past.next]);
    learned_[past.next] = now;
  }
}

std::optional<Pose2> Responder::at(double time) const noexcept {
  if (track_.empty()) return std::nullopt;
  const double ahead = time - origin_.time;
  if (ahead > model_.longest()) return std::nullopt;
  if (!(ahead > 0)) return origin_.pose;
  const Trust::Weights weights = trust_.weights(ahead);
  const Pose2 moved = blend(predict_ways(model_, origin_, commands_, ahead, weights.counts), weights);
  const Vec2 place = origin_.pose * moved.position();
  return Pose2{place.x, place.y, origin_.pose.theta + moved.theta};
}

}  // namespace forerun::respond
