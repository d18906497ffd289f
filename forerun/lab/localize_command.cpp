// `forerun localize`: where the robot of a scan log was, on a map.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/draw/plan_picture.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/commands.hpp"
#include "forerun/lab/localize_inputs.hpp"
#include "forerun/lab/localize_run.hpp"

namespace forerun::lab {
namespace {

using Json = nlohmann::ordered_json;

struct LocalizeOptions {
  LocalizeFiles files;
  localize::LocalizeParams params;
  bool global = false;
  int starts = 20;
  std::uint64_t from = 0, seed = 1;
  std::vector<double> start;
  std::string mount = "upright", json, svg;
};

// Both, as far as they were asked for.
struct LocalizeResult {
  std::vector<LocalizedScan> scans;
  LocalizeScore score;
  std::optional<GlobalStarts> starts;
};

Json number_if(bool known, double value) { return known ? Json(value) : Json(nullptr); }

Json to_json(const LocalizeResult& r) {
  const LocalizeScore& s = r.score;
  Json json{{"scans", s.scans},
            {"lost_fraction", s.lost_fraction},
            {"position_rmse_m", number_if(s.scored, s.position_rmse_m)},
            {"heading_rmse_rad", number_if(s.scored, s.heading_rmse_rad)},
            {"p95_m", number_if(s.scored, s.p95_m)},
            {"time_to_localize_s", number_if(s.time_to_localize_s.has_value(), s.time_to_localize_s.value_or(0))},
            {"update_ms_p99", s.update_ms_p99},
            {"max_m", number_if(s.scored, s.max_m)},
            {"within_95", number_if(s.scored, s.within95)},
            {"way_to_localize_m", number_if(s.way_to_localize_m.has_value(), s.way_to_localize_m.value_or(0))},
            {"particles_mean", s.particles_mean}};
  if (r.starts) {
    json["starts"] = r.starts->starts;
    json["starts_localized"] = r.starts->localized;
    json["starts_wrong"] = r.starts->wrong;
    json["starts_way_mean_m"] = r.starts->way_mean_m;
    json["starts_way_max_m"] = r.starts->way_max_m;
  }
  return json;
}

void print(const LocalizeResult& r) {
  const LocalizeScore& s = r.score;
  if (!s.time_to_localize_s) {
    std::printf("%zu scans: never localized\n", s.scans);
  } else {
    std::printf("%zu scans: localized after %.1f s and %.1f m, from then on lost in %.1f %% of them\n", s.scans,
                *s.time_to_localize_s, *s.way_to_localize_m, 100 * s.lost_fraction);
  }
  if (s.scored) {
    std::printf(
        "off by %.3f m and %.2f degrees rms, 95 %% within %.3f m, at most %.3f m; in the region of 95 %%: %.1f %%\n",
        s.position_rmse_m, s.heading_rmse_rad * 180 / kPi, s.p95_m, s.max_m, 100 * s.within95);
  } else if (s.time_to_localize_s) {
    std::printf("there are no poses to compare with (--truth)\n");
  }
  std::printf("updates take at most %.1f ms in 99 of 100, with %.0f particles on average\n", s.update_ms_p99,
              s.particles_mean);
  if (!r.starts) return;
  std::printf(
      "from nothing: %d of %d starts localized within %.0f m (%d said to be elsewhere first), after %.1f m on "
      "average and %.1f m at most\n",
      r.starts->localized, r.starts->starts, kLongestWay, r.starts->wrong, r.starts->way_mean_m, r.starts->way_max_m);
}

Result<LaserMount> parse_mount(const std::string& text) {
  for (const LaserMount mount : {LaserMount{false, false}, {true, false}, {false, true}, {true, true}}) {
    if (text == to_string(mount)) return mount;
  }
  return Error{"--mount is " + io::quote(text) +
               ", but must be upright, backwards, upside-down or upside-down-backwards"};
}

std::string picture(const LocalizeInputs& inputs, const LocalizeResult& result, const std::string& log) {
  draw::PlanPicture picture("Localization of " + io::bare_name(log));
  Grid<std::uint8_t> free(inputs.map.frame());
  for (std::size_t i = 0; i < free.size(); ++i) free[i] = inputs.map[i] == localize::Occupancy::free ? 1 : 0;
  picture.add_grid(free);
  std::vector<Vec2> truth, believed;
  for (const LocalizedScan& scan : result.scans) {
    if (scan.truth) truth.push_back(scan.truth->position());
    if (scan.status == localize::Status::localized) believed.push_back(scan.pose.position());
  }
  if (!truth.empty()) picture.add_path(truth, {.colour = "#2c7a3f", .width_px = 3, .label = "truth"});
  picture.add_path(believed, {.width_px = 1.4, .label = "localized"});
  const LocalizeScore& s = result.score;
  picture.set_subtitle(s.scored ? "off by " + io::show(std::round(s.position_rmse_m * 1000) / 1000) + " m rms over " +
                                      std::to_string(s.scans) + " scans"
                                : std::to_string(s.scans) + " scans");
  return picture.svg();
}

// The start that was given, which must lie within the map.
Result<std::optional<Pose2>> start_on(const GridFrame& frame, const std::vector<double>& start) {
  constexpr double kLargestHeading = 1000;  // [rad]
  const Vec2 low = frame.origin, high = low + Vec2{frame.width * frame.cell_size, frame.height * frame.cell_size};
  const Vec2 at{start[0], start[1]};
  if (at.x < low.x || at.y < low.y || at.x > high.x || at.y > high.y) {
    return Error{"--start is " + io::show(at.x) + ", " + io::show(at.y) + ", but the map goes from " + io::show(low.x) +
                 ", " + io::show(low.y) + " to " + io::show(high.x) + ", " + io::show(high.y)};
  }
  if (std::fabs(start[2]) > kLargestHeading) {
    return Error{"--start has the heading " + io::show(start[2]) + ", but must have one in radians within ±" +
                 io::show(kLargestHeading)};
  }
  return std::optional(Pose2{at.x, at.y, normalize_angle(start[2])});
}

// Where it begins, if that is known.
Result<std::optional<Pose2>> find_start(const LocalizeOptions& options, const LocalizeInputs& inputs) {
  const io::ScanLog& log = inputs.log;
  if (options.from >= log.scans.size()) {
    return Error{"--from is " + std::to_string(options.from) + ", but must be less than the number of scans, " +
                 std::to_string(log.scans.size())};
  }
  if (options.global) return std::optional<Pose2>{};
  if (!options.start.empty()) return start_on(inputs.map.frame(), options.start);
  if (log.has_corrected()) return log.scans[options.from].corrected;
  return Error{options.files.log + " does not say where on the map it begins: give --start, --truth or --global"};
}

Result<LocalizeResult> localize_all(const LocalizeOptions& options, const LocalizeInputs& inputs) {
  auto start = find_start(options, inputs);
  if (!start) return start.error();
  const LocalizeTask task{inputs.log, inputs.map, options.params, options.seed, options.from, *start, 0};
  LocalizeResult result;
  {
    cli::Progress progress("localizing " + std::to_string(inputs.log.scans.size() - options.from) + " scans");
    result.scans = localize_log(task, [&](double share) { progress.update(share); });
  }
  result.score = score_localization(result.scans);
  if (options.global && options.starts > 0) {
    cli::Progress progress("starting " + std::to_string(options.starts) + " times from nothing");
    result.starts = try_starts(task, options.starts, [&](double share) { progress.update(share); });
  }
  return result;
}

LaserMount mount_turned(LaserMount given, const std::optional<LaserMount>& found) {
  if (!found) return given;
  return {given.backwards != found->backwards, given.upside_down != found->upside_down};
}

void warn(const LocalizeOptions& options, const LocalizeInputs& inputs) {
  if (const auto note = io::order_note(inputs.log, options.files.log); !note.empty()) {
    std::fprintf(stderr, "forerun: %s\n", note.c_str());
  }
  const LaserMount likely = mount_turned(options.files.mount, inputs.likely_mount);
  const LaserMount of_map = mount_turned(options.files.mount, inputs.likely_map_mount);
  if (inputs.map_of_scans && likely != of_map) {
    std::fprintf(
        stderr,
        "forerun: by the odometry in %s the laser is mounted %s, but by the poses in %s %s: headings do not mean "
        "the same in both, and --mount counts for both\n",
        options.files.log.c_str(), to_string(likely), options.files.map.c_str(), to_string(of_map));
    return;
  }
  if (!inputs.likely_mount) return;
  std::fprintf(stderr,
               "forerun: the scans of %s fit each other much better if the laser is mounted %s: say --mount %s\n",
               options.files.log.c_str(), to_string(likely), to_string(likely));
}

int localize(LocalizeOptions& options) {
  const auto mount = parse_mount(options.mount);
  if (!mount) return cli::complain(mount.error());
  options.files.mount = *mount;
  const std::vector<std::string> read{options.files.log, options.files.map, options.files.truth};
  if (auto kept = cli::keep_inputs(read, {options.json, options.svg}); !kept) return cli::complain(kept.error());
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--svg", options.svg}}); !apart) {
    return cli::complain(apart.error());
  }
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto svg = cli::open_pending(options.svg);
  if (!svg) return cli::complain(svg.error());
  const auto inputs = load_localize_inputs(options.files);
  if (!inputs) return cli::complain(inputs.error());
  warn(options, *inputs);
  const auto result = localize_all(options, *inputs);
  if (!result) return cli::complain(result.error());
  if (!options.svg.empty()) {
    const auto done = cli::write_text(options.svg, std::move(*svg), picture(*inputs, *result, options.files.log));
    if (!done) return cli::complain(done.error());
  }
  if (options.json.empty()) {
    if (options.svg != "-") print(*result);
    return cli::kDone;
  }
  const auto done = cli::write_json(options.json, std::move(*json), to_json(*result));
  return done ? cli::kDone : cli::complain(done.error());
}

void add_options(CLI::App& app, LocalizeOptions& options) {
  app.add_option("log", options.files.log, "scan log: CARMEN, or JSON of a Radish pair; may be packed with gzip")
      ->required();
  app.add_option("--map", options.files.map,
                 "a ROS map (.yaml), a world (.world.yaml, .glb), or a scan log with poses, of which the map is made")
      ->required();
  app.add_option("--every", options.files.every, "of a scan log given as the map, every so many-th scan makes the map")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option(
      "--truth", options.files.truth,
      "the same scans with better poses, to compare with; without it those of --map, where it is made of the "
      "same stamps, or the log's own");
  auto* global = app.add_flag("--global", options.global, "nothing is known of where it begins");
  app.add_option("--starts", options.starts, "so many further starts from nothing, spread over the log")
      ->needs(global)
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  app.add_option("--start", options.start, "x, y, heading on the map where it begins; without it, as the truth has it")
      ->delimiter(',')
      ->expected(3)
      ->excludes(global);
  app.add_option("--from", options.from, "number of the scan to begin with")->capture_default_str();
  app.add_option("--seed", options.seed, "of the random numbers; further starts count up from it")
      ->capture_default_str();
  app.add_option("--mount", options.mount,
                 "how the laser is mounted: upright, backwards, upside-down, upside-down-backwards")
      ->capture_default_str();
  app.add_option("--laser-height", options.files.laser_height, "of a world, what stands at this height is seen [m]")
      ->check(CLI::Range(0.0, 5.0))
      ->capture_default_str();
  cli::add_param_option(app, "--particles", options.params, "most_particles");
  cli::add_param_option(app, "--echo-sigma", options.params, "echo_sigma_m");
  app.add_option("--json", options.json, "write the figures as JSON to this file; -: standard output");
  app.add_option("--svg", options.svg, "draw the map, the truth and where it was localized");
}

}  // namespace

int run_localize(cli::Arguments arguments) {
  LocalizeOptions options;
  CLI::App app(
      "Finds where on a map the robot of a scan log was, scan by scan, from its odometry and its laser, and says how "
      "far off that is.",
      "localize");
  add_options(app, options);
  app.footer(
      "Examples (the Intel lab: its corrected poses make the map, every other scan; then its raw odometry is localized "
      "on it):\n"
      "  forerun localize intel_raw_odometry.json.gz --map intel_corrected.json.gz --json -\n"
      "  forerun localize intel_raw_odometry.json.gz --map intel_corrected.json.gz --global --starts 20\n"
      "On a map of one's own:\n"
      "  forerun localize drive.log --map office.yaml --start 1.5,2,0 --svg drive.svg");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return localize(options);
}

}  // namespace forerun::lab
