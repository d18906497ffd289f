// Where the robot will be, by each way of predicting.
#pragma once

#include <array>

#include "forerun/respond/command_track.hpp"
#include "forerun/respond/model.hpp"
#include "forerun/respond/origin.hpp"

namespace forerun::respond {

// Displacements since the origin, in its frame; the heading counts whole turns.
using Ways = std::array<Pose2, kWays>;

// The displacement of a robot that answers its commands so, from its velocity on, and its velocity then.
[[nodiscard]] Expected expected_ahead(const Response& response, const Origin& origin, const CommandTrack& commands,
                                      double ahead) noexcept;

[[nodiscard]] Inputs make_inputs(const Origin& origin, const Expected& then) noexcept;
[[nodiscard]] NetworkInputs make_network_inputs(const Model& model, const Origin& origin, const CommandTrack& commands,
                                                const Inputs& inputs, double ahead) noexcept;

[[nodiscard]] Pose2 apply_network(const ResidualNetwork& network, const NetworkInputs& inputs) noexcept;

using WayMask = std::array<bool, kWays>;
inline constexpr WayMask kAllWays = [] {
  WayMask all{};
  all.fill(true);
  return all;
}();

// Those ways that are wanted; the others stay where they are. `ahead` > 0 [s]. Commands that were not given yet count
// as the newest one.
[[nodiscard]] Ways predict_ways(const Model& model, const Origin& origin, const CommandTrack& commands, double ahead,
                                const WayMask& wanted = kAllWays) noexcept;

}  // namespace forerun::respond
