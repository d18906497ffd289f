// The studies of `forerun study`, one file each.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace forerun::lab {

// A subcommand of `study` and what it does when it was chosen; gives the exit code.
struct Study {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

[[nodiscard]] Study add_link_study(CLI::App& app);
[[nodiscard]] Study add_office_study(CLI::App& app);
[[nodiscard]] Study add_log_study(CLI::App& app);
[[nodiscard]] Study add_sending_study(CLI::App& app);
[[nodiscard]] Study add_calibration_study(CLI::App& app);
[[nodiscard]] Study add_sensitivity_study(CLI::App& app);
[[nodiscard]] Study add_mission_study(CLI::App& app);
[[nodiscard]] Study add_execution_study(CLI::App& app);
[[nodiscard]] Study add_latency_study(CLI::App& app);
[[nodiscard]] Study add_changes_study(CLI::App& app);
[[nodiscard]] Study add_driving_study(CLI::App& app);
[[nodiscard]] Study add_kenaf_study(CLI::App& app);
[[nodiscard]] Study add_all_studies(CLI::App& app);

}  // namespace forerun::lab
