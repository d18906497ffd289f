#include "forerun/serve/offer_model.hpp"

#include "forerun/robot/description_bytes.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/world/world_bytes.hpp"

namespace forerun::serve {

std::uint64_t offer_model(net::RobotServer& server, const world::World& world, const robot::Description& robot) {
  const sync::Offer its_world = server.offer(sync::ObjectKind::world, world::to_bytes(world));
  const sync::Offer itself = server.offer(sync::ObjectKind::robot, robot::to_bytes(robot));
  const sim::ModelParts parts{{its_world.size, its_world.digest}, {itself.size, itself.digest}};
  return sync::object_of(server.offer(sync::ObjectKind::model, sim::pack_parts(parts)).digest);
}

}  // namespace forerun::serve
