#include "forerun/app/view_line.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/app/drop_log.hpp"
#include "forerun/app/output.hpp"
#include "forerun/net/robot_json.hpp"

namespace forerun::app {
namespace {

using Json = nlohmann::ordered_json;

double to_ms(Duration d) { return to_seconds(d) * 1e3; }
double rounded(double value) { return std::round(value * 1e3) / 1e3; }

// Age of the newest state by the robot's own clock; nothing before there is both a state and a clock.
Json gap_of(const sync::Client& client, OperatorTime now) {
  if (!client.newest() || !client.clock().ready()) return nullptr;
  return rounded(to_seconds(client.clock().to_remote(now).time - client.newest()->time));
}

Json clock_of(const sync::Client& client, OperatorTime now) {
  if (!client.clock().ready()) return nullptr;
  const auto [robot_now, uncertainty] = client.clock().to_remote(now);
  const Duration offset{robot_now.ns - now.ns};
  return {{"offset_ms", rounded(to_ms(offset))},
          {"uncertainty_ms", rounded(to_ms(uncertainty))},
          {"drift_ppm", rounded(client.clock().filter().drift() * 1e6)},
          {"steps", client.clock().filter().steps()}};
}

Json warnings_of(const sync::Client& client, OperatorTime now, const Json& gap) {
  Json warnings = Json::array();
  const sync::LinkState state = client.state(now);
  if (state == sync::LinkState::refused) warnings.push_back("refused: the robot side does not allow this key");
  if (client.found_no_room()) warnings.push_back("no room: the robot side has as many viewers as it takes");
  if (state == sync::LinkState::greeting && !client.found_no_room())
    warnings.push_back("no session: the robot side has not answered yet");
  if (state == sync::LinkState::silent) warnings.push_back("link down: nothing has come for a while");
  if (client.server_version() != 0) {
    warnings.push_back("the robot side speaks version " + std::to_string(client.server_version()) + " of the protocol");
  }
  if (gap.is_number() && gap.get<double>() > client.stale_after_s())
    warnings.push_back("stale: the newest state is old");
  if (client.lateness().late(now)) warnings.push_back("late: packets take more than 0.4 s");
  return warnings;
}

Json commands_of(const sync::Client& client, OperatorTime now) {
  Json list = Json::array();
  for (const sync::CommandRecord& record : client.commands().records()) {
    Json entry{{"number", record.number},
               {"command", robot::to_string(record.kind)},
               {"state", to_string(record.state)},
               {"given_s_ago", rounded(to_seconds(now - record.given))}};
    if (record.state == sync::CommandRecord::State::refused) entry["reason"] = to_string(record.outcome);
    if (record.state == sync::CommandRecord::State::executed) {
      entry["answered_after_ms"] = rounded(to_ms(record.answered - record.given));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// Where the robot is at this moment, beside where it said it was.
Json prediction_of(const std::optional<Predicted>& predicted) {
  if (!predicted) return nullptr;
  const Pose2& pose = predicted->state.pose;
  return {{"x_m", rounded(pose.x)},
          {"y_m", rounded(pose.y)},
          {"theta_rad", rounded(pose.theta)},
          {"v_mps", rounded(predicted->state.velocity.vx)},
          {"radius95_m", rounded(predicted->region95.radius())}};
}

const char* word_for(sync::BulkStatus status) {
  switch (status) {
    case sync::BulkStatus::failed:
      return "failed";
    case sync::BulkStatus::idle:
      return "none";
    case sync::BulkStatus::asking:
    case sync::BulkStatus::fetching:
      return "fetching";
    case sync::BulkStatus::complete:
      return "verified";
  }
  return "unknown";
}

}  // namespace

Json describe_link(sync::Client& client, ViewPrediction& prediction, OperatorTime now) {
  const Json gap = gap_of(client, now);
  const auto& newest = client.newest();
  const sync::ClientCounts& counts = client.counts();
  Json line{{"link", to_string(client.state(now))},
            {"role", to_string(client.role())},
            {"state", newest ? Json::parse(net::write_robot_state(*newest)) : Json(nullptr)},
            {"prediction", prediction_of(prediction.at(client, now))},
            {"gap_s", gap},
            {"loss", rounded(client.lost_fraction(now))},
            {"round_trip_ms", nullptr},
            {"clock", clock_of(client, now)},
            {"warnings", warnings_of(client, now, gap)}};
  if (!prediction.problem().empty()) line["warnings"].push_back("no prediction: " + prediction.problem());
  if (client.clock().ready()) line["round_trip_ms"] = rounded(client.clock().filter().round_trip() * 1e-6);
  line["offset_ms"] = line["clock"].is_null() ? Json(nullptr) : line["clock"]["offset_ms"];
  if (newest) {
    line["robot"] = newest->robot;
    line["sequence"] = newest->sequence;
    line["model"] = {{"id", to_hex(newest->model)},
                     {"status", word_for(client.fetch().status())},
                     {"progress", rounded(client.fetch().progress())}};
  }
  line["commands"] = commands_of(client, now);
  line["reports"] = counts.reports;
  line["sessions"] = counts.sessions_begun;
  line["moves"] = counts.moves;
  line["drops"] = to_json(counts.drops);
  return line;
}

}  // namespace forerun::app
