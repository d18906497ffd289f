// `forerun mission upload` and `forerun mission watch`: a mission over the link, to the robot and at work.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "forerun/app/link_option.hpp"
#include "forerun/app/mission_command.hpp"
#include "forerun/base/hex.hpp"
#include "forerun/base/wipe.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/mission_file.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/watch/mission_line.hpp"
#include "forerun/watch/refusal_text.hpp"

namespace forerun::app {
namespace {

constexpr double kTurn = 0.1;                // [s]
constexpr double kPatience = 30;             // for an answer to a start [s]
constexpr Duration kLine = from_seconds(1);  // between two lines

const Error kNoMission{"the robot has no mission; forerun mission upload brings one", ErrorKind::impossible};

struct MissionLinkOptions {
  LinkOptions link;
  std::string mission;
  bool start = false;
  bool watch = false;
  bool json = false;
  double duration = 0;  // [s]; 0: until it ends, or Ctrl-C
};

// Everything about one robot that a mission needs.
class Connection {
 public:
  static Result<Connection> open(const LinkOptions& options) {
    for (const auto& [flag, value] :
         {std::pair("--connect", &options.connect), {"--server-key", &options.server_key}}) {
      if (value->empty()) return Error{std::string(flag) + " is required"};
    }
    auto setup = make_viewer_setup(options);
    if (!setup) return setup.error();
    auto viewer = net::Viewer::open(*setup);
    wipe(setup->keys.secret);
    if (!viewer) return viewer.error();
    return Connection(std::move(*viewer));
  }

  // False when it is no use to go on: the time is over, or somebody has pressed Ctrl-C.
  bool turn(double duration) {
    viewer_.poll(kTurn);
    sync::Client& client = viewer_.client();
    if (model_.look(client)) take_model();
    if (mission_.look(client, model_)) live_.set_mission(mission_.number(), mission_.path());
    if (client.newest()) live_.take(*client.newest());
    return !cli::interrupted() && (duration <= 0 || to_seconds(viewer_.now() - start_) < duration);
  }
  // Why the robot side will not have us; empty where it does.
  [[nodiscard]] std::string refusal() {
    if (viewer_.client().state(viewer_.now()) != sync::LinkState::refused) return "";
    return "the robot side does not allow this key; forerun keys allow on the robot's machine lets it in";
  }
  [[nodiscard]] net::Viewer& viewer() noexcept { return viewer_; }
  [[nodiscard]] const watch::MissionFetch& mission() const noexcept { return mission_; }
  // Reports come, and name none, or one that cannot be read.
  [[nodiscard]] bool has_no_mission() noexcept {
    const auto& newest = viewer_.client().newest();
    return newest && model_.model() != 0 && (!newest->mission || mission_.is_unreadable(newest->mission->number));
  }
  [[nodiscard]] std::optional<watch::MissionProgress> progress() {
    return watch::look_at_mission(viewer_.client(), mission_, live_, viewer_.now());
  }

 private:
  explicit Connection(net::Viewer viewer) : viewer_(std::move(viewer)), start_(viewer_.now()) {}

  void take_model() {
    const auto bundle = sim::unpack_model(model_.bundle());
    if (!bundle) return;
    viewer_.client().set_world_bounds(world::bounds(bundle->world));
    auto live = predict::make_live_robot(bundle->world, bundle->robot);
    if (live) live_ = std::move(*live);
    live_.set_mission(mission_.number(), mission_.path());
  }

  net::Viewer viewer_;
  OperatorTime start_;
  watch::ModelFetch model_;
  watch::MissionFetch mission_;
  predict::LiveRobot live_;
};

int ended(const MissionLinkOptions& options, const char* what) {
  if (cli::interrupted()) return cli::kInterrupted;
  char text[96];
  std::snprintf(text, sizeof text, "%s within %g s", what, options.duration);
  return cli::complain({text, ErrorKind::impossible});
}

int refused(const std::string& why) { return cli::complain({"the robot refused it: " + why, ErrorKind::impossible}); }

// The newest word on a command that was given.
const sync::CommandRecord* record_of(const sync::Client& client, std::uint64_t number) {
  const sync::CommandRecord* found = nullptr;
  for (const sync::CommandRecord& record : client.commands().records()) {
    if (record.number == number) found = &record;
  }
  return found;
}

// What the newest report says of this mission; nothing: it does not name it.
std::optional<robot::MissionStatus> status_of(const sync::Client& client, std::uint64_t mission) {
  const auto& newest = client.newest();
  const bool named = newest && newest->mission && newest->mission->number == mission;
  return named ? newest->mission : std::nullopt;
}

// Gives the command until the robot has begun or refuses: on a bad link an answer, or the command itself, may be lost.
// Each says how often the mission had been started: one that comes after another, and perhaps after a stop, moves
// nothing.
int start_mission(Connection& connection, std::uint64_t mission, const MissionLinkOptions& options) {
  using State = sync::CommandRecord::State;
  net::Viewer& viewer = connection.viewer();
  const OperatorTime end = viewer.now() + from_seconds(kPatience);
  std::optional<std::uint64_t> given;
  std::optional<std::uint16_t> starts;
  while (connection.turn(options.duration) && viewer.now() < end) {
    const auto status = status_of(viewer.client(), mission);
    if (!starts && status) starts = status->starts;
    if (!starts) continue;
    const sync::CommandRecord* record = given ? record_of(viewer.client(), *given) : nullptr;
    const bool begun = status && status->starts > *starts;
    if (begun || (record != nullptr && record->state == State::executed)) {
      std::fprintf(stderr, "the robot has begun the mission\n");
      return cli::kDone;
    }
    if (record != nullptr && record->state == State::pending) continue;
    const bool too_late = record != nullptr && record->outcome == sync::Outcome::stale;
    if (record != nullptr && record->state == State::refused && !too_late) return refused(watch::refusal_text(*record));
    given = viewer.give({.kind = robot::CommandKind::start, .mission = mission, .starts = *starts});
  }
  if (cli::interrupted()) return cli::kInterrupted;
  return cli::complain(
      {"the robot did not answer to the start; it may have begun all the same", ErrorKind::impossible});
}

void show(const MissionLinkOptions& options, const watch::MissionProgress& progress, const Connection& connection) {
  if (options.json) {
    std::printf("%s\n", to_json(progress, connection.mission()).dump().c_str());
  } else {
    std::printf("%s\n", to_line(progress).c_str());
  }
}

// How it ended; nothing while it goes on.
std::optional<int> code_of(const watch::MissionProgress& progress) {
  const robot::MissionStatus& status = progress.said;
  if (status.state == robot::MissionState::done) return cli::kDone;
  if (status.state != robot::MissionState::handed_back) return std::nullopt;
  const bool taken = status.departure == robot::Departure::none;
  return cli::complain({std::string("the robot stopped and handed back: ") +
                            (taken ? "somebody took over" : to_string(status.departure)) +
                            (progress.action.empty() ? "" : ": " + progress.action),
                        ErrorKind::impossible});
}

// Until the mission is over: the one of this number, or where there is none, whatever mission the robot has. Nothing
// counts as its end before it has been started `starts` times.
struct Followed {
  std::optional<std::uint64_t> number;
  std::uint16_t starts = 0;
};
int follow(Connection& connection, const Followed& followed, const MissionLinkOptions& options) {
  net::Viewer& viewer = connection.viewer();
  OperatorTime next = viewer.now();
  while (connection.turn(options.duration)) {
    if (const std::string why = connection.refusal(); !why.empty()) return refused(why);
    if (!followed.number && connection.has_no_mission()) return cli::complain(kNoMission);
    const auto progress = connection.progress();
    if (!progress || (followed.number && progress->said.number != *followed.number)) continue;
    const bool counts = progress->said.starts >= followed.starts;
    const bool over = counts && (progress->said.state == robot::MissionState::done ||
                                 progress->said.state == robot::MissionState::handed_back);
    if (viewer.now() < next && !over) continue;
    next = viewer.now() + kLine;
    show(options, *progress, connection);
    if (const auto printed = cli::flush_output(); !printed) return cli::complain(printed.error());
    if (over) return *code_of(*progress);
  }
  return ended(options, connection.progress() ? "the mission was not over" : "nothing was heard of a mission");
}

int upload(const MissionLinkOptions& options) {
  const auto file = io::load_mission(options.mission);
  if (!file) return cli::complain(file.error());
  if (file->signature) {
    const net::SodiumCipher cipher;  // starts libsodium
    const auto right = io::check_signature(*file, options.mission, [](const io::MissionSignature& s, Bytes content) {
      return net::is_signed_by(s.key, content, s.value);
    });
    if (!right) return cli::complain(right.error());
  }
  const auto bytes = mission::to_bytes(file->mission);
  if (!bytes) return cli::complain({options.mission + ": " + bytes.error().message});
  auto connection = Connection::open(options.link);
  if (!connection) return cli::complain(connection.error());
  cli::catch_interrupts();
  net::Viewer& viewer = connection->viewer();
  const std::uint64_t number = viewer.bring_mission(*bytes);
  {
    cli::Progress progress("upload");
    while (!viewer.client().delivery().verdict()) {
      if (!connection->turn(options.duration)) return ended(options, "the robot did not take the mission");
      if (const std::string why = connection->refusal(); !why.empty()) return refused(why);
      progress.update(viewer.client().delivery().share());
    }
  }
  const sync::Verdict verdict = *viewer.client().delivery().verdict();
  if (verdict.taken != sync::Taken::yes) return refused(watch::refusal_text(verdict));
  std::fprintf(stderr, "the robot has the mission %s\n", file->mission.name.c_str());
  const std::string digits = to_hex(number);
  std::printf("%s\n", options.json ? nlohmann::json{{"mission", digits}}.dump().c_str() : digits.c_str());
  Followed followed{number};
  if (options.start) {
    const auto known = status_of(viewer.client(), number);
    followed.starts = static_cast<std::uint16_t>((known ? known->starts : 0) + 1);
    if (const int code = start_mission(*connection, number, options); code != cli::kDone) return code;
  }
  return options.watch ? follow(*connection, followed, options) : cli::kDone;
}

int watch_mission(const MissionLinkOptions& options) {
  auto connection = Connection::open(options.link);
  if (!connection) return cli::complain(connection.error());
  cli::catch_interrupts();
  Followed followed;
  if (options.start) {
    while (!connection->progress()) {
      if (!connection->turn(options.duration)) return ended(options, "nothing was heard of a mission");
      if (const std::string why = connection->refusal(); !why.empty()) return refused(why);
      if (connection->has_no_mission()) return cli::complain(kNoMission);
    }
    const robot::MissionStatus before = connection->progress()->said;
    followed = {before.number, static_cast<std::uint16_t>(before.starts + 1)};
    if (const int code = start_mission(*connection, before.number, options); code != cli::kDone) return code;
  }
  return follow(*connection, followed, options);
}

void add_options(CLI::App& step, MissionLinkOptions& options) {
  add_link_options(step, options.link);
  step.add_flag("--json", options.json, "print how it goes as one line of JSON a second");
  step.add_option("--for-s", options.duration, "give up or end after this time (0: with Ctrl-C)")
      ->check(CLI::Range(0.0, 1e9));
}

}  // namespace

MissionStep add_mission_upload(CLI::App& app) {
  const auto options = std::make_shared<MissionLinkOptions>();
  CLI::App* step = app.add_subcommand("upload",
                                      "Signs a mission with your key and brings it to a robot, in whole or not at all. "
                                      "Prints the number under which the robot has it.");
  step->add_option("mission", options->mission, "mission file")->required();
  add_options(*step, *options);
  step->add_flag("--start", options->start, "start it as soon as the robot has it");
  step->add_flag("--watch", options->watch, "then watch it until it is over");
  step->footer("Example:\n  forerun mission upload rounds.json --connect robot.example:7420 --server-key KEY --start");
  return {step, [options] { return upload(*options); }};
}

MissionStep add_mission_watch(CLI::App& app) {
  const auto options = std::make_shared<MissionLinkOptions>();
  CLI::App* step = app.add_subcommand("watch",
                                      "Says once a second where a robot on a mission should be, where it is predicted "
                                      "to be, and where it said it was; until the mission is over.");
  add_options(*step, *options);
  step->add_flag("--start", options->start, "start the mission that the robot has, or have it go on");
  step->footer("Example:\n  forerun mission watch --connect robot.example:7420 --server-key KEY");
  return {step, [options] { return watch_mission(*options); }};
}

}  // namespace forerun::app
