#include "forerun/app/commands.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/commands.hpp"

namespace forerun::app {
namespace {

constexpr Command kCommands[] = {
    {"demo", "see it: a robot over a bad network, on a page in the browser", run_demo},
    {"sim", "drive the simulated robot through a scenario in virtual time", run_sim},
    {"plan", "plan a path through a world, or solve problems on a grid map", run_plan},
    {"world", "look into a world, or turn it into glTF", run_world},
    {"serve", "the robot side: send its state to viewers, take their commands", run_serve},
    {"view", "the operator side: watch and command a robot", run_view},
    {"relay", "let many browsers watch robots", run_relay},
    {"study", "run an experiment and print its figures", lab::run_study},
    {"fit", "make the copy of a robot drive like the robot, from recorded drives of it", lab::run_fit},
    {"calibrate", "find wheel diameters and base from recorded drives", lab::run_calibrate},
    {"map", "make a map from odometry and laser scans", lab::run_map},
    {"train", "learn from recorded drives how a robot answers its commands", lab::run_train},
    {"evaluate", "how far off a learned model is on recorded drives", lab::run_evaluate},
    {"latency", "measure how late a robot does what it is told", lab::run_latency},
    {"localize", "find where on a map the robot of a scan log was", lab::run_localize},
    {"mission", "try out a drive, trim it, and check what is left, without a robot", run_mission},
    {"kenaf", "a tracked robot with flippers on rough terrain, in physics", run_kenaf},
    {"keys", "make, show and allow keys", run_keys},
    {"impair", "put a bad network between real programs: loss, delay, blackouts, recordings", run_impair},
    {"bench-fanout", "how many watchers one server feeds on this machine", lab::run_bench_fanout},
    {"bench-relay", "how many browsers one relay feeds on this machine", lab::run_bench_relay},
    {"params", "every parameter, with its range and meaning", run_params},
};

constexpr const char* kExamples = R"(
Examples:
  forerun demo
  forerun sim --scenario office-delivery --svg delivery.svg
  forerun sim --scenario office-delivery --reality crowded --seed 7 --json -
  forerun plan --world bonn-office --from 0.6,1.25 --to 25.1,5.4 --svg plan.svg
  forerun world convert bonn-office office.glb
  forerun serve --scenario office-delivery --public
  forerun study link --profile severe --json -
)";

void print_overview() {
  std::printf(
      "Forerun: watch and command a mobile robot over bad networks; simulate it exactly and fast.\n"
      "\n"
      "Usage: forerun COMMAND [OPTIONS]\n"
      "\n"
      "Commands:\n");
  for (const Command& command : kCommands) std::printf("  %-13s %s\n", command.name, command.about);
  std::fputs(kExamples, stdout);
  std::printf("\nforerun COMMAND --help says more about a command, forerun --version which Forerun this is.\n");
}

int report_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return cli::complain(Error{"there is no command " + io::quote(name) + "; the nearest one is " +
                             io::quote(io::nearest_word(name, names)) + " (forerun alone lists them all)"});
}

int dispatch(cli::Arguments arguments) {
  const std::string_view name = arguments.empty() ? "--help" : arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_overview();
    return cli::kDone;
  }
  if (name == "--version") {
    std::printf("forerun %s\n", FORERUN_VERSION);
    return cli::kDone;
  }
  for (const Command& command : kCommands) {
    if (name == command.name) return command.run(arguments.subspan(1));
  }
  return report_unknown(std::string(name));
}

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

int run_program(cli::Arguments arguments) {
  // libraries may throw what nobody expected, such as running out of memory
  try {
    const int code = dispatch(arguments);
    const auto printed = cli::flush_output();
    // one sentence is enough
    return printed || code == cli::kCannot || code == cli::kBadInput ? code : cli::complain(printed.error());
  } catch (const std::exception& unexpected) {
    return cli::complain(Error{std::string("unexpected: ") + unexpected.what(), ErrorKind::impossible});
  }
}

}  // namespace forerun::app
