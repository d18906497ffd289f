#include "forerun/mission/make_mission.hpp"

#include <utility>

namespace forerun::mission {

Result<RehearsedMission> make_mission(const std::string& name, const TrimmedPath& path, const world::World& world,
                                      const robot::Description& robot) {
  auto control = compute_control(path, robot, {});
  if (!control) return control.error();
  Mission mission{.name = name,
                  .world = world.name,
                  .robot = robot.name,
                  .fingerprint = fingerprint_of(robot),
                  .path = std::move(control->path),
                  .actions = std::move(control->actions)};
  if (auto ok = check_actions(mission.actions, mission.path); !ok) return ok.error();
  auto trial = rehearse(mission, world, robot);
  if (!trial) return trial.error();
  if (trial->state != MissionState::done || trial->collisions > 0) {
    return Error{"what is left cannot be driven: " + (trial->why.empty() ? "it takes too long" : trial->why),
                 ErrorKind::impossible};
  }
  return RehearsedMission{std::move(mission), std::move(*trial)};
}

}  // namespace forerun::mission
