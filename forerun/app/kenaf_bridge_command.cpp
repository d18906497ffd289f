#include "forerun/app/kenaf_bridge_command.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "forerun/base/math.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::app {
namespace {

using bridge::Delays;
using bridge::GroundTruth;
using Json = nlohmann::ordered_json;

void add_delays(Json& json, const std::string& kind, const Delays& delays) {
  json[kind + "_delay_ms_p50"] = delays.quantile(0.5);
  json[kind + "_delay_ms_p99"] = delays.quantile(0.99);
}

Json describe(const GroundTruth& truth) {
  return {{"x_m", truth.place.x}, {"y_m", truth.place.y}, {"z_m", truth.place.z}, {"yaw_deg", truth.yaw * 180 / kPi}};
}

Json describe(const bridge::KenafBridge::Results& results) {
  Json json{{"connections", results.connections}};
  for (std::size_t i = 0; i < results.datagrams.size(); ++i) {
    json["datagrams"][bridge::KenafControllers::kVerdicts[i]] = results.datagrams[i];
  }
  json["commands"] = results.commands;
  json["statuses"] = results.statuses;
  json["stops"] = results.stops;
  Delays both = results.command_delays;
  both.add(results.status_delays);
  add_delays(json, "command", results.command_delays);
  add_delays(json, "status", results.status_delays);
  add_delays(json, "bridge", both);
  json["robot"] = nullptr;
  if (results.begin && results.end) {
    const Vec3 way = results.end->place - results.begin->place;
    json["robot"] = {{"begin", describe(*results.begin)},
                     {"end", describe(*results.end)},
                     {"off_by_mm", 1000 * std::hypot(way.x, way.y)},
                     {"turned_by_deg", normalize_angle(results.end->yaw - results.begin->yaw) * 180 / kPi}};
  }
  return json;
}

}  // namespace

void add_kenaf_bridge_options(CLI::App& app, KenafBridgeOptions& options) {
  CLI::App* bridge = app.add_subcommand(
      "bridge", "Between programs that drive Kenaf (UDP, hrt_kenaf_sim) and the simulator (TCP, USARSim's protocol).");
  for (const char* key : {"simulator", "listen", "name", "at"}) {
    cli::add_param_option(*bridge, std::string("--") + key, options.params, key);
  }
  bridge->add_option("--for-s", options.for_s, "end after this many seconds; 0: with Ctrl-C")
      ->check(CLI::Range(0.0, 1e9));
  bridge->add_option("--json", options.json,
                     "at the end, write counts, delays and the robot's way as JSON to this file; -: standard output");
  bridge->footer("Examples:\n  forerun kenaf bridge\n  forerun kenaf bridge --simulator 127.0.0.1:3000 --at 0,1,90");
}

int run_kenaf_bridge(const KenafBridgeOptions& options) {
  auto file = cli::open_pending(options.json);
  if (!file) return cli::complain(file.error());
  auto bridge = bridge::KenafBridge::open(options.params);
  if (!bridge) return cli::complain(bridge.error());
  cli::catch_interrupts();
  if (options.json != "-") {
    std::printf("controllers at %s\n", net::to_string((*bridge)->address()).c_str());
    std::fflush(stdout);
  }
  const double end =
      options.for_s > 0 ? net::read_steady_seconds() + options.for_s : std::numeric_limits<double>::infinity();
  const auto results = (*bridge)->run([&] { return !cli::interrupted() && net::read_steady_seconds() < end; });
  const auto written = cli::write_json(options.json, std::move(*file), describe(results));
  if (!written) return cli::complain(written.error());
  return cli::interrupted() ? cli::kInterrupted : cli::kDone;
}

}  // namespace forerun::app
