// The person of the link study: gives goals, stops and drives by hand, and remembers when that truly was.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/impair/profile.hpp"
#include "forerun/study/link_robot.hpp"
#include "forerun/study/sim_clock.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::study {

struct LinkStudyResult;

class LinkOperator {
 public:
  explicit LinkOperator(Random random);

  [[nodiscard]] TrueTime next_act() const noexcept { return next_act_; }
  void act(TrueTime now, OperatorTime shown, sync::Client& client, sync::Outbox& outbox);
  // What the operator's clock showed: commands are stamped by it.
  void remember(OperatorTime shown, TrueTime now);

  // Compares what was executed with what was given.
  void judge(const std::vector<ExecutedCommand>& executed, const impair::LinkProfile& profile, LinkStudyResult& result);

 private:
  void plan_next(TrueTime now) noexcept;

  Random random_;
  TrueTime next_act_;
  TrueTime drive_until_;
  std::unordered_map<std::int64_t, TrueTime> shown_;  // when the clock showed this
  std::vector<TrueTime> stops_;                       // pressed, in order
  std::uint64_t n_given_ = 0;
};

}  // namespace forerun::study
