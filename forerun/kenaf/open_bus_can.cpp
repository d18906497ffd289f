// hrt_kenaf_can: the robot is on a CAN bus.
#include "forerun/kenaf/can_bus.hpp"

namespace forerun::kenaf {

OpenedBus open_bus() { return open_can_bus(read_setting("HRT_KENAF_CAN", "can0")); }

}  // namespace forerun::kenaf
