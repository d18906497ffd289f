// hrt_kenaf_sim: the robot is behind `forerun kenaf bridge`.
#include "forerun/kenaf/udp_bus.hpp"

namespace forerun::kenaf {

OpenedBus open_bus() { return open_udp_bus(read_setting("HRT_KENAF_ADDRESS", "127.0.0.1:7430")); }

}  // namespace forerun::kenaf
