// `forerun demo`: a robot, a bad network, a viewer and the page, with one command.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <string>

#include "forerun/app/arguments.hpp"
#include "forerun/app/commands.hpp"
#include "forerun/app/demo_parts.hpp"
#include "forerun/app/page_option.hpp"
#include "forerun/app/record_option.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/watch/command_desk.hpp"
#include "forerun/watch/live_recording.hpp"

namespace forerun::app {
namespace {

constexpr double kTurn = 0.05;       // [s]
constexpr double kGiveUpAfter = 60;  // an unanswered command; delays of the demo are long [s]

struct DemoOptions {
  std::string scenario = "office-delivery";
  std::uint64_t seed = 1;
  web::DemoSettings settings;
  PageOptions page;
  std::string record;   // empty: nothing is recorded
  double duration = 0;  // [s]; 0: until Ctrl-C
};

Result<net::Viewer> open_viewer(const net::Address& at, const sync::Key& robot, const sync::KeyPair& keys) {
  net::Viewer::Setup setup{.server = net::to_string(at), .server_key = robot, .keys = keys};
  setup.params.sender.give_up_s = kGiveUpAfter;
  return net::Viewer::open(setup);
}

Result<void> check(const web::DemoSettings& settings) {
  if (sim::find_reality(settings.reality)) return {};
  return Error{"reality is " + io::quote(settings.reality) + ", but must be one of " + io::reality_names()};
}

// All that runs when the page is shown.
struct Demo {
  SharedSettings& settings;
  std::unique_ptr<DemoRobot>& robot;
  net::Viewer& viewer;
  web::WebServer& web;
  record::Recording* recording;  // or null
};

void run(Demo& demo, watch::PageFeed& feed, watch::CommandDesk& desk, watch::LiveRecording* recorder, double duration) {
  const std::array<int, 1> pages{demo.web.descriptor()};
  const OperatorTime start = demo.viewer.now();
  while (!interrupted()) {
    demo.viewer.poll(kTurn, pages);
    desk.turn();
    feed.look();
    if (recorder != nullptr) recorder->look();
    if (duration > 0 && to_seconds(demo.viewer.now() - start) >= duration) return;
  }
}

void show(Demo demo, const DemoOptions& options, const std::string& robot_name) {
  web::PageHub hub(demo.web, web::PageMode::demo, FORERUN_VERSION, 1);
  std::optional<watch::LiveRecording> recorder;
  if (demo.recording != nullptr) recorder.emplace(*demo.recording, &hub);
  web::PageSink& page = recorder ? static_cast<web::PageSink&>(*recorder) : hub;
  watch::PageFeed feed(demo.viewer, page, 1, robot_name);
  const auto on_demo = [&](const web::DemoSettings& wanted) -> Result<void> {
    if (auto allowed = check(wanted); !allowed) return allowed;
    demo.settings.set(wanted);
    return {};
  };
  watch::CommandDesk desk(demo.web, hub, feed, on_demo, &page);
  desk.set_settings(options.settings);
  catch_interrupts();
  demo.robot->start(page);
  announce_page(demo.web, options.page.open_browser);
  std::fprintf(stderr, "Ctrl-C ends it\n");
  run(demo, feed, desk, recorder ? &*recorder : nullptr, options.duration);
  demo.robot.reset();  // before the page that it talks to
}

int demo(const DemoOptions& options) {
  const auto inputs = io::load_setting(options.scenario, options.settings.reality);
  if (!inputs) return complain(inputs.error());
  SharedSettings settings(options.settings);
  net::SodiumCipher cipher;
  const sync::KeyPair robot_keys = sync::make_key_pair(cipher);
  const sync::KeyPair desk_keys = sync::make_key_pair(cipher);
  auto robot = DemoRobot::open({.inputs = *inputs,
                                .settings = settings,
                                .seed = options.seed,
                                .keys = robot_keys,
                                .operator_key = desk_keys.open});
  if (!robot) return complain(robot.error());
  auto link = DemoLink::open((*robot)->address(), settings, options.seed);
  if (!link) return complain(link.error());
  auto viewer = open_viewer((*link)->address(), robot_keys.open, desk_keys);
  if (!viewer) return complain(viewer.error());
  auto web = open_local_page(options.page);
  if (!web) return complain(web.error());
  auto recording = record::Recording::open(options.record);
  if (!recording) return complain(recording.error());
  show({settings, *robot, *viewer, *web, recording->get()}, options, inputs->robot.name);
  return finish_recording(recording->get(), kDone);
}

}  // namespace

int run_demo(Arguments arguments) {
  DemoOptions options;
  CLI::App app("A simulated robot over a bad network, watched and commanded from a page in the browser.", "demo");
  app.add_option("--scenario", options.scenario, "world, robot and goals")->capture_default_str();
  app.add_option("--reality", options.settings.reality,
                 "how far the robot departs from its copy: " + io::reality_names())
      ->capture_default_str();
  app.add_option("--loss", options.settings.loss, "share of datagrams that the network loses")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--delay-s", options.settings.delay_s, "how long datagrams take, each way")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  app.add_option("--interval-s", options.settings.interval_s, "time between two reports of the robot")
      ->capture_default_str()
      ->check(CLI::Range(0.05, 60.0));
  app.add_option("--seed", options.seed, "number that all chance is drawn from")->capture_default_str();
  add_page_options(app, options.page);
  add_record_option(app, options.record);
  app.add_option("--for-s", options.duration, "end after this time (0: with Ctrl-C)")->check(CLI::Range(0.0, 1e9));
  app.footer(
      "It prints the page's address. The page changes the network and the robot's reality while it runs.\n"
      "\n"
      "Examples:\n"
      "  forerun demo\n"
      "  forerun demo --loss 0.6 --interval-s 10 --reality crowded\n"
      "  forerun demo --record demo.mcap");
  if (const auto code = parse_or_exit(app, arguments)) return *code;
  if (const auto checked = check_record_option(app, options.record); !checked) return complain(checked.error());
  return demo(options);
}

}  // namespace forerun::app
