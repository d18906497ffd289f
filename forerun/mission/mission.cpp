#include "forerun/mission/mission.hpp"

#include "forerun/base/hash.hpp"

namespace forerun::mission {

std::uint64_t fingerprint_of(const robot::Description& robot) noexcept {
  Hash hash;
  for (const char letter : robot.name) hash.add(static_cast<unsigned char>(letter));
  hash.add(static_cast<int>(robot.drive.kind));
  hash.add(robot.footprint.radius);
  for (const Vec2& corner : robot.footprint.corners) {
    hash.add(corner.x);
    hash.add(corner.y);
  }
  robot::Limits limits = robot.limits;
  visit_fields(limits, [&](const char*, double& value, const Field&) { hash.add(value); });
  return hash.value();
}

}  // namespace forerun::mission
