// `forerun view`: the operator side of the link.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "forerun/app/commands.hpp"
#include "forerun/app/link_option.hpp"
#include "forerun/app/page_option.hpp"
#include "forerun/app/record_option.hpp"
#include "forerun/app/replay_page.hpp"
#include "forerun/base/wipe.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/watch/command_desk.hpp"
#include "forerun/watch/command_input.hpp"
#include "forerun/watch/link_line.hpp"
#include "forerun/watch/live_recording.hpp"
#include "forerun/watch/mission_fetch.hpp"
#include "forerun/watch/model_fetch.hpp"
#include "forerun/watch/own_commands.hpp"

namespace forerun::app {
namespace {

struct ViewOptions {
  LinkOptions link;
  bool headless = false;
  double duration = 0;  // [s]; 0: until Ctrl-C
  PageOptions page;
  std::string record;  // empty: nothing is recorded
  std::string replay;  // the recording to show instead of a link
};

// The model that the reports belong to: the copy is made of it, and commands are held against its bounds.
void take_model(sync::Client& client, const watch::ModelFetch& fetched, const watch::MissionFetch& mission,
                watch::ViewedRobot& viewed) {
  viewed = {};
  const auto model = sim::unpack_model(fetched.bundle());
  if (!model) {
    std::fprintf(stderr, "forerun: the model cannot be read: %s\n", model.error().message.c_str());
    viewed.problem = "the model cannot be read";
    return;
  }
  client.set_world_bounds(world::bounds(model->world));
  auto live = predict::make_live_robot(model->world, model->robot);
  if (live) {
    viewed.live = std::move(*live);
    viewed.live.set_mission(mission.number(), mission.path());
  } else {
    viewed.problem = live.error().message;
  }
  if (!model->robot.crawler || !model->world.terrain.is_rough()) return;
  if (auto terrain = physics::TerrainPredictor::make(model->world, model->robot)) viewed.terrain = std::move(*terrain);
}

void update(watch::ViewedRobot& viewed, net::Viewer& viewer) {
  viewed.commands_told = watch::tell_commands(viewer, viewed.commands_told, viewed.live);
  if (const auto& drive = viewer.newest_drive()) {
    if (viewed.terrain) viewed.terrain->give(drive->arrives, drive->velocity, drive->flippers);
  }
  const auto& newest = viewer.client().newest();
  if (!newest) return;
  viewed.live.take(*newest);
  if (viewed.terrain) viewed.terrain->take(*newest);
}

// Where there is no page, the recording alone is told what a page would be.
struct HeadlessRecording {
  HeadlessRecording(record::Recording& recording, net::Viewer& viewer, const std::string& place)
      : live(recording, nullptr), feed(viewer, live, 1, place) {}
  void look() {
    feed.look();
    live.look();
  }
  watch::LiveRecording live;
  watch::PageFeed feed;
};

int print_lines(net::Viewer& viewer, const ViewOptions& options, record::Recording* recording) {
  cli::catch_interrupts();
  std::optional<HeadlessRecording> recorder;
  if (recording != nullptr) recorder.emplace(*recording, viewer, options.link.connect);
  std::signal(SIGTTIN, SIG_IGN);  // a shell may put it into the background
  watch::CommandInput input(STDIN_FILENO);
  watch::ModelFetch own;
  watch::MissionFetch own_mission;
  // a recorder fetches model and mission for both
  const watch::ModelFetch& model = recorder ? recorder->feed.model() : own;
  const watch::MissionFetch& mission = recorder ? recorder->feed.mission() : own_mission;
  std::uint64_t taken = 0, known = 0;
  watch::ViewedRobot viewed;
  const OperatorTime start = viewer.now();
  OperatorTime next = start + from_seconds(1);
  while (!cli::interrupted()) {
    viewer.poll(std::max(0.0, std::min(0.1, to_seconds(next - viewer.now()))), input.descriptors());
    input.read(viewer, recorder ? &recorder->feed : nullptr);
    if (recorder) recorder->look();
    if (!recorder) {
      static_cast<void>(own.look(viewer.client()));
      static_cast<void>(own_mission.look(viewer.client(), own));
    }
    if (std::exchange(taken, model.model()) != model.model()) take_model(viewer.client(), model, mission, viewed);
    if (std::exchange(known, mission.number()) != mission.number()) viewed.live.set_mission(known, mission.path());
    update(viewed, viewer);
    if (viewer.now() < next) continue;
    next = next + from_seconds(1);
    std::printf("%s\n", watch::describe_link(viewer.client(), viewed, model, viewer.now()).dump().c_str());
    if (const auto printed = cli::flush_output(); !printed) return cli::complain(printed.error());
    if (options.duration > 0 && to_seconds(viewer.now() - start) >= options.duration) return cli::kDone;
  }
  return cli::kInterrupted;
}

int show_page(net::Viewer& viewer, const ViewOptions& options, record::Recording* recording) {
  auto web = open_local_page(options.page);
  if (!web) return cli::complain(web.error());
  web::PageHub hub(*web, web::PageMode::watch, FORERUN_VERSION, 1);
  std::optional<watch::LiveRecording> recorder;
  if (recording != nullptr) recorder.emplace(*recording, &hub);
  watch::PageFeed feed(viewer, recorder ? static_cast<web::PageSink&>(*recorder) : hub, 1, options.link.connect);
  watch::CommandDesk desk(*web, hub, feed);
  cli::catch_interrupts();
  announce_page(*web, options.page.open_browser);
  const std::array<int, 1> pages{web->descriptor()};
  const OperatorTime start = viewer.now();
  while (!cli::interrupted()) {
    viewer.poll(0.05, pages);
    desk.turn();
    feed.look();
    if (recorder) recorder->look();
    hub.set_mode(feed.role() == sync::Role::operate ? web::PageMode::operate : web::PageMode::watch);
    if (options.duration > 0 && to_seconds(viewer.now() - start) >= options.duration) return cli::kDone;
  }
  return cli::kInterrupted;
}

int view(const ViewOptions& options) {
  auto setup = make_viewer_setup(options.link);
  if (!setup) return cli::complain(setup.error());
  auto viewer = net::Viewer::open(*setup);
  wipe(setup->keys.secret);
  if (!viewer) return cli::complain(viewer.error());
  auto recording = record::Recording::open(options.record);
  if (!recording) return cli::complain(recording.error());
  const int code = options.headless ? print_lines(*viewer, options, recording->get())
                                    : show_page(*viewer, options, recording->get());
  return finish_recording(recording->get(), code);
}

// What belongs together and what does not.
Result<void> check(const CLI::App& app, const ViewOptions& options) {
  if (app.count("--replay") == 0) {
    for (const char* flag : {"--connect", "--server-key"}) {
      if (app.count(flag) == 0)
        return Error{std::string(flag) + " is required, or --replay instead (see forerun view --help)"};
    }
    return check_record_option(app, options.record);
  }
  for (const char* flag : {"--connect", "--server-key", "--keys", "--watch", "--headless", "--record"}) {
    if (app.count(flag) > 0) {
      return Error{std::string("--replay shows a recording on the page, and cannot stand with ") + flag};
    }
  }
  return {};
}

}  // namespace

int run_view(cli::Arguments arguments) {
  ViewOptions options;
  CLI::App app("Watches a robot over the link and passes commands on to it.", "view");
  add_link_options(app, options.link);
  app.add_flag("--headless", options.headless,
               "instead of a page, print one line of JSON a second: what the robot reported, and where it is "
               "predicted to be now");
  app.add_flag("--watch", options.link.watch, "only watch, even if this key may operate");
  add_page_options(app, options.page);
  add_record_option(app, options.record);
  app.add_option("--replay", options.replay, "show this recording (MCAP) on the page, instead of a robot");
  app.add_option("--for-s", options.duration, "end after this time (0: with Ctrl-C)")->check(CLI::Range(0.0, 1e9));
  app.footer(
      "It prints the address of a page for this machine alone, from which the robot is watched and commanded.\n"
      "With --headless, commands are taken from standard input, one JSON object a line:\n"
      "  {\"command\":\"goal\",\"x_m\":11.3,\"y_m\":5.0}\n"
      "  {\"command\":\"drive\",\"v_mps\":0.3,\"w_radps\":0.1}   again and again: driving ends when they cease;\n"
      "                                                 \"vy_mps\" to the left, where the robot can\n"
      "  {\"command\":\"cancel\"}\n"
      "  {\"command\":\"stop\"}\n"
      "  {\"command\":\"start\",\"mission\":\"0123456789abcdef\"}   the mission that the robot has (forerun mission "
      "upload)\n"
      "\n"
      "Examples:\n"
      "  forerun view --connect robot.example:7420 --server-key KEY\n"
      "  forerun view --headless --connect robot.example:7420 --server-key KEY\n"
      "  forerun view --connect robot.example:7420 --server-key KEY --record drive.mcap\n"
      "  forerun view --replay drive.mcap");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (const auto checked = check(app, options); !checked) return cli::complain(checked.error());
  if (app.count("--replay") > 0) return show_replay(options.replay, options.page, options.duration);
  return view(options);
}

}  // namespace forerun::app
