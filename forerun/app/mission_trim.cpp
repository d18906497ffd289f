// `forerun mission trim`: what is redundant in a recorded path is cut, and the rest becomes a mission (DEC-6 … DEC-8).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "forerun/app/mission_command.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/draw/plan_picture.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/mission_file.hpp"
#include "forerun/io/path_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/make_mission.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/sodium_cipher.hpp"

namespace forerun::app {
namespace {

struct TrimOptions {
  std::string path, world, robot, output, name, keys, json, svg;
  std::vector<std::string> keep;
  std::vector<int> undo;
  bool sign = false;
  mission::Redundancy redundancy;
};

struct Trimmed {
  world::World world;
  robot::Description robot;
  mission::RecordedPath path;
  mission::Trim trim;
  mission::Mission mission;
  mission::Trial trial;
};

Result<mission::Trim> cut(const TrimOptions& options, const mission::RecordedPath& path) {
  std::vector<mission::KeptRegion> keep;
  for (const std::string& text : options.keep) {
    const auto region = parse_numbers({"--keep", 3, 3, "x, y and a radius in metres, such as 3,4.5,1"}, text);
    if (!region) return region.error();
    keep.push_back({{(*region)[0], (*region)[1]}, (*region)[2]});
  }
  mission::Trim trim = mission::find_cuts(path, options.redundancy, keep);
  for (const int number : options.undo) {
    if (number < 1 || static_cast<std::size_t>(number) > trim.cuts.size()) {
      return Error{"--undo is " + std::to_string(number) + ", but must be the number of one of " +
                   std::to_string(trim.cuts.size()) + " cuts"};
    }
    trim.cuts[static_cast<std::size_t>(number) - 1].applied = false;
  }
  return trim;
}

Result<Trimmed> trim(const TrimOptions& options) {
  auto path = io::load_path(options.path);
  if (!path) return path.error();
  auto world = atlas::load_named_world(options.world);
  if (!world) return world.error();
  auto robot = atlas::load_named_robot(options.robot);
  if (!robot) return robot.error();
  auto cuts = cut(options, *path);
  if (!cuts) return cuts.error();
  const std::string name = options.name.empty() ? io::bare_name(options.output) : options.name;
  auto made = mission::make_mission(name, mission::apply_cuts(*path, cuts->cuts), *world, *robot);
  if (!made) return Error{options.path + ": " + made.error().message, made.error().kind};
  return Trimmed{std::move(*world), std::move(*robot),        std::move(*path),
                 std::move(*cuts),  std::move(made->mission), std::move(made->trial)};
}

nlohmann::ordered_json to_json(const Trimmed& t) {
  nlohmann::ordered_json cuts = nlohmann::ordered_json::array(), uncut = cuts;
  for (const mission::Cut& c : t.trim.cuts) {
    cuts.push_back({{"kind", mission::to_string(c.kind)},
                    {"from_s", t.path[c.from].time},
                    {"to_s", t.path[c.to].time},
                    {"length_m", c.length_m},
                    {"gap_m", c.gap_m},
                    {"applied", c.applied}});
  }
  for (const mission::Uncut& u : t.trim.uncut) {
    uncut.push_back({{"kind", mission::to_string(u.kind)},
                     {"from_s", t.path[u.from].time},
                     {"to_s", t.path[u.to].time},
                     {"length_m", u.length_m},
                     {"why", mission::to_string(u.why)}});
  }
  return {{"cuts", cuts},
          {"uncut", uncut},
          {"pinch_points", t.trim.pinches.size()},
          {"length_before_m", mission::lengths_along(t.path).back()},
          {"length_after_m", mission::length_of(t.mission.path)},
          {"duration_before_s", t.path.back().time},
          {"duration_after_s", t.mission.path.back().time},
          {"min_clearance_m", t.trial.min_clearance_m}};
}

std::string draw_picture(const Trimmed& t) {
  draw::PlanPicture picture(t.mission.name);
  picture.add_world(t.world);
  std::vector<Vec2> tried, left;
  for (const auto& point : t.path) tried.push_back(point.pose.position());
  for (const auto& point : t.mission.path) left.push_back(point.pose.position());
  picture.add_path(tried, {.colour = "#c8321e", .width_px = 1.6, .dashed = true, .label = "tried out"});
  picture.add_path(left, {.colour = "#1f5fa8", .label = "mission"});
  picture.add_start(t.mission.path.front().pose);
  return picture.svg();
}

// Signed with the key of this machine where that is wanted.
Result<std::string> write_signed(const TrimOptions& options, const mission::Mission& mission) {
  if (!options.sign) return io::write_mission(mission);
  net::SodiumCipher cipher;
  const auto folder = io::find_key_folder(options.keys);
  if (!folder) return folder.error();
  const auto keys = io::load_keys(*folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
  if (!keys) return keys.error();
  return io::write_mission(mission, [&](Bytes content) {
    return io::MissionSignature{keys->open, net::sign(keys->secret, content, cipher)};
  });
}

void print(const TrimOptions& options, const Trimmed& t) {
  int number = 0;
  for (const mission::Cut& c : t.trim.cuts) {
    std::printf("%3d  %s%s\n", ++number, mission::describe(c, t.path).c_str(), c.applied ? "" : "   (taken back)");
  }
  std::printf("%s: %.1f m in %.1f s, tried out were %.1f m in %.1f s; never nearer to anything than %.2f m\n",
              options.output.c_str(), mission::length_of(t.mission.path), t.mission.path.back().time,
              mission::lengths_along(t.path).back(), t.path.back().time, t.trial.min_clearance_m);
  print_actions(t.mission);
}

int run_trim(const TrimOptions& options) {
  if (auto apart = cli::keep_apart({{"--output", options.output}, {"--json", options.json}, {"--svg", options.svg}});
      !apart) {
    return cli::complain(apart.error());
  }
  if (auto kept = cli::keep_inputs({options.path}, {options.output, options.json, options.svg}); !kept) {
    return cli::complain(kept.error());
  }
  const auto trimmed = trim(options);
  if (!trimmed) return cli::complain(trimmed.error());
  const auto text = write_signed(options, trimmed->mission);
  if (!text) return cli::complain(text.error());
  auto done = io::write_file(options.output, *text);
  if (done && !options.svg.empty()) done = io::write_file(options.svg, draw_picture(*trimmed));
  if (done && !options.json.empty()) done = cli::write_json(options.json, to_json(*trimmed));
  if (!done) return cli::complain(done.error());
  if (options.json != "-") print(options, *trimmed);
  return cli::kDone;
}

}  // namespace

MissionStep add_mission_trim(CLI::App& app) {
  const auto options = std::make_shared<TrimOptions>();
  CLI::App* step = app.add_subcommand(
      "trim", "Cuts what is redundant in a recorded path and writes the rest as a mission, within the robot's limits.");
  step->add_option("path", options->path, "recorded path (CSV, may be packed with gzip)")->required();
  step->add_option("--world", options->world, "where it was tried out: a file, or a bare name")->required();
  step->add_option("--robot", options->robot, "which robot: a file, or a bare name")->required();
  step->add_option("-o,--output", options->output, "mission to write (JSON)")->required();
  for (const auto& [flag, key] : {std::pair("--bump-m", "bump_m"), std::pair("--back-and-forth-m", "back_and_forth_m"),
                                  std::pair("--loop-m", "loop_m"), std::pair("--dwell-s", "dwell_s"),
                                  std::pair("--reach-m", "reach_m"), std::pair("--shortest-m", "shortest_m")}) {
    cli::add_param_option(*step, flag, options->redundancy, key);
  }
  step->add_option("--keep", options->keep, "x,y,radius of a place that loses nothing; may be given several times");
  step->add_option("--undo", options->undo, "number of a cut that is taken back; may be given several times");
  step->add_option("--name", options->name, "of the mission; else that of the file");
  step->add_flag("--sign", options->sign, "sign it with the key of this machine (forerun keys)");
  step->add_option("--keys", options->keys, "folder of the keys");
  step->add_option("--svg", options->svg, "draw both paths into this file");
  step->add_option("--json", options->json, "write cuts and figures as JSON (- for standard output)");
  step->footer(
      "Example:\n  forerun mission trim tried.csv --world bonn-office --robot turtle --keep 11.3,5,1 --sign -o "
      "rounds.json");
  return {step, [options] { return run_trim(*options); }};
}

}  // namespace forerun::app
