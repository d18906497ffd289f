#include "forerun/serve/send_when_off.hpp"

#include <utility>

#include "forerun/sync/report_wire.hpp"

namespace forerun::serve {

Result<std::unique_ptr<SendWhenOff>> SendWhenOff::make(const sim::Setting& inputs,
                                                       const predict::SendRuleParams& params) {
  auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  return std::make_unique<SendWhenOff>(std::move(*model), params);
}

SendWhenOff::SendWhenOff(predict::ReplicaModel model, const predict::SendRuleParams& params)
    : model_(std::move(model)), rule_(model_, params), min_interval_(from_seconds(params.min_interval_s)) {}

bool SendWhenOff::is_due(const robot::Report& report, const net::RobotServer& server) noexcept {
  if (const auto receipt = server.receipt()) rule_.on_receipt(receipt->sequence, receipt->missed);
  const bool newcomers = server.counts().sessions_begun != n_greeted_;
  // also newcomers wait their turn: anybody can begin sessions
  return rule_.is_due(report) || (newcomers && report.time - sent_at_ >= min_interval_);
}

void SendWhenOff::on_sent(const robot::Report& report, const net::RobotServer& server) noexcept {
  sent_at_ = report.time;
  n_greeted_ = server.counts().sessions_begun;
  // as viewers read it, rounded
  const auto bytes = sync::encode_report(report);
  if (!bytes) return;
  const sync::DecodedReport read = sync::decode_report(*bytes);
  if (read.report) rule_.on_sent(*read.report);
}

}  // namespace forerun::serve
