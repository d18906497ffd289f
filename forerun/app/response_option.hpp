// What was learned of a robot's response to its commands, given to whoever serves the robot.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

void add_response_option(CLI::App& app, std::string& file);

// Puts the model in `file` into the robot's description, which viewers get; refused where it is for another robot.
// Nothing where no file is named.
[[nodiscard]] Result<void> put_response(const std::string& file, robot::Description& robot);

}  // namespace forerun::app
