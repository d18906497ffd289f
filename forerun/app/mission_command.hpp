// The steps of `forerun mission`, one file each, and what they share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/mission/mission.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

// A subcommand of `mission` and what it does when it was chosen; gives the exit code.
struct MissionStep {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

[[nodiscard]] MissionStep add_mission_record(CLI::App& app);
[[nodiscard]] MissionStep add_mission_trim(CLI::App& app);
[[nodiscard]] MissionStep add_mission_check(CLI::App& app);
[[nodiscard]] MissionStep add_mission_upload(CLI::App& app);
[[nodiscard]] MissionStep add_mission_watch(CLI::App& app);

// Numbers with commas between them, as in `--to 3,4.5,10`. `flag` and `meaning` stand in the complaint.
struct NumberList {
  std::string_view flag;
  std::size_t least = 0, most = 0;
  const char* meaning = "";  // "x, y and, if wanted, a wait, such as 3,4.5,10"
};
[[nodiscard]] Result<std::vector<double>> parse_numbers(const NumberList& list, const std::string& text);

// A line for each, with its time on the path.
void print_actions(const mission::Mission& mission);

}  // namespace forerun::app
