#include "forerun/physics/belts.hpp"

#include <mujoco/mujoco.h>

#include <string>

#include "forerun/physics/scene_text.hpp"

namespace forerun::physics {
namespace {

// Which way the belt's surface moves where its outward normal is this one; a zero vector at its edges.
void direction(const mjData& data, int body, const mjtNum normal[3], mjtNum way[3]) noexcept {
  const mjtNum* axes = data.xmat + 9 * body;
  const mjtNum left[3] = {axes[1], axes[4], axes[7]};
  mju_cross(way, left, normal);
  constexpr mjtNum kEdge = 0.1;
  if (mju_norm3(way) < kEdge) {
    mju_zero3(way);
  } else {
    mju_normalize3(way);
  }
}

}  // namespace

Belts::Belts(const mjModel_& model, std::span<const robot::Crawler> robots)
    : belts_(static_cast<std::size_t>(model.ngeom)) {
  for (std::size_t robot = 0; robot < robots.size(); ++robot) {
    const robot::Crawler& c = robots[robot];
    for (const bool left : {true, false}) {
      const int joint = mj_name2id(&model, mjOBJ_JOINT, sprocket_name(robot, left).c_str());
      const int body = mj_name2id(&model, mjOBJ_BODY, body_name(robot).c_str());
      const Belt belt{body, model.jnt_dofadr[joint], c.track_radius, c.friction, c.side_friction};
      const std::string prefix = belt_prefix(robot, left);
      for (int geom = 0; geom < model.ngeom; ++geom) {
        const char* name = mj_id2name(&model, mjOBJ_GEOM, geom);
        if (name != nullptr && std::string_view(name).starts_with(prefix))
          belts_[static_cast<std::size_t>(geom)] = belt;
      }
    }
  }
}

void Belts::lay(const mjModel_&, mjData_& data) const noexcept {
  for (int i = 0; i < data.ncon; ++i) {
    mjContact& contact = data.contact[i];
    const bool first = of_geom(contact.geom1).body >= 0;
    const Belt& belt = of_geom(first ? contact.geom1 : contact.geom2);
    if (belt.body < 0) continue;
    // the frame's first axis leads from the first geom to the second
    mjtNum outward[3], way[3];
    mju_scl3(outward, contact.frame, first ? 1 : -1);
    direction(data, belt.body, outward, way);
    if (mju_norm3(way) == 0) {
      contact.friction[0] = contact.friction[1] = belt.side_friction;
      continue;
    }
    mju_copy3(contact.frame + 3, way);
    mju_cross(contact.frame + 6, contact.frame, contact.frame + 3);
    contact.friction[0] = belt.friction;
    contact.friction[1] = belt.side_friction;
  }
}

void Belts::couple(const mjModel_& model, mjData_& data) const noexcept {
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    if (contact.efc_address < 0) continue;
    for (const bool first : {true, false}) {
      const Belt& belt = of_geom(first ? contact.geom1 : contact.geom2);
      if (belt.body < 0) continue;
      mjtNum outward[3], way[3];
      mju_scl3(outward, contact.frame, first ? 1 : -1);
      direction(data, belt.body, outward, way);
      // velocities count as the second geom's less the first's
      const mjtNum speed = first ? -belt.radius : belt.radius;
      for (int tangent = 1; tangent <= 2; ++tangent) {
        const mjtNum along = mju_dot3(way, contact.frame + 3 * tangent);
        data.efc_J[(contact.efc_address + tangent) * model.nv + belt.motor] += speed * along;
      }
    }
  }
}

}  // namespace forerun::physics
