// `forerun study kenaf`: how alike two tracked robots move that are not quite the same, and how well one is predicted
// by the other (KEN-6).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/kenaf_study_page.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/lab/tracked_robot.hpp"

namespace forerun::lab {
namespace {

using Json = nlohmann::ordered_json;

struct KenafOptions {
  mobility::ComparisonParams study;
  std::string robot = "kenaf", json, report;
};

Json to_json(const mobility::Comparison& run) {
  return {{"kind", name_of(run.trial.kind)},
          {"size_mm", 1000 * run.trial.size},
          {"passed", run.ours.passed && run.other.passed},
          {"norm_error_mean_mm", 1000 * run.matched.norm_mean},
          {"norm_error_max_mm", 1000 * run.matched.norm_max},
          {"pitch_error_mean_deg", degrees(run.matched.pitch_mean)},
          {"pitch_error_max_deg", degrees(run.matched.pitch_max)},
          {"unmatched_norm_error_mean_mm", 1000 * run.unmatched.norm_mean},
          {"unmatched_pitch_error_mean_deg", degrees(run.unmatched.pitch_mean)}};
}

Json to_json(const std::vector<mobility::GapScore>& scores) {
  Json made = Json::array();
  for (const mobility::GapScore& s : scores) {
    made.push_back({{"gap_s", s.gap},
                    {"n", s.n},
                    {"stays_m", s.stays},
                    {"extrapolation_m", s.extrapolated},
                    {"physics_m", s.physics},
                    {"believed_m", s.believed},
                    {"pitch_kept_deg", degrees(s.pitch_held)},
                    {"pitch_predicted_deg", degrees(s.pitch)}});
  }
  return made;
}

Json to_json(const KenafFigures& figures) {
  double norm = 0, pitch = 0;
  Json runs = Json::array();
  for (const mobility::Comparison& run : figures.runs) {
    norm += 1000 * run.matched.norm_mean / static_cast<double>(figures.runs.size());
    pitch += degrees(run.matched.pitch_mean) / static_cast<double>(figures.runs.size());
    runs.push_back(to_json(run));
  }
  return {{"norm_error_mean_mm", norm},
          {"pitch_error_mean_deg", pitch},
          {"square_closure_mm", figures.square.closure_mm},
          {"square_heading_deg", figures.square.heading_deg},
          {"bridge_delay_ms_p99", figures.square.bridge_delay_ms_p99},
          {"camera_fps", figures.square.camera_fps},
          {"runs", runs},
          {"prediction", to_json(figures.course.gaps)},
          {"prediction_untold", to_json(figures.course.untold)}};
}

void print(const Json& json) {
  std::printf("two robots in the same trials, matched: %.1f mm and %.1f° apart in the mean\n",
              json["norm_error_mean_mm"].get<double>(), json["pitch_error_mean_deg"].get<double>());
  for (const Json& run : json["runs"]) {
    std::printf("  %-14s %4.0f mm  %6.1f mm  %5.1f°\n", run["kind"].get<std::string>().c_str(),
                run["size_mm"].get<double>(), run["norm_error_mean_mm"].get<double>(),
                run["pitch_error_mean_deg"].get<double>());
  }
  std::printf(
      "the paper's square through library and intermediate process: ends %.1f mm and %.2f° off its start,\n"
      "  %.2f ms added (99 %% of the messages), %.0f pictures a second\n",
      json["square_closure_mm"].get<double>(), json["square_heading_deg"].get<double>(),
      json["bridge_delay_ms_p99"].get<double>(), json["camera_fps"].get<double>());
  std::printf("predicted on the course   stays   goes on   physics  believed   pitch kept  predicted\n");
  for (const Json& gap : json["prediction"]) {
    std::printf("  after %.1f s         %6.1f cm %6.1f cm %6.1f cm %6.1f cm %9.1f° %9.1f°\n",
                gap["gap_s"].get<double>(), 100 * gap["stays_m"].get<double>(),
                100 * gap["extrapolation_m"].get<double>(), 100 * gap["physics_m"].get<double>(),
                100 * gap["believed_m"].get<double>(), gap["pitch_kept_deg"].get<double>(),
                gap["pitch_predicted_deg"].get<double>());
  }
}

Result<KenafFigures> run_study(const robot::Description& robot, const mobility::ComparisonParams& params) {
  const auto world = atlas::load_named_world("kenaf-course");
  if (!world) return world.error();
  cli::Progress progress("climbing and predicting");
  const auto part = [&](double from, double to) {
    return [&progress, from, to](double done) {
      progress.update(from + done * (to - from));
      return !cli::interrupted();
    };
  };
  auto runs = mobility::compare(*robot.crawler, params, part(0, 0.1));
  if (!runs) return runs.error();
  if (cli::interrupted()) return KenafFigures{};
  auto square = bridge::drive_square(*world, robot);
  if (!square) return square.error();
  auto course = mobility::score_course(*world, robot, params, part(0.3, 1));
  if (!course) return course.error();
  return KenafFigures{std::move(*runs), *square, std::move(*course)};
}

int run_kenaf_study(const KenafOptions& options) {
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return cli::complain(apart.error());
  }
  const auto robot = load_tracked_robot(options.robot);
  if (!robot) return cli::complain(robot.error());
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto report = cli::open_pending(options.report);
  if (!report) return cli::complain(report.error());
  cli::catch_interrupts();
  const auto figures = run_study(*robot, options.study);
  if (cli::interrupted()) return cli::kInterrupted;
  if (!figures) return cli::complain(figures.error());
  if (!options.report.empty()) {
    const auto page = kenaf_study_page(*figures, *robot->crawler);
    if (!page) return cli::complain(page.error());
    if (auto done = cli::write_text(options.report, std::move(*report), *page); !done)
      return cli::complain(done.error());
  }
  const Json written = to_json(*figures);
  if (!options.json.empty()) {
    if (auto done = cli::write_json(options.json, std::move(*json), written); !done) return cli::complain(done.error());
  }
  if (options.json != "-" && options.report != "-") print(written);
  return cli::kDone;
}

}  // namespace

Study add_kenaf_study(CLI::App& app) {
  const auto options = std::make_shared<KenafOptions>();
  CLI::App* study = app.add_subcommand(
      "kenaf",
      "A tracked robot on rough ground: its climbs beside those of one that is a little heavier, slips more and is "
      "slower, matched; and how well physics predicts that one on a course.");
  study->add_option("--robot", options->robot, "a robot with a crawler: file or bare name")->capture_default_str();
  cli::add_param_options(*study, options->study, {"mass_factor", "friction_factor", "speed_factor", "seed", "drives"});
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->add_option("--report", options->report, "write a page with pictures (- for standard output)");
  study->footer("Example:\n  forerun study kenaf --seed 1 --json - --report kenaf.html");
  return {study, [options] { return run_kenaf_study(*options); }};
}

}  // namespace forerun::lab
