#include "forerun/watch/link_line.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/drop_log.hpp"
#include "forerun/net/robot_json.hpp"
#include "forerun/watch/refusal_text.hpp"
#include "forerun/watch/warnings.hpp"

namespace forerun::watch {
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
  const std::optional<double> age = gap.is_number() ? std::optional(gap.get<double>()) : std::nullopt;
  for (const Warning& warning : find_warnings(client, now, age)) warnings.push_back(warning.brief);
  return warnings;
}

Json commands_of(const sync::Client& client, OperatorTime now) {
  Json list = Json::array();
  for (const sync::CommandRecord& record : client.commands().records()) {
    Json entry{{"number", record.number},
               {"command", robot::to_string(record.kind)},
               {"state", to_string(record.state)},
               {"given_s_ago", rounded(to_seconds(now - record.given))}};
    if (record.state == sync::CommandRecord::State::refused) {
      entry["reason"] = refusal_word(record);
      entry["text"] = refusal_text(record);
    }
    if (record.state == sync::CommandRecord::State::executed) {
      entry["answered_after_ms"] = rounded(to_ms(record.answered - record.given));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// Where the robot is at this moment, beside where it said it was.
Json prediction_of(const sync::Client& client, ViewedRobot& viewed, OperatorTime now) {
  if (!client.clock().ready()) return nullptr;
  const RobotTime then = client.clock().to_remote(now).time;
  const predict::Prediction prediction = viewed.live.at(then);
  if (prediction.status == predict::Status::none) return nullptr;
  const robot::State& state = prediction.state;
  Json made{{"x_m", rounded(state.pose.x)},
            {"y_m", rounded(state.pose.y)},
            {"theta_rad", rounded(state.pose.theta)},
            {"v_mps", rounded(state.velocity.vx)},
            {"vy_mps", rounded(state.velocity.vy)},
            {"radius95_m", rounded(prediction.region95.radius())},
            {"status", predict::to_string(prediction.status)}};
  const auto climbs = viewed.terrain ? viewed.terrain->at(then) : std::nullopt;
  if (!climbs) return made;
  made["x_m"] = rounded(climbs->pose.x);
  made["y_m"] = rounded(climbs->pose.y);
  made["theta_rad"] = rounded(climbs->pose.theta);
  made["height_m"] = rounded(climbs->posture.height);
  made["roll_rad"] = rounded(climbs->posture.roll);
  made["pitch_rad"] = rounded(climbs->posture.pitch);
  return made;
}

// Where it will be when the newest command lands, and where it would come to rest then.
Json landing_of(ViewedRobot& viewed) {
  const auto landing = viewed.live.landing();
  if (!landing) return nullptr;
  const Pose2 &then = landing->state.pose, &rest = landing->rest;
  Json made{{"command", landing->number},
            {"x_m", rounded(then.x)},
            {"y_m", rounded(then.y)},
            {"theta_rad", rounded(then.theta)},
            {"v_mps", rounded(landing->state.velocity.vx)},
            {"rest_x_m", nullptr},
            {"rest_y_m", nullptr},
            {"meets_wall", landing->meets_wall}};
  if (landing->goes_by_itself) return made;
  made["rest_x_m"] = rounded(rest.x);
  made["rest_y_m"] = rounded(rest.y);
  return made;
}

// Its world and its robot are fetched one after the other.
Json model_of(sync::Client& client, const ModelFetch& model) {
  const std::uint64_t named = client.newest()->model;
  const bool failed = client.fetch().status() == sync::BulkStatus::failed;
  const char* status = named == 0 ? "none" : named == model.model() ? "verified" : failed ? "failed" : "fetching";
  return {{"id", to_hex(named)}, {"status", status}, {"progress", rounded(model.progress(client))}};
}

}  // namespace

Json describe_link(sync::Client& client, ViewedRobot& viewed, const ModelFetch& model, OperatorTime now) {
  const Json gap = gap_of(client, now);
  const auto& newest = client.newest();
  const sync::ClientCounts& counts = client.counts();
  Json line{{"link", to_string(client.state(now))},
            {"role", to_string(client.role())},
            {"state", newest ? Json::parse(net::write_robot_state(*newest)) : Json(nullptr)},
            {"prediction", prediction_of(client, viewed, now)},
            {"landing", landing_of(viewed)},
            {"gap_s", gap},
            {"loss", rounded(client.lost_fraction(now))},
            {"round_trip_ms", nullptr},
            {"clock", clock_of(client, now)},
            {"warnings", warnings_of(client, now, gap)}};
  if (!viewed.problem.empty()) line["warnings"].push_back("no prediction: " + viewed.problem);
  if (client.clock().ready()) line["round_trip_ms"] = rounded(client.clock().filter().round_trip() * 1e-6);
  line["offset_ms"] = line["clock"].is_null() ? Json(nullptr) : line["clock"]["offset_ms"];
  if (newest) {
    line["robot"] = newest->robot;
    line["sequence"] = newest->sequence;
    line["model"] = model_of(client, model);
  }
  line["commands"] = commands_of(client, now);
  line["reports"] = counts.reports;
  line["sessions"] = counts.sessions_begun;
  line["moves"] = counts.moves;
  line["drops"] = net::to_json(counts.drops);
  return line;
}

}  // namespace forerun::watch
