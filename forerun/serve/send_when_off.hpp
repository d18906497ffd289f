// `forerun serve --send-when-off-m`: which of the robot's states are sent.
#pragma once

#include <cstdint>
#include <memory>

#include "forerun/atlas/setting.hpp"
#include "forerun/base/result.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/predict/send_rule.hpp"

namespace forerun::serve {

class SendWhenOff {
 public:
  [[nodiscard]] static Result<std::unique_ptr<SendWhenOff>> make(const sim::Setting& inputs,
                                                                 const predict::SendRuleParams& params);
  SendWhenOff(predict::ReplicaModel model, const predict::SendRuleParams& params);

  // Whether this state is to be sent: the rule says so, or a new viewer has no report yet.
  [[nodiscard]] bool is_due(const robot::Report& report, const net::RobotServer& server) noexcept;
  void on_sent(const robot::Report& report, const net::RobotServer& server) noexcept;

 private:
  predict::ReplicaModel model_;
  predict::SendRule rule_;
  Duration min_interval_;
  RobotTime sent_at_{INT64_MIN / 2};
  std::uint64_t n_greeted_ = 0;  // sessions that have had a report
};

}  // namespace forerun::serve
