#include "forerun/robot/posture.hpp"

namespace forerun::robot {

const char* to_string(Standing standing) noexcept {
  switch (standing) {
    case Standing::upright:
      return "upright";
    case Standing::on_its_side:
      return "on its side";
    case Standing::upside_down:
      return "upside down";
    case Standing::lost:
      return "lost";
  }
  return "unknown";
}

}  // namespace forerun::robot
