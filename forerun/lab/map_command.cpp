// `forerun map`: a map from odometry and laser scans (DEC-4).
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/commands.hpp"
#include "forerun/mapping/drive_map.hpp"
#include "forerun/mapping/floor_plan.hpp"
#include "forerun/mapping/map_files.hpp"
#include "forerun/mapping/map_picture.hpp"
#include "forerun/mapping/relations.hpp"

namespace forerun::lab {
namespace {

struct MapOptions {
  std::string log, output, world, svg, relations, json, mount = std::string(mapping::kLaserMounts[0]);
  mapping::DriveMapParams params;
  mapping::FloorPlanParams plan;

  // The picture beside the map's YAML.
  [[nodiscard]] std::string image() const {
    return output.empty() ? "" : std::filesystem::path(output).replace_extension(".pgm").string();
  }
};

// Files that are opened before the work begins, so that what cannot be written shows at once.
struct MapOutputs {
  std::optional<io::PendingFile> image, map, world, svg, json;
};

Result<void> check_outputs(const MapOptions& o) {
  if (!o.output.empty() && !o.output.ends_with(".yaml") && !o.output.ends_with(".yml"))
    return Error{"--output is " + io::quote(o.output) +
                 ", but must end in .yaml: its picture stands beside it as .pgm"};
  if (o.output.ends_with(".world.yaml"))
    return Error{"--output is " + io::quote(o.output) + ", but .world.yaml is the ending of worlds: see --world"};
  if (!o.world.empty() && !o.world.ends_with(".world.yaml"))
    return Error{"--world is " + io::quote(o.world) + ", but must end in .world.yaml"};
  if (auto kept = cli::keep_inputs({o.log, o.relations}, {o.output, o.image(), o.world, o.svg, o.json}); !kept)
    return kept.error();
  return cli::keep_apart({{"--output", o.output},
                          {"--output's picture", o.image()},
                          {"--world", o.world},
                          {"--svg", o.svg},
                          {"--json", o.json}});
}

Result<MapOutputs> open_outputs(const MapOptions& o) {
  if (auto checked = check_outputs(o); !checked) return checked.error();
  MapOutputs files;
  const std::pair<std::string, std::optional<io::PendingFile>*> all[] = {{o.image(), &files.image},
                                                                         {o.output, &files.map},
                                                                         {o.world, &files.world},
                                                                         {o.svg, &files.svg},
                                                                         {o.json, &files.json}};
  for (const auto& [path, file] : all) {
    auto opened = cli::open_pending(path);
    if (!opened) return opened.error();
    *file = std::move(*opened);
  }
  return files;
}

// What was found out, before it is written.
struct MapFindings {
  const mapping::DriveMap* drive;
  Grid<atlas::MapCell> cells;
  double turn = 0;
  std::vector<mapping::ScanRelation> relations;
  std::optional<mapping::RelationScore> score;  // where there are relations
  double wall_s = 0;
};

nlohmann::ordered_json to_json(const MapFindings& f) {
  nlohmann::ordered_json json;
  json["relations"] = f.relations.size();
  json["relation_error_m"] = f.score ? nlohmann::ordered_json(f.score->error) : nlohmann::ordered_json();
  json["relation_error_rad"] = f.score ? nlohmann::ordered_json(f.score->turn_error) : nlohmann::ordered_json();
  json["wall_s"] = f.wall_s;
  json["loop_closures"] = f.drive->mapper().n_closures();
  return json;
}

std::string summary(const MapFindings& f) {
  char text[160];
  std::snprintf(text, sizeof text, "%zu scans matched, %d times a known place recognised, %.1f by %.1f m",
                f.drive->mapper().placed().sweeps.size(), f.drive->mapper().n_closures(),
                f.cells.frame().width * f.cells.frame().cell_size, f.cells.frame().height * f.cells.frame().cell_size);
  return text;
}

void print(const MapFindings& f) {
  std::printf("%s, in %.1f s\n", summary(f).c_str(), f.wall_s);
  if (!f.score) return;
  std::printf("%zu relations: %.4f m and %.3f degrees off on the mean\n", f.relations.size(), f.score->error,
              f.score->turn_error * 180 / kPi);
}

Result<void> write(const MapFindings& f, const MapOptions& o, MapOutputs& files) {
  const std::string title = "map of " + io::bare_name(o.log);
  const auto svg = o.svg.empty() ? Result<std::string>(std::string())
                                 : mapping::draw_map(f.drive->mapper(), f.cells, f.turn, title, summary(f));
  if (!svg) return svg.error();
  const std::string image = std::filesystem::path(o.image()).filename().string();
  // the picture first: whoever sees the map finds it
  if (auto done = cli::write_text(o.image(), std::move(files.image), mapping::write_pgm(f.cells)); !done) return done;
  if (auto done = cli::write_text(o.output, std::move(files.map), mapping::write_ros_map(f.cells, image)); !done)
    return done;
  if (auto done =
          cli::write_text(o.world, std::move(files.world), mapping::write_world(f.cells, io::bare_name(o.world)));
      !done)
    return done;
  if (auto done = cli::write_text(o.svg, std::move(files.svg), *svg); !done) return done;
  if (!o.json.empty()) return cli::write_json(o.json, std::move(files.json), to_json(f));
  if (o.svg != "-") print(f);
  return {};
}

// Relations between scans of the log; none where no file is named.
Result<std::vector<mapping::ScanRelation>> load_relations(const MapOptions& options, const io::ScanLog& log) {
  if (options.relations.empty()) return std::vector<mapping::ScanRelation>();
  const auto relations = mapping::load_relations(options.relations);
  if (!relations) return relations.error();
  std::vector<double> stamps;
  for (const io::LoggedScan& scan : log.scans) stamps.push_back(scan.stamp);
  auto matched = mapping::match_relations(*relations, options.relations, stamps);
  if (matched && matched->size() < relations->size()) {
    std::fprintf(stderr,
                 "forerun: %zu of the %zu relations in %s are left out: the log has no scans with their stamps\n",
                 relations->size() - matched->size(), relations->size(), options.relations.c_str());
  }
  return matched;
}

// What the finished drive tells.
Result<MapFindings> find_out(const mapping::DriveMap& drive, const MapOptions& options,
                             std::vector<mapping::ScanRelation> relations) {
  MapFindings findings{&drive, {}, mapping::find_wall_turn(drive.mapper().placed()), std::move(relations), {}, 0};
  auto cells = mapping::draw_floor_plan(drive.mapper().placed(), findings.turn, options.plan);
  if (!cells) return Error{options.log + ": " + cells.error().message, cells.error().kind};
  findings.cells = std::move(*cells);
  if (!findings.relations.empty()) {
    findings.score =
        mapping::score_relations(findings.relations, [&](std::size_t scan) { return drive.pose_of(scan); });
  }
  return findings;
}

int map_drive(const MapOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto log = io::load_scan_log(options.log);
  if (!log) return cli::complain(log.error());
  if (const auto note = io::order_note(*log, options.log); !note.empty()) {
    std::fprintf(stderr, "forerun: %s\n", note.c_str());
  }
  auto relations = load_relations(options, *log);
  if (!relations) return cli::complain(relations.error());
  auto files = open_outputs(options);
  if (!files) return cli::complain(files.error());

  cli::catch_interrupts();
  cli::Progress progress("mapping " + std::to_string(log->scans.size()) + " scans");
  const auto go_on = [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  };
  const auto drive =
      mapping::DriveMap::make(*log, options.log, mapping::laser_mount_named(options.mount), options.params, go_on);
  if (cli::interrupted()) return cli::kInterrupted;
  if (!drive) return cli::complain(drive.error());

  auto findings = find_out(*drive, options, std::move(*relations));
  if (!findings) return cli::complain(findings.error());
  findings->wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto written = write(*findings, options, *files);
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

int run_map(cli::Arguments arguments) {
  MapOptions options;
  CLI::App app(
      "Makes a map from a drive's odometry and laser scans: matches scan to scan, recognises places that it has seen "
      "before, and makes everything fit. Writes a map for ROS, a world for the simulator, and a picture.",
      "map");
  app.add_option("log", options.log, "scan log: CARMEN, or JSON of Radish (may be packed with gzip)")->required();
  app.add_option("-o,--output", options.output, "write the map to this .yaml, and its picture beside it as .pgm");
  app.add_option("--world", options.world, "write the map as a world to this .world.yaml");
  app.add_option("--svg", options.svg, "draw the map, the way driven and the places recognised into this file");
  app.add_option("--relations", options.relations,
                 "how poses of the drive lie to each other in truth, to judge the map by");
  app.add_option("--json", options.json, "write the figures as JSON to this file; -: standard output");
  app.add_option("--mount", options.mount, "how the laser is mounted")
      ->check(CLI::IsMember(mapping::laser_mount_names()))
      ->capture_default_str();
  cli::add_param_option(app, "--resolution", options.plan, "resolution_m")->capture_default_str();
  app.footer(
      "Examples:\n"
      "  forerun map drive.log.gz -o floor.yaml --svg floor.svg\n"
      "  forerun map drive.log.gz --world floor.world.yaml --relations drive.relations --json -");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return map_drive(options);
}

}  // namespace forerun::lab
