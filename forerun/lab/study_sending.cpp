// `forerun study sending`: bytes against error, for reports sent by the clock and for those sent when they matter.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/study/sending_study.hpp"
#include "forerun/study/study_json.hpp"

namespace forerun::lab {
namespace {

struct SendingOptions {
  std::string scenario = "office-delivery";
  std::string reality = "noisy";
  std::string json;
  study::SendingParams study;
};

void print(const study::SendingResult& r) {
  const auto print_curve = [](const char* title, const char* unit, const std::vector<study::SendingPoint>& curve) {
    std::printf("%s\n", title);
    for (const study::SendingPoint& point : curve) {
      std::printf("  %6.3f %s   %7.1f bytes/s   mean error %.4f m\n", point.setting, unit, point.bytes_per_s,
                  point.mean_error_m);
    }
  };
  print_curve("sent every", "s", r.timed);
  print_curve("sent when off by more than", "m", r.threshold);
  if (!r.bytes_ratio_at_same_error) return;
  std::printf("bytes at the same mean error, threshold to timed: %.2f, at most %.2f\n", *r.bytes_ratio_at_same_error,
              *r.largest_bytes_ratio);
}

int run_sending(const SendingOptions& options) {
  const auto inputs = atlas::load_setting(options.scenario, options.reality);
  if (!inputs) return cli::complain(inputs.error());
  auto output = cli::open_pending(options.json);
  if (!output) return cli::complain(output.error());
  cli::catch_interrupts();
  cli::Progress progress("sending, " + options.reality);
  const auto result = study::run_sending_study({inputs->world, inputs->robot, inputs->scenario, inputs->reality},
                                               options.study, [&](double share) {
                                                 progress.update(share);
                                                 return !cli::interrupted();
                                               });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (options.json.empty()) {
    print(*result);
    return cli::kDone;
  }
  const auto written = cli::write_json(options.json, std::move(*output), study::to_json(*result));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

Study add_sending_study(CLI::App& app) {
  const auto options = std::make_shared<SendingOptions>();
  CLI::App* sending = app.add_subcommand(
      "sending",
      "What reports cost and what they are worth: bytes against the mean error of the viewer's prediction, for reports "
      "sent by the clock and for those sent when the prediction has become wrong.");
  sending->add_option("--scenario", options->scenario, "what it drives")->capture_default_str();
  sending->add_option("--reality", options->reality, "how far it departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  for (const auto& [flag, key] :
       {std::pair("--runs", "runs"), std::pair("--seed", "seed"), std::pair("--loss", "loss"),
        std::pair("--delay-s", "delay_s"), std::pair("--base-interval-s", "base_interval_s")}) {
    cli::add_param_option(*sending, flag, options->study, key);
  }
  sending->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  sending->footer("Example:\n  forerun study sending --reality mismatched --runs 2 --json -");
  return {sending, [options] { return run_sending(*options); }};
}

}  // namespace forerun::lab
