// `forerun mission record`: a try-out with the copy of a robot, by goals, by a program or by velocities (DEC-5).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "forerun/app/mission_command.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/path_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/action.hpp"
#include "forerun/mission/record_drive.hpp"
#include "forerun/mission/wall_follower.hpp"

namespace forerun::app {
namespace {

constexpr const char* kWallFollower = "wall-follower";

struct RecordOptions {
  std::string world, robot, from = "0,0,0", commands, program, output;
  std::vector<std::string> to;
  double duration_s = 60;
};

struct Inputs {
  sim::Setting setting;
  std::vector<std::string> actions;  // one for each goal; empty: none
};

// x,y or x,y,wait or x,y,wait,action
Result<void> add_waypoint(const std::string& text, sim::Scenario& scenario, std::vector<std::string>& actions) {
  std::size_t end = text.find(',');
  for (int i = 0; i < 2 && end != text.npos; ++i) end = text.find(',', end + 1);
  const std::string action = end == text.npos ? "" : text.substr(end + 1);
  const auto to =
      parse_numbers({"--to", 2, 3, "x, y and, if wanted, a wait in seconds and an action, such as 3,4.5,10,photo"},
                    text.substr(0, end));
  if (!to) return to.error();
  double wait = to->size() > 2 ? (*to)[2] : 0;
  if (!(wait >= 0 && wait <= mission::kLongestMission))
    return Error{"--to is " + io::quote(text) + ", but a wait must be from 0 to " + io::show(mission::kLongestMission) +
                 " s"};
  if (end != text.npos && !mission::is_action_name(action)) {
    return Error{"--to is " + io::quote(text) + ", but an action must have " + mission::kActionRule};
  }
  if (!action.empty()) wait = std::max(wait, mission::kActionWait);
  scenario.goals.push_back({"", {(*to)[0], (*to)[1]}, wait});
  actions.push_back(action);
  return {};
}

Result<Inputs> load_inputs(const RecordOptions& options) {
  auto world = atlas::load_named_world(options.world);
  if (!world) return world.error();
  auto robot = atlas::load_named_robot(options.robot);
  if (!robot) return robot.error();
  const auto from =
      parse_numbers({"--from", 2, 3, "x, y and, if wanted, a heading in radians, such as 0.6,1.25,0"}, options.from);
  if (!from) return from.error();
  sim::Scenario scenario;
  scenario.start = {(*from)[0], (*from)[1], from->size() > 2 ? (*from)[2] : 0};
  std::vector<std::string> actions;
  for (const std::string& text : options.to) {
    if (auto added = add_waypoint(text, scenario, actions); !added) return added.error();
  }
  return Inputs{{std::move(*world), std::move(*robot), std::move(scenario), sim::kExact}, std::move(actions)};
}

Result<std::vector<mission::HandCommand>> load_commands(const std::string& path) {
  const auto log = io::load_drive_log(path);
  if (!log) return log.error();
  using io::DriveColumn;
  std::vector<mission::HandCommand> commands;
  for (const io::DriveRow& row : log->rows) {
    if (!row.has(DriveColumn::t_s) || !row.has(DriveColumn::v_cmd_mps) || !row.has(DriveColumn::w_cmd_radps)) {
      return Error{path + ": every line must have t_s, v_cmd_mps and w_cmd_radps"};
    }
    const double time = row[DriveColumn::t_s];
    if (time < 0 || time > 1e5 || (!commands.empty() && time < commands.back().time)) {
      return Error{path + ": t_s is " + io::show(time) + ", but times must grow from 0 to at most 100000"};
    }
    commands.push_back({time, {row[DriveColumn::v_cmd_mps], 0, row[DriveColumn::w_cmd_radps]}});
  }
  if (commands.empty()) return Error{path + " holds no commands"};
  return commands;
}

Result<mission::RecordedPath> drive_program(const RecordOptions& options, const sim::Model& model) {
  if (options.program != kWallFollower) {
    return Error{"--program is " + io::quote(options.program) + ", but must be " + kWallFollower +
                 "; programs of your own implement navigate::ControlSystem (docs/missions.md)"};
  }
  if (!mission::can_follow_walls(model.robot)) {
    return Error{"--program " + options.program + " needs a robot with a side sensor and a bumper, which " +
                 io::quote(model.robot.name) + " is not"};
  }
  mission::WallFollower follower(model.robot);
  return mission::record_program(model, follower, options.duration_s);
}

Result<mission::RecordedPath> try_out(const RecordOptions& options) {
  const int n_ways =
      (options.to.empty() ? 0 : 1) + (options.commands.empty() ? 0 : 1) + (options.program.empty() ? 0 : 1);
  if (n_ways != 1) return Error{"record needs one of --to, --commands and --program: who drives"};
  const auto inputs = load_inputs(options);
  if (!inputs) return inputs.error();
  const auto model = sim::make_model(inputs->setting, 1);
  if (!model) return model.error();
  if (!options.program.empty()) return drive_program(options, *model);
  if (options.commands.empty()) return mission::record_goals(*model, mission::kLongestMission, inputs->actions);
  const auto commands = load_commands(options.commands);
  if (!commands) return commands.error();
  return mission::record_commands(*model, *commands);
}

int record(const RecordOptions& options) {
  if (auto kept = cli::keep_inputs({options.commands}, {options.output}); !kept) return cli::complain(kept.error());
  auto output = io::PendingFile::open(options.output);
  if (!output) return cli::complain(output.error());
  const auto path = try_out(options);
  if (!path) return cli::complain(path.error());
  output->write(io::write_path(*path));
  if (auto written = output->commit(); !written) return cli::complain(written.error());
  std::printf("%s: %.1f m in %.1f s, %d bumps\n", options.output.c_str(), mission::lengths_along(*path).back(),
              path->back().time, mission::count_bumps(*path));
  return cli::kDone;
}

}  // namespace

MissionStep add_mission_record(CLI::App& app) {
  const auto options = std::make_shared<RecordOptions>();
  CLI::App* step = app.add_subcommand("record", "Drives the copy of a robot and writes its path down.");
  step->add_option("--world", options->world, "where: a file, or a bare name")->required();
  step->add_option("--robot", options->robot, "which robot: a file, or a bare name")->required();
  step->add_option("--from", options->from, "where it starts: x,y or x,y,heading")->capture_default_str();
  step->add_option("--to", options->to,
                   "waypoint for the planner: x,y or x,y,wait or x,y,wait,action; may be given several times");
  step->add_option("--commands", options->commands,
                   "velocities by hand: a drive log with t_s, v_cmd_mps and w_cmd_radps");
  step->add_option("--program", options->program, "a control system drives instead: wall-follower");
  step->add_option("--duration-s", options->duration_s, "how long the program drives")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e5));
  step->add_option("-o,--output", options->output, "recorded path to write (CSV)")->required();
  step->footer(
      "Example:\n  forerun mission record --world bonn-office --robot turtle --from 0.6,1.25,0 --to 11.3,5 --to "
      "16.4,-2.6,10,photo -o tried.csv");
  return {step, [options] { return record(*options); }};
}

}  // namespace forerun::app
