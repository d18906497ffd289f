// A world and a robot: all that a viewer needs to run its replica. In one piece for pages and recordings; on the link
// as an object each, with a list that names both. The layouts are described in docs/formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sim {

struct ModelBundle {
  world::World world;
  robot::Description robot;
};

[[nodiscard]] std::vector<std::uint8_t> pack_model(const world::World& world, const robot::Description& robot);

// Takes only what `pack_model` gives: packing it again gives the same bytes.
[[nodiscard]] Result<ModelBundle> unpack_model(Bytes bytes);

// The same from the bytes of both, as `world::to_bytes` and `robot::to_bytes` give them; nothing is looked at.
[[nodiscard]] std::vector<std::uint8_t> join_model(Bytes world, Bytes robot);

// The bytes of both again, which stay where `bundle` has them. An error where it is no bundle.
struct ModelBytes {
  Bytes world;
  Bytes robot;
};
[[nodiscard]] Result<ModelBytes> split_model(Bytes bundle);

// Names a part by its size and its SHA-256.
struct PartName {
  std::uint32_t size = 0;  // in bytes, not 0
  std::array<std::uint8_t, 32> digest{};
  friend bool operator==(const PartName&, const PartName&) = default;
};
struct ModelParts {
  PartName world;
  PartName robot;
  friend bool operator==(const ModelParts&, const ModelParts&) = default;
};
inline constexpr std::uint32_t kLargestWorld = 64u << 20;  // [bytes]
inline constexpr std::uint32_t kLargestRobot = 1u << 20;   // [bytes]

[[nodiscard]] std::vector<std::uint8_t> pack_parts(const ModelParts& parts);
// Nothing where the bytes are something else.
[[nodiscard]] std::optional<ModelParts> unpack_parts(Bytes bytes);

}  // namespace forerun::sim
