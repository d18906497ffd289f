// `forerun kenaf`: a tracked robot with flippers on rough terrain, in physics (paper 3).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "forerun/app/commands.hpp"
#include "forerun/app/kenaf_bridge_command.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/bridge/usarsim_server.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/kenaf_test.hpp"
#include "forerun/lab/tracked_robot.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::app {
namespace {

struct ServeOptions {
  std::string world = "kenaf-course", robot = "kenaf", json;
  double for_s = 0;  // 0: until Ctrl-C
  bridge::UsarsimParams params;
};

Result<std::unique_ptr<bridge::UsarsimServer>> open_server(const ServeOptions& options) {
  if (options.params.view != "front" && options.params.view != "above") {
    return Error{"--view is " + io::quote(options.params.view) + ", but must be front or above"};
  }
  const auto world = atlas::load_named_world(options.world);
  if (!world) return world.error();
  const auto robot = lab::load_tracked_robot(options.robot);
  if (!robot) return robot.error();
  auto simulator =
      bridge::KenafSimulator::make(*world, *robot, {{"start", {}}}, static_cast<std::size_t>(options.params.robots));
  if (!simulator) return simulator.error();
  return bridge::UsarsimServer::open(std::move(*simulator), options.params);
}

int serve(const ServeOptions& options) {
  auto file = cli::open_pending(options.json);
  if (!file) return cli::complain(file.error());
  auto server = open_server(options);
  if (!server) return cli::complain(server.error());
  cli::catch_interrupts();
  if (options.json != "-") {
    std::printf("USARSim at %s, pictures at %s\n", net::to_string((*server)->address()).c_str(),
                net::to_string((*server)->image_address()).c_str());
    std::fflush(stdout);
  }
  const double begin = net::read_steady_seconds();
  const double end = options.for_s > 0 ? begin + options.for_s : std::numeric_limits<double>::infinity();
  const auto counts = (*server)->run([&] { return !cli::interrupted() && net::read_steady_seconds() < end; });
  const auto written =
      cli::write_json(options.json, std::move(*file),
                      {{"clients", counts.clients}, {"pictures", counts.pictures}, {"behind_s", counts.behind}});
  if (!written) return cli::complain(written.error());
  return cli::interrupted() ? cli::kInterrupted : cli::kDone;
}

CLI::App* add_serve(CLI::App& app, ServeOptions& options) {
  CLI::App* serve = app.add_subcommand(
      "serve", "The simulated robot in real time, for USARSim's clients: they spawn it, drive it, read its sensors.");
  serve->add_option("--world", options.world, "a world with or without rough terrain: file or bare name")
      ->capture_default_str();
  serve->add_option("--robot", options.robot, "a robot with a crawler: file or bare name")->capture_default_str();
  for (const char* key : {"listen", "images", "view", "width", "height", "quality", "robots"}) {
    cli::add_param_option(*serve, std::string("--") + key, options.params, key);
  }
  serve->add_option("--for-s", options.for_s, "end after this many seconds; 0: with Ctrl-C")
      ->check(CLI::Range(0.0, 1e9));
  serve->add_option("--json", options.json, "at the end, write counts as JSON to this file; -: standard output");
  serve->footer("Examples:\n  forerun kenaf serve\n  forerun kenaf serve --listen :3000 --images :5003 --view above");
  return serve;
}

}  // namespace

int run_kenaf(cli::Arguments arguments) {
  lab::KenafTestOptions test;
  ServeOptions serving;
  KenafBridgeOptions bridging;
  CLI::App app("Kenaf: a tracked robot with flippers on rough terrain, in a physics engine.", "kenaf");
  app.footer("Examples:\n  forerun kenaf test --kind trench\n  forerun kenaf serve --listen 127.0.0.1:3000 --for-s 1");
  app.require_subcommand(1);
  CLI::App* testing = app.add_subcommand(
      "test", "The published mobility tests: steps climbed without and with flippers, trenches crossed.");
  add_kenaf_test_options(*testing, test);
  const CLI::App* serving_app = add_serve(app, serving);
  add_kenaf_bridge_options(app, bridging);
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (testing->parsed()) return run_kenaf_test(test);
  return serving_app->parsed() ? serve(serving) : run_kenaf_bridge(bridging);
}

}  // namespace forerun::app
