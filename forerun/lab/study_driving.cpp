// `forerun study driving`: driving by hand over a late link, by what is shown (BEY-10).
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
#include "forerun/driving/driving_study.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::lab {
namespace {

struct DrivingOptions {
  driving::DrivingParams study;
  std::string robot = "turtle", reality = "noisy", json, report;
};

void print(const driving::DrivingResult& result) {
  std::printf("%-9s %7s %5s  %-13s %-6s %7s %10s %9s %7s\n", "task", "delay", "loss", "display", "guard", "time",
              "deviation", "contacts", "failed");
  for (const driving::Condition& c : result.conditions) {
    std::printf("%-9s %5.2f s %3.0f %%  %-13s %-6s %5.1f s %8.3f m %9d %7d\n", c.task.c_str(), c.delay_s, 100 * c.loss,
                to_string(c.display), c.guard ? "on" : "off", c.time_s, c.deviation_rms_m, c.contacts, c.failed);
  }
  if (result.late_answers.empty()) return;
  std::printf("\na robot that answers late: off the line, not knowing it and having learned it\n");
  for (const driving::LateAnswer& a : result.late_answers) {
    std::printf("%-9s %5.2f s  %.3f m  %.3f m\n", a.task.c_str(), a.delay_s, a.unknown.deviation_rms_m,
                a.learned.deviation_rms_m);
  }
}

int run_driving(const DrivingOptions& options) {
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return cli::complain(apart.error());
  }
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return cli::complain(path.error());
  const auto robot = io::load_robot(*path);
  if (!robot) return cli::complain(robot.error());
  const auto reality = sim::find_reality(options.reality);
  if (!reality) {
    return cli::complain(
        Error{"--reality is " + io::quote(options.reality) + ", but must be one of " + atlas::reality_names()});
  }
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto report = cli::open_pending(options.report);
  if (!report) return cli::complain(report.error());
  cli::catch_interrupts();
  cli::Progress progress("driving by hand");
  const auto result = driving::run_driving_study(*robot, *reality, options.study, [&](double done) {
    progress.update(done);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (!options.report.empty()) {
    const auto done = cli::write_text(options.report, std::move(*report), driving::driving_page(*result));
    if (!done) return cli::complain(done.error());
  }
  if (!options.json.empty()) {
    const auto done = cli::write_json(options.json, std::move(*json), driving::to_json(*result));
    if (!done) return cli::complain(done.error());
  }
  if (options.json != "-" && options.report != "-") print(*result);
  return cli::kDone;
}

}  // namespace

Study add_driving_study(CLI::App& app) {
  const auto options = std::make_shared<DrivingOptions>();
  CLI::App* study = app.add_subcommand(
      "driving",
      "Somebody, a seeded model of a human driver, drives a robot by hand round posts, through a door and into a dock, "
      "over links that are late by up to 2.5 s each way. He sees the newest report, or where the robot had gone on to, "
      "or where it is predicted to be when his command lands.");
  study->add_option("--robot", options->robot, "a robot: a file, or a bare name")->capture_default_str();
  study->add_option("--reality", options->reality, "how far it departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  study->add_option("--task", options->study.tasks, "only these tasks; else all")
      ->check(CLI::IsMember(driving::task_names()));
  study
      ->add_option("--delay-s", options->study.delays_s, "only these delays each way; else 0, 0.25, 0.5, 1 and 2.5 [s]")
      ->check(CLI::Range(0.0, 5.0));
  cli::add_param_options(*study, options->study, {"runs", "seed", "interval_s", "dead_time_s", "lag_s"});
  cli::add_param_options(
      *study, options->study.driver,
      {"reaction_s", "decide_s", "preview_s", "hand_noise", "eye_noise_m", "glance_every_s", "glance_s"});
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->add_option("--report", options->report, "write a page with tracks (- for standard output)");
  study->footer("Example:\n  forerun study driving --runs 1 --task docking --delay-s 1 --report driving.html");
  return {study, [options] { return run_driving(*options); }};
}

}  // namespace forerun::lab
