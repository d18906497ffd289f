#include "forerun/app/response_option.hpp"

#include <CLI/CLI.hpp>

#include "forerun/io/text.hpp"
#include "forerun/learn/response_model.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/respond/model_bytes.hpp"

namespace forerun::app {

void add_response_option(CLI::App& app, std::string& file) {
  app.add_option(
      "--response", file,
      "a learned model of this robot (forerun train --robot): who drives it by hand sees it where that says");
}

Result<void> put_response(const std::string& file, robot::Description& robot) {
  if (file.empty()) return {};
  const auto model = learn::load_model(file);
  if (!model) return model.error();
  if (model->robot.empty()) return Error{file + ": the model names no robot: train it with --robot " + robot.name};
  if (model->fingerprint != mission::fingerprint_of(robot)) {
    return Error{file + ": the model is for the robot " + io::quote(model->robot) + ", but not for " +
                 io::quote(robot.name) + " as it is described"};
  }
  robot.response = respond::to_bytes(model->best);
  return {};
}

}  // namespace forerun::app
