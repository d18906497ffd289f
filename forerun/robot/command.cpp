#include "forerun/robot/command.hpp"

namespace forerun::robot {

const char* to_string(CommandKind kind) noexcept {
  switch (kind) {
    case CommandKind::goal:
      return "goal";
    case CommandKind::cancel:
      return "cancel";
    case CommandKind::stop:
      return "stop";
    case CommandKind::drive:
      return "drive";
    case CommandKind::start:
      return "start";
  }
  return "unknown";
}

}  // namespace forerun::robot
