// A terrain and the robots on it in MuJoCo's language. Names lead back to what they stand for.
#pragma once

#include <span>
#include <string>

#include "forerun/robot/crawler.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::physics {

inline constexpr double kStep = 0.002;  // of the physics [s]

// Names of a robot's parts: "body 0", "sprocket 0 left", "flipper 0 2".
[[nodiscard]] std::string body_name(std::size_t robot);
[[nodiscard]] std::string sprocket_name(std::size_t robot, bool left);
[[nodiscard]] std::string flipper_name(std::size_t robot, std::size_t flipper);
// Of a surface that moves as a belt: "belt 0 left 3 …".
[[nodiscard]] std::string belt_prefix(std::size_t robot, bool left);

// Heights of the terrain's maps are not in it: the model has room for them.
[[nodiscard]] std::string make_scene_text(const world::Terrain& terrain, std::span<const robot::Crawler> robots);

}  // namespace forerun::physics
