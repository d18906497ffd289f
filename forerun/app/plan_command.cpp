// `forerun plan`: a path through a world, or thousands of problems on a grid map.
#include "forerun/app/plan_command.hpp"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/terminal.hpp"

namespace forerun::app {
namespace {

// What is wrong with the combination of options.
std::optional<Error> find_mistake(const PlanOptions& o) {
  const bool in_world = !o.world.empty() || !o.from.empty() || !o.to.empty() || !o.svg.empty();
  const bool on_grid = !o.grid.empty() || !o.scenarios.empty();
  if (in_world && on_grid)
    return Error{"--grid and --scenarios do not go together with --world, --from, --to and --svg"};
  if (on_grid && (o.grid.empty() || o.scenarios.empty())) return Error{"--grid and --scenarios need each other"};
  if (!on_grid && (o.world.empty() || o.from.empty() || o.to.empty())) {
    return Error{"plan needs --world, --from and --to, or --grid and --scenarios (see forerun plan --help)"};
  }
  return std::nullopt;
}

}  // namespace

int run_plan(cli::Arguments arguments) {
  PlanOptions options;
  CLI::App app("Plans a path through a world, or solves problems on a grid map.", "plan");
  app.add_option("--world", options.world, "world: a file, or a bare name such as bonn-office");
  app.add_option("--robot", options.robot, "robot: a file, or a bare name")->capture_default_str();
  app.add_option("--from", options.from, "where it starts: x,y in metres");
  app.add_option("--to", options.to, "where it goes: x,y in metres");
  app.add_option("--svg", options.svg, "draw value function, path and target points into this file");
  app.add_option("--grid", options.grid, "grid map of the MovingAI benchmarks (.map)");
  app.add_option("--scenarios", options.scenarios, "problems on it with their optimal lengths (.scen)");
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.footer(
      "Examples:\n"
      "  forerun plan --world bonn-office --from -1,2 --to 12.5,3 --svg plan.svg\n"
      "  forerun plan --grid arena.map --scenarios arena.map.scen --json -");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (const auto mistake = find_mistake(options)) return cli::complain(*mistake);
  return options.grid.empty() ? plan_in_world(options) : plan_on_grid(options);
}

}  // namespace forerun::app
