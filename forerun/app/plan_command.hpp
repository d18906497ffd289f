// The two forms of `forerun plan`: through a world, and on grid maps with known optimal lengths.
#pragma once

#include <string>

namespace forerun::app {

struct PlanOptions {
  // through a world
  std::string world, robot = "rhino";
  std::string from, to;  // "x,y" in metres
  std::string svg;
  // on a grid map
  std::string grid, scenarios;

  std::string json;
};

// Each returns the exit code.
[[nodiscard]] int plan_in_world(const PlanOptions& options);
[[nodiscard]] int plan_on_grid(const PlanOptions& options);

}  // namespace forerun::app
