// Whether what is asked for fits into the module's memory, which never grows: allocations that fail would end it.
#pragma once

#include <cstddef>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::wasm {

// Upper bounds for what is needed while it is built, rough but never too low [bytes].
[[nodiscard]] double bytes_to_unpack(std::size_t bundle_size) noexcept;
[[nodiscard]] double bytes_for_plan(const world::World& world, double cell_size) noexcept;
[[nodiscard]] double bytes_for_sensors(const world::World& world, const robot::Description& robot);
[[nodiscard]] double bytes_for_goal_plan(const GridFrame& frame, double n_goals) noexcept;
inline constexpr double kBytesForControl = 8e6;  // all the control systems of a predictor

// An error that names `what` when there is no room for so many bytes.
[[nodiscard]] Result<void> check_room(const std::string& what, double bytes);

}  // namespace forerun::wasm
