#include "forerun/predict/send_rule.hpp"

namespace forerun::predict {
namespace {

bool is_in_contact(const robot::Report& report) noexcept { return report.hindrance && report.hindrance->contact; }

}  // namespace

SendRule::SendRule(const ReplicaModel& model, const SendRuleParams& params)
    : params_(params), sent_(model, params.viewer), received_(model, params.viewer) {}

void SendRule::Belief::take(const Sent& sent) noexcept {
  // a receipt may name one that is older than what was taken over meanwhile
  if (live.newest() && sent.report.time < live.newest()->time) return;
  if (live.take(sent.report) == Taken::known) return;
  kept_off = live.at(sent.report.time).state.pose.position() - sent.position;
}

// Who holds the helm and that it has run into something is of interest though the robot stands still. A new goal is
// not: it shows as soon as it matters, and told at once it cost more bytes than it saved.
bool SendRule::Belief::is_news(const robot::Report& report) const noexcept {
  const robot::Report& known = *live.newest();
  return report.motors != known.motors || report.hand_driven != known.hand_driven ||
         is_in_contact(report) != is_in_contact(known);
}

// A predictor that weighs a report against what it expected does not follow it all the way, and would not follow the
// same report sent again: only what has come up since counts.
double SendRule::Belief::distance_off(RobotTime now, Vec2 position) noexcept {
  return distance(live.at(now).state.pose.position() - kept_off, position);
}

bool SendRule::is_due(const robot::Report& report) noexcept {
  own_.take_in(report);
  if (!sent_.live.newest()) return true;
  const Duration since = report.time - sent_.live.newest()->time;
  if (since < from_seconds(params_.min_interval_s)) return false;
  if (since >= from_seconds(params_.base_interval_s)) return true;
  Belief& viewer = missed_ && received_.live.newest() ? received_ : sent_;
  return viewer.is_news(report) || viewer.distance_off(report.time, own_.pose().position()) > params_.off_m;
}

void SendRule::on_sent(const robot::Report& report) noexcept {
  const Sent sent{report, own_.pose().position()};
  sent_.take(sent);
  missed_ = false;  // until an answer says otherwise
  // Neither the oldest one nor a later one was acknowledged: a viewer who comes back then gets a new report first.
  // Taking it over keeps the copy from having to catch up with hours at once.
  if (remembered_[next_]) received_.take(*remembered_[next_]);
  remembered_[next_] = sent;
  next_ = (next_ + 1) % kRemembered;
}

void SendRule::on_receipt(std::uint32_t sequence, bool missed) noexcept {
  for (const auto& sent : remembered_) {
    if (sent && sent->report.sequence == sequence) received_.take(*sent);
  }
  missed_ = missed;
}

}  // namespace forerun::predict
