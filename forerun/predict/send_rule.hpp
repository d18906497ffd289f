// When the robot side sends a report: at once when what viewers predict has become wrong, else at a slow base rate.
//
// The robot side runs the predictor that viewers run, from the report that it sent last. Where viewers acknowledge, and
// one of them is known to have missed that report, it runs it from the last one that arrived.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

struct SendRuleParams {
  double off_m = 0.2;           // sent when viewers are off by more than this, [m]
  double base_interval_s = 60;  // sent at the latest after this time [s]
  double min_interval_s = 0.2;  // and never sooner: a copy that is always wrong does not flood the link [s]
  LiveParams viewer;            // as viewers have it
};

template <class Visit>
void visit_fields(SendRuleParams& p, Visit&& visit) {
  visit("off_m", p.off_m, Field{0.001, 1000, "sent when viewers are off by more than this [m]"});
  visit("base_interval_s", p.base_interval_s, Field{0.001, 3600, "sent at the latest after this time [s]"});
  visit("min_interval_s", p.min_interval_s, Field{0.01, 3600, "shortest time between two such reports [s]"});
}

class SendRule {
 public:
  // `model` must outlive the rule.
  SendRule(const ReplicaModel& model, const SendRuleParams& params);

  // Whether this state of the robot, the newest, is to be sent. Wants to be asked often. Allocates nothing.
  [[nodiscard]] bool is_due(const robot::Report& report) noexcept;
  // It was sent.
  void on_sent(const robot::Report& report) noexcept;
  // A viewer has said which report is its newest; `missed`: one that was sent later should have come, and has not.
  void on_receipt(std::uint32_t sequence, bool missed) noexcept;

 private:
  struct Sent {
    robot::Report report;
    Vec2 position;  // where the robot believed it was then
  };
  // What a viewer makes of the reports that it has.
  struct Belief {
    Belief(const ReplicaModel& model, const LiveParams& params) : live(model, params) {}

    void take(const Sent& sent) noexcept;
    [[nodiscard]] bool is_news(const robot::Report& report) const noexcept;
    [[nodiscard]] double distance_off(RobotTime now, Vec2 position) noexcept;

    LiveRobot live;
    Vec2 kept_off;  // what the predictor left between itself and the robot when it took that
  };

  static constexpr std::size_t kRemembered = 32;  // reports that may still be acknowledged

  SendRuleParams params_;
  ReportFilter own_;  // where the robot is: knows every state, so better than any viewer
  Belief sent_;       // of a viewer that got everything
  Belief received_;   // of the viewer that got least, by what it acknowledged
  bool missed_ = false;
  std::array<std::optional<Sent>, kRemembered> remembered_;
  std::size_t next_ = 0;
};

}  // namespace forerun::predict
