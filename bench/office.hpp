// An office floor made by rule: a corridor with six offices on each side, furnished.
#pragma once

#include "forerun/world/world.hpp"

namespace forerun::bench {

[[nodiscard]] world::World make_office();

}  // namespace forerun::bench
