#include "forerun/atlas/live_robot.hpp"

#include "forerun/atlas/setting.hpp"

namespace forerun::atlas {

Result<predict::LiveRobot> load_live_robot(const std::string& world, const std::string& robot,
                                           const predict::LiveParams& params) {
  const auto where = load_named_world(world);
  if (!where) return where.error();
  const auto who = load_named_robot(robot);
  if (!who) return who.error();
  return predict::make_live_robot(*where, *who, params);
}

}  // namespace forerun::atlas
