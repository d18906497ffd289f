#include "forerun/lab/tracked_robot.hpp"

#include "forerun/atlas/setting.hpp"
#include "forerun/io/text.hpp"

namespace forerun::lab {

Result<robot::Description> load_tracked_robot(const std::string& name) {
  auto robot = atlas::load_named_robot(name);
  if (robot && !robot->crawler) {
    return Error{"--robot is " + io::quote(name) + ", which has no crawler: tracks and flippers"};
  }
  return robot;
}

}  // namespace forerun::lab
