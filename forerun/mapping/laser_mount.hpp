// Which way a laser is mounted, told from whether what it sees moves as the odometry says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/mapping/patch.hpp"

namespace forerun::mapping {

enum class LaserMount { upright, backwards, upside_down, upside_down_backwards };

// By their names on the command line.
inline constexpr std::string_view kLaserMounts[] = {"upright", "backwards", "upside-down", "upside-down-backwards"};

// The same as CLI11 takes them, and which of them `name` is, which must be one.
[[nodiscard]] std::vector<std::string> laser_mount_names();
[[nodiscard]] LaserMount laser_mount_named(std::string_view name);

// The mount by which neighbouring scans fit the odometry best; `upright` unless another one is clearly better in most
// places where it matters. The sweeps are as an upright laser would have seen them.
[[nodiscard]] LaserMount find_mount(std::span<const Sweep> sweeps);

}  // namespace forerun::mapping
