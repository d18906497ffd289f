// Which way a laser is mounted, told from whether what it sees moves as the odometry says.
#pragma once

#include <span>
#include <string_view>

#include "forerun/mapping/patch.hpp"

namespace forerun::mapping {

enum class LaserMount { upright, backwards, upside_down, upside_down_backwards };

// By their names on the command line.
inline constexpr std::string_view kLaserMounts[] = {"upright", "backwards", "upside-down", "upside-down-backwards"};

// The mount by which neighbouring scans fit the odometry best; `upright` unless another one is clearly better in most
// places where it matters. The sweeps are as an upright laser would have seen them.
[[nodiscard]] LaserMount find_mount(std::span<const Sweep> sweeps);

}  // namespace forerun::mapping
