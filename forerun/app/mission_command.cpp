// `forerun mission`: from a try-out to a file that a robot can execute, and whether it still can.
#include "forerun/app/mission_command.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "forerun/app/commands.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/mission_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/rehearsal.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"

namespace forerun::app {
namespace {

struct CheckOptions {
  std::string mission, world, robot, signed_by, json;
};

// What can be known without driving it.
Result<void> check_file(const CheckOptions& options, const io::MissionFile& file, const robot::Description& robot) {
  if (auto ok = io::check_fits(file.mission, robot, options.mission); !ok) return ok;
  if (!file.signature && options.signed_by.empty()) return {};
  const net::SodiumCipher cipher;  // starts libsodium
  auto ok = io::check_signature(file, options.mission, [](const io::MissionSignature& signature, Bytes content) {
    return net::is_signed_by(signature.key, content, signature.value);
  });
  if (!ok || options.signed_by.empty()) return ok;
  const auto wanted = io::parse_key(options.signed_by, "--signed-by " + io::quote(options.signed_by));
  if (!wanted) return wanted.error();
  if (file.signature->key == *wanted) return {};
  return Error{options.mission + " is signed by " + io::show_key(file.signature->key) + ", not by " +
               options.signed_by};
}

Result<mission::Trial> drive(const CheckOptions& options, const mission::Mission& mission, const world::World& world,
                             const robot::Description& robot) {
  char text[160];
  if (mission.path.back().time > mission::kLongestMission) {
    return Error{options.mission + " takes longer than an hour, which no robot accepts"};
  }
  if (const auto leap = mission::find_leap(mission, robot)) {
    std::snprintf(text, sizeof text, " asks for more speed than the robot has, %.1f s after its beginning", *leap);
    return Error{options.mission + text};
  }
  const auto known = mission::make_rehearsed_world(world, robot);
  if (!known) return Error{options.mission + ": " + known.error().message};
  if (const auto found = mission::find_obstruction(mission, *known)) {
    std::snprintf(text, sizeof text, "the path leads through something at (%.2f, %.2f), %.1f s after its beginning",
                  found->place.x, found->place.y, found->time);
    return Error{options.mission + ": in " + world.name + " " + text};
  }
  auto trial = mission::rehearse(mission, world, robot);
  if (!trial) return Error{options.mission + ": " + trial.error().message};
  if (trial->state == mission::MissionState::done && trial->collisions == 0) return trial;
  return Error{options.mission + ": in " + world.name +
               " the robot would not get to the end: " + (trial->why.empty() ? "it takes too long" : trial->why)};
}

nlohmann::ordered_json to_json(const io::MissionFile& file, const mission::Trial& trial) {
  const mission::Mission& m = file.mission;
  nlohmann::ordered_json actions = nlohmann::ordered_json::array();
  for (const mission::Action& action : m.actions) actions.push_back({{"time_s", action.time}, {"name", action.name}});
  return {{"name", m.name},
          {"robot", m.robot},
          {"world", m.world},
          {"points", m.path.size()},
          {"length_m", mission::length_of(m.path)},
          {"duration_s", m.path.back().time},
          {"actions", actions},
          {"signed_by", file.signature ? nlohmann::ordered_json(io::show_key(file.signature->key)) : nullptr},
          {"min_clearance_m", trial.min_clearance_m},
          {"cross_track_max_m", trial.cross_track_max_m},
          {"driven_s", trial.duration_s}};
}

int check(const CheckOptions& options) {
  const auto file = io::load_mission(options.mission);
  if (!file) return cli::complain(file.error());
  const auto robot = atlas::load_named_robot(options.robot.empty() ? file->mission.robot : options.robot);
  if (!robot) return cli::complain(robot.error());
  const auto world = atlas::load_named_world(options.world);
  if (!world) return cli::complain(world.error());
  if (const auto ok = check_file(options, *file, *robot); !ok) return cli::complain(ok.error());
  const auto trial = drive(options, file->mission, *world, *robot);
  if (!trial) return cli::complain(trial.error());
  const auto result = to_json(*file, *trial);
  if (!options.json.empty()) {
    if (const auto written = cli::write_json(options.json, result); !written) return cli::complain(written.error());
  }
  if (options.json == "-") return cli::kDone;
  std::printf("%s: %.1f m in %.1f s for %s, %s; driven in %s, never nearer to anything than %.2f m\n",
              options.mission.c_str(), result["length_m"].get<double>(), result["duration_s"].get<double>(),
              file->mission.robot.c_str(),
              file->signature ? ("signed by " + io::show_key(file->signature->key)).c_str() : "not signed",
              world->name.c_str(), trial->min_clearance_m);
  print_actions(file->mission);
  return cli::kDone;
}

}  // namespace

void print_actions(const mission::Mission& mission) {
  for (const mission::Action& action : mission.actions) std::printf("%8.1f s  %s\n", action.time, action.name.c_str());
}

Result<std::vector<double>> parse_numbers(const NumberList& list, const std::string& text) {
  std::vector<double> numbers;
  bool good = true;
  for (std::size_t at = 0; at <= text.size() && good;) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto number = io::parse_number(std::string_view(text).substr(at, end - at));
    good = number && std::isfinite(*number);
    if (good) numbers.push_back(*number);
    at = end + 1;
  }
  if (good && numbers.size() >= list.least && numbers.size() <= list.most) return numbers;
  return Error{std::string(list.flag) + " is " + io::quote(text) + ", but must be " + list.meaning};
}

MissionStep add_mission_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* step = app.add_subcommand("check",
                                      "Says whether a mission is whole and signed, fits the robot, and can be driven "
                                      "in a world that may have changed.");
  step->add_option("mission", options->mission, "mission file")->required();
  step->add_option("--world", options->world, "the world as it is now: a file, or a bare name")->required();
  step->add_option("--robot", options->robot, "the robot: a file, or a bare name; else by the mission's name for it");
  step->add_option("--signed-by", options->signed_by, "public key of 44 letters that must have signed it");
  step->add_option("--json", options->json, "write the result as JSON (- for standard output)");
  step->footer("Example:\n  forerun mission check rounds.json --world bonn-office");
  return {step, [options] { return check(*options); }};
}

int run_mission(cli::Arguments arguments) {
  CLI::App app(
      "Missions: a drive is tried out with the copy of a robot, trimmed and given wheel velocities, and checked, all "
      "without a robot; then it is uploaded, and the robot executes it by itself.",
      "mission");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  forerun mission record --world bonn-office --robot turtle --from 0.6,1.25,0 --to 11.3,5 -o tried.csv\n"
      "  forerun mission trim tried.csv --world bonn-office --robot turtle -o rounds.json\n"
      "  forerun mission check rounds.json --world bonn-office\n"
      "  forerun mission upload rounds.json --connect robot.example:7420 --server-key KEY --start\n"
      "  forerun mission watch --connect robot.example:7420 --server-key KEY");
  const MissionStep steps[] = {add_mission_record(app), add_mission_trim(app), add_mission_check(app),
                               add_mission_upload(app), add_mission_watch(app)};
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  for (const MissionStep& step : steps) {
    if (step.app->parsed()) return step.run();
  }
  return cli::kBadInput;
}

}  // namespace forerun::app
