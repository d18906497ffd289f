// `forerun study link`: both ends of the link in virtual time on a bad network.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/link_profile_file.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/study/link_study.hpp"
#include "forerun/study/study_json.hpp"

namespace forerun::lab {
namespace {

struct LinkOptions {
  std::string profile;
  std::uint64_t seed = 1;
  std::string json;
  study::LinkStudyParams study;
};

using Count = unsigned long long;

void print(const study::LinkStudyResult& r, const std::string& profile) {
  std::printf("link %s: %llu datagrams sent, %.1f %% lost, mean one-way delay %.1f ms, %llu sessions\n",
              profile.c_str(), Count{r.sent}, r.lost_fraction * 100, r.mean_one_way_delay_ms, Count{r.sessions});
  std::printf("hostile:  %llu of %llu replays and %llu of %llu forgeries accepted, %llu duplicates used\n",
              Count{r.replays_accepted}, Count{r.replays_tried}, Count{r.forgeries_accepted}, Count{r.forgeries_tried},
              Count{r.duplicates_used});
  std::printf("commands: %llu given, %llu executed; %llu stale, %llu from before a silence, %llu twice\n",
              Count{r.commands_given}, Count{r.commands_executed}, Count{r.stale_commands_executed},
              Count{r.backlog_commands_executed}, Count{r.commands_executed_twice});
  std::printf("stop:     99 %% of %llu within %.0f ms; hand driving outlived its commands %llu times\n",
              Count{r.stops_given}, r.stop_latency_ms_p99, Count{r.hand_driving_overruns});
  std::printf("clock:    95 %% of errors below %.2f ms, stated bounds held %.1f %% of the time\n", r.clock_error_ms_p95,
              r.clock_coverage95 * 100);
  std::printf("reports:  99 %% within %.1f ms", r.report_delay_ms_p99);
  if (r.images_taken > 0) {
    std::printf("; images: %llu of %llu whole, 95 %% within %.0f ms", Count{r.images_received}, Count{r.images_taken},
                r.image_delay_ms_p95);
  }
  std::printf("\n");
  std::printf("warning:  %llu late packets without one; shown %.1f %% of the time\n", Count{r.late_warnings_missed},
              r.late_fraction * 100);
}

int run_link(const LinkOptions& options) {
  const auto profile = io::load_link_profile(options.profile);
  if (!profile) return cli::complain(profile.error());
  cli::catch_interrupts();
  cli::Progress progress("link " + profile->name);
  const study::LinkStudyResult result = study::run_link_study(*profile, options.seed, options.study, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (options.json.empty()) {
    print(result, profile->name);
    return cli::kDone;
  }
  const auto written = cli::write_json(options.json, study::to_json(result));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

Study add_link_study(CLI::App& app) {
  const auto options = std::make_shared<LinkOptions>();
  CLI::App* link = app.add_subcommand("link",
                                      "Both ends of the link in virtual time on a bad network, with clocks that drift "
                                      "and somebody hostile on the line.");
  link->add_option("--profile", options->profile, "the network: a name under profiles/, a profile file or a recording")
      ->required();
  link->add_option("--seed", options->seed, "of all chance (1)");
  cli::add_param_option(*link, "--duration-s", options->study, "duration_s");
  cli::add_param_option(*link, "--restart-every-s", options->study, "restart_every_s");
  cli::add_param_option(*link, "--images-per-s", options->study, "images_per_s");
  cli::add_param_option(*link, "--clock-step-every-s", options->study, "clock_step_every_s");
  link->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  link->footer("Example:\n  forerun study link --profile severe --seed 7 --json -");
  return {link, [options] { return run_link(*options); }};
}

}  // namespace forerun::lab
