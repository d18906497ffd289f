// `forerun serve`: the robot side of the link, around a simulated robot or a real one's control system.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/app/response_option.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/simulated_options.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/link_profile_file.hpp"
#include "forerun/net/drop_log.hpp"
#include "forerun/net/ready.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/serve/robot_service.hpp"

namespace forerun::app {
namespace {

constexpr double kInterval = 0.1;       // of reports that are sent by the clock alone [s]
constexpr double kLongestTurn = 0.1;    // [s]
constexpr double kLookInterval = 0.05;  // at a robot whose reports are sent when they matter [s]

struct ServeOptions {
  std::string listen = ":7420";
  std::string scenario = "office-delivery";
  std::string reality = "noisy";
  std::uint64_t seed = 1;
  bool localize = false;
  bool guard = true;
  bool live_scan = false;
  std::string control;
  std::string keys;
  std::string profile;
  std::optional<double> interval;       // [s]
  std::optional<double> send_when_off;  // [m]
  predict::SendRuleParams send;
  double images = serve::RobotService::Setup{}.images_per_s;  // [1/s]
  double duration = 0;                                        // [s]; 0: until Ctrl-C
  std::uint32_t id = 0;                                       // 0: from the public key
  std::string json;
  std::string response;  // file; empty: nothing was learned
  sync::ServerParams link;
};

struct Schedule {
  Duration look;
  std::optional<predict::SendRuleParams> when;
};

Result<Schedule> make_schedule(const ServeOptions& options) {
  std::optional<double> interval = options.interval;
  if (!options.profile.empty()) {
    const auto profile = io::load_link_profile(options.profile);
    if (!profile) return profile.error();
    interval = profile->sync_interval;
  }
  if (!options.send_when_off) return Schedule{from_seconds(interval.value_or(kInterval)), std::nullopt};
  predict::SendRuleParams when = options.send;
  when.off_m = *options.send_when_off;
  if (interval) when.base_interval_s = *interval;
  if (when.base_interval_s < when.min_interval_s) {
    char text[200];
    std::snprintf(text, sizeof text, "--min-interval-s is %g, but must be at most the interval between reports, %g s",
                  when.min_interval_s, when.base_interval_s);
    return Error{text};
  }
  return Schedule{from_seconds(std::min(kLookInterval, when.min_interval_s)), when};
}

Result<serve::RobotService::Setup> make_setup(const ServeOptions& options) {
  const auto schedule = make_schedule(options);
  if (!schedule) return schedule.error();
  serve::RobotService::Setup setup{.robot = options.id, .look_interval = schedule->look, .when = schedule->when};
  setup.images_per_s = options.images;
  setup.link.params = options.link;
  const auto folder = io::find_key_folder(options.keys);
  if (!folder) return folder.error();
  setup.key_folder = *folder;
  const auto listen = net::resolve(options.listen);
  if (!listen) return Error{"--listen: " + listen.error().message, listen.error().kind};
  setup.link.listen = *listen;
  net::SodiumCipher cipher;
  const auto keys = io::load_keys(*folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
  if (!keys) return keys.error();
  setup.link.keys = *keys;
  return setup;
}

// Standard output is for the JSON where that was asked for.
void announce(const serve::RobotService& service, const sim::Setting& inputs, const sync::Key& open_key,
              std::FILE* out) {
  const net::Address address = service.server().local_address();
  const std::string key = io::show_key(open_key);
  std::fprintf(out, "%s in %s, listening on %s\n", inputs.robot.name.c_str(), inputs.world.name.c_str(),
               net::to_string(address).c_str());
  std::fprintf(out, "public key %s\n", key.c_str());
  std::fprintf(out, "watch it:  forerun view --connect HOST:%u --server-key %s\n", address.port, key.c_str());
  std::fflush(out);
}

std::string status_text(const serve::RobotService& service) {
  const auto& counts = service.server().counts();
  char text[200];
  std::snprintf(text, sizeof text, "%zu viewers   %u reports   %llu commands   %llu dropped   %s",
                service.server().n_sessions(), service.n_reports(),
                static_cast<unsigned long long>(counts.commands_executed),
                static_cast<unsigned long long>(counts.drops.total()), service.robot().describe().c_str());
  return text;
}

// Until Ctrl-C or the end of the time.
void run(serve::RobotService& service, double duration) {
  cli::catch_interrupts();
  cli::StatusLine line;
  net::DropLog drop_log;
  const net::RobotServer& server = service.server();
  const RobotTime start = server.now();
  while (!cli::interrupted()) {
    if (duration > 0 && to_seconds(server.now() - start) >= duration) return;
    service.turn(kLongestTurn);
    drop_log.look(to_seconds(server.now()), server.counts().drops);
    if (line.due()) line.show(status_text(service));
  }
}

// What was measured of how the robot answers its commands.
nlohmann::ordered_json to_json(const robot::FoundResponse& found) {
  nlohmann::ordered_json json;
  const auto put = [&](const char* delay, const char* lag, const std::optional<robot::FoundResponse::Axis>& axis) {
    json[delay] = axis ? nlohmann::ordered_json(axis->delay) : nlohmann::ordered_json(nullptr);
    json[lag] = axis ? nlohmann::ordered_json(axis->lag) : nlohmann::ordered_json(nullptr);
  };
  put("delay_v_s", "lag_v_s", found.forward);
  put("delay_w_s", "lag_w_s", found.turn);
  return json;
}

nlohmann::ordered_json summary(const serve::RobotService& service) {
  const sync::ServerCounts& counts = service.server().counts();
  return {{"reports", service.n_reports()},
          {"received", counts.received},
          {"sent", counts.sent},
          {"sessions_begun", counts.sessions_begun},
          {"moves", counts.moves},
          {"image_parts", counts.image_parts},
          {"commands_executed", counts.commands_executed},
          {"commands_refused", counts.commands_refused},
          {"drops", net::to_json(counts.drops)},
          {"response", to_json(service.response())}};
}

int serve(const ServeOptions& options) {
  auto inputs = atlas::load_setting(options.scenario, options.reality);
  if (!inputs) return cli::complain(inputs.error());
  if (auto learned = put_response(options.response, inputs->robot); !learned) return cli::complain(learned.error());
  const RobotTime start = net::RobotServer::clock();
  auto robot =
      options.control.empty()
          ? serve::make_simulated_robot(*inputs, options.seed, start,
                                        {serve::pose_source_of(options.localize), options.live_scan, options.guard})
          : serve::make_controlled_robot(options.control, *inputs);
  if (!robot) return cli::complain(robot.error());
  auto output = cli::open_pending(options.json);
  if (!output) return cli::complain(output.error());
  const auto setup = make_setup(options);
  if (!setup) return cli::complain(setup.error());
  auto service = serve::RobotService::open(*setup, *inputs, **robot);
  if (!service) return cli::complain(service.error());
  announce(**service, *inputs, setup->link.keys.open, options.json == "-" ? stderr : stdout);
  net::notify_ready();
  run(**service, options.duration);
  const auto written = cli::write_json(options.json, std::move(*output), summary(**service));
  if (!written) return cli::complain(written.error());
  return cli::interrupted() ? cli::kInterrupted : cli::kDone;
}

void add_options(CLI::App& app, ServeOptions& options) {
  app.add_option("--listen", options.listen, "address to listen on: HOST:PORT, or :PORT for all of this machine's")
      ->capture_default_str();
  app.add_option("--scenario", options.scenario, "world, robot and goals of the simulated robot")
      ->capture_default_str();
  app.add_option("--reality", options.reality, "how far it departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  app.add_option("--seed", options.seed, "number that all chance is drawn from")->capture_default_str();
  auto* localize = cli::add_localize_option(app, options.localize);
  auto* guard = cli::add_guard_option(app, options.guard);
  auto* live_scan = cli::add_live_scan_option(app, options.live_scan);
  app.add_option("--control", options.control,
                 "serve a real control system instead, which connects to unix:PATH, unix-group:PATH (for its "
                 "group too) or udp:127.0.0.1:PORT; the scenario then only names its world and robot")
      ->excludes(localize)
      ->excludes(guard)
      ->excludes(live_scan);
  app.add_option("--interval-s", options.interval,
                 "time between two reports (0.1); with --send-when-off-m the longest (60)")
      ->check(cli::check_range(cli::field_of<predict::SendRuleParams>("base_interval_s")));
  auto* when = app.add_option("--send-when-off-m", options.send_when_off,
                              "send when what viewers predict is off by more than this, and else only now and then");
  when->check(cli::check_range(cli::field_of<predict::SendRuleParams>("off_m")));
  cli::add_param_option(app, "--min-interval-s", options.send, "min_interval_s")->needs(when);
  app.add_option("--profile", options.profile, "take the interval that suits this network instead");
  app.add_option("--id", options.id, "the robot's number (from its public key)");
  app.add_option("--keys", options.keys, "folder with this robot's keys and who may connect (see forerun keys)");
  cli::add_param_option(app, "--public", options.link, "anyone_may_watch");
  cli::add_param_option(app, "--max-command-age-s", options.link.gate, "max_command_age_s");
  cli::add_param_option(app, "--drive-timeout-s", options.link.gate, "drive_timeout_s");
  app.add_option("--images-per-s", options.images,
                 "images of the robot's cameras, all together, while somebody looks; 0: none")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  cli::add_param_option(app, "--image-bytes-per-s", options.link, "image_bytes_per_s");
  cli::add_param_option(app, "--max-viewers", options.link, "max_sessions");
  app.add_option("--for-s", options.duration, "end after this time (0: with Ctrl-C)")->check(CLI::Range(0.0, 1e9));
  add_response_option(app, options.response);
  app.add_option("--json", options.json, "write counts to this file at the end; -: standard output");
}

}  // namespace

int run_serve(cli::Arguments arguments) {
  ServeOptions options;
  CLI::App app("The robot side of the link: sends the robot's state to viewers and takes commands.", "serve");
  add_options(app, options);
  app.footer(
      "Examples:\n"
      "  forerun keys new\n"
      "  forerun serve --scenario office-delivery --public\n"
      "  forerun serve --public --send-when-off-m 0.2\n"
      "  forerun serve --control unix:robot.sock --scenario office-delivery");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return serve(options);
}

}  // namespace forerun::app
