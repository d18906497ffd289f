// `forerun demo`: a robot, a bad network, a viewer and the page, with one command.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/app/page_option.hpp"
#include "forerun/app/record_option.hpp"
#include "forerun/app/response_option.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/simulated_options.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/bad_network_thread.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/serve/demo_robot.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/watch/command_desk.hpp"
#include "forerun/watch/live_recording.hpp"

namespace forerun::app {
namespace {

constexpr double kTurn = 0.05;  // [s]
constexpr std::uint32_t kRobotNumber = 1;

struct DemoOptions {
  std::string scenario = "office-delivery";
  std::uint64_t seed = 1;
  bool localize = false;
  bool guard = true;
  bool live_scan = false;
  web::DemoSettings settings;
  PageOptions page;
  std::string record;    // empty: nothing is recorded
  std::string response;  // file; empty: nothing was learned
  double duration = 0;   // [s]; 0: until Ctrl-C
};

impair::LinkProfile profile_of(const web::DemoSettings& settings) {
  impair::LinkProfile profile{.name = "demo"};
  for (impair::LinkPath* path : {&profile.up, &profile.down}) {
    path->loss = settings.loss;
    path->delay = settings.delay_s;
  }
  if (settings.blackout) profile.blackouts.push_back({.at = 0, .every = 0, .length = 1e9});
  return profile;
}

serve::DemoConditions conditions_of(const web::DemoSettings& settings) {
  return {.interval_s = settings.interval_s, .delay_s = settings.delay_s, .reality = settings.reality};
}

Result<void> check(const web::DemoSettings& settings) {
  if (sim::find_reality(settings.reality)) return {};
  return Error{"reality is " + io::quote(settings.reality) + ", but must be one of " + atlas::reality_names()};
}

// All that runs when the page is shown.
struct Demo {
  std::unique_ptr<serve::DemoRobot> robot;
  std::unique_ptr<net::BadNetworkThread> network;
  std::optional<net::Viewer> viewer;

  // Everybody hears of new settings at once.
  void set(const web::DemoSettings& settings) {
    robot->set_conditions(conditions_of(settings));
    network->set_profile(profile_of(settings));
    viewer->client().set_sender(serve::demo_sender(settings.delay_s));
  }
};

Result<Demo> open_demo(const DemoOptions& options, const sim::Setting& setting) {
  Demo demo;
  net::SodiumCipher cipher;
  const sync::KeyPair robot_keys = sync::make_key_pair(cipher);
  const sync::KeyPair desk_keys = sync::make_key_pair(cipher);
  auto robot =
      serve::DemoRobot::open({.setting = setting,
                              .conditions = conditions_of(options.settings),
                              .seed = options.seed,
                              .robot = kRobotNumber,
                              .simulated = {serve::pose_source_of(options.localize), options.live_scan, options.guard},
                              .keys = robot_keys,
                              .operator_key = desk_keys.open});
  if (!robot) return robot.error();
  demo.robot = std::move(*robot);
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  auto network = net::BadNetworkThread::open(
      {.listen = *listen, .to = demo.robot->local_address(), .seed = options.seed}, profile_of(options.settings));
  if (!network) return network.error();
  demo.network = std::move(*network);
  net::Viewer::Setup setup{
      .server = net::to_string(demo.network->local_address()), .server_key = robot_keys.open, .keys = desk_keys};
  setup.params.sender = serve::demo_sender(options.settings.delay_s);
  auto viewer = net::Viewer::open(setup);
  if (!viewer) return viewer.error();
  demo.viewer.emplace(std::move(*viewer));
  return demo;
}

// The page, and what it shows.
struct Desk {
  web::WebServer& web;
  watch::PageFeed& feed;
  watch::CommandDesk& commands;
  watch::LiveRecording* recorder;  // or null
};

void run(net::Viewer& viewer, Desk desk, double duration) {
  const std::array<int, 1> pages{desk.web.descriptor()};
  const OperatorTime start = viewer.now();
  while (!cli::interrupted()) {
    viewer.poll(kTurn, pages);
    desk.commands.turn();
    desk.feed.look();
    if (desk.recorder != nullptr) desk.recorder->look();
    if (duration > 0 && to_seconds(viewer.now() - start) >= duration) return;
  }
}

void show(Demo demo, web::WebServer& web, record::Recording* recording, const DemoOptions& options,
          const std::string& robot_name) {
  web::PageHub hub(web, web::PageMode::demo, FORERUN_VERSION, 1);
  std::optional<watch::LiveRecording> recorder;
  if (recording != nullptr) recorder.emplace(*recording, &hub);
  web::PageSink& page = recorder ? static_cast<web::PageSink&>(*recorder) : hub;
  watch::PageFeed feed(*demo.viewer, page, kRobotNumber, robot_name);
  const auto on_demo = [&](const web::DemoSettings& wanted) -> Result<void> {
    if (auto allowed = check(wanted); !allowed) return allowed;
    demo.set(wanted);
    return {};
  };
  watch::CommandDesk desk(web, hub, feed, on_demo, &page);
  desk.set_settings(options.settings);
  cli::catch_interrupts();
  demo.robot->start([&](RobotTime now, const Pose2& truth) { page.truth(kRobotNumber, now, truth); });
  announce_page(web, options.page.open_browser);
  std::fprintf(stderr, "Ctrl-C ends it\n");
  run(*demo.viewer, {web, feed, desk, recorder ? &*recorder : nullptr}, options.duration);
  demo.robot.reset();  // before the page that it talks to
}

int demo(const DemoOptions& options) {
  auto setting = atlas::load_setting(options.scenario, options.settings.reality);
  if (!setting) return cli::complain(setting.error());
  if (auto learned = put_response(options.response, setting->robot); !learned) return cli::complain(learned.error());
  auto parts = open_demo(options, *setting);
  if (!parts) return cli::complain(parts.error());
  auto web = open_local_page(options.page);
  if (!web) return cli::complain(web.error());
  auto recording = record::Recording::open(options.record);
  if (!recording) return cli::complain(recording.error());
  show(std::move(*parts), *web, recording->get(), options, setting->robot.name);
  return finish_recording(recording->get(), cli::interrupted() ? cli::kInterrupted : cli::kDone);
}

}  // namespace

int run_demo(cli::Arguments arguments) {
  DemoOptions options;
  CLI::App app("A simulated robot over a bad network, watched and commanded from a page in the browser.", "demo");
  app.add_option("--scenario", options.scenario, "world, robot and goals")->capture_default_str();
  cli::add_param_option(app, "--reality", options.settings, "reality")
      ->description("how far the robot departs from its copy: " + atlas::reality_names());
  cli::add_param_option(app, "--loss", options.settings, "loss");
  cli::add_param_option(app, "--delay-s", options.settings, "delay_s");
  cli::add_param_option(app, "--interval-s", options.settings, "interval_s");
  app.add_option("--seed", options.seed, "number that all chance is drawn from")->capture_default_str();
  cli::add_localize_option(app, options.localize);
  cli::add_guard_option(app, options.guard);
  cli::add_live_scan_option(app, options.live_scan);
  add_page_options(app, options.page);
  add_record_option(app, options.record);
  add_response_option(app, options.response);
  app.add_option("--for-s", options.duration, "end after this time (0: with Ctrl-C)")->check(CLI::Range(0.0, 1e9));
  app.footer(
      "It prints the page's address. The page changes the network and the robot's reality while it runs.\n"
      "\n"
      "Examples:\n"
      "  forerun demo\n"
      "  forerun demo --loss 0.6 --interval-s 10 --reality crowded\n"
      "  forerun demo --record demo.mcap");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (const auto checked = check_record_option(app, options.record); !checked) return cli::complain(checked.error());
  return demo(options);
}

}  // namespace forerun::app
