// How well a scan fits a place on the map.
#pragma once

#include "forerun/localize/echoes.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::localize {

// Shares of a scan's echoes.
struct Fit {
  double explained = 0;  // come from walls of the map that can be seen from there
  double through = 0;    // from behind a wall: it would have to be gone
  double in_front = 0;   // from before any wall, from what is on no map: people, boxes

  // How well the place explains what it can be asked to: what stands in the way speaks little against it.
  [[nodiscard]] double quality() const noexcept { return explained / (1 - 0.8 * in_front); }
};

// How much of a scan the walls explain: 0 … 1.
[[nodiscard]] double explained_share(const LikelihoodField& field, const EchoTable& table, const Echoes& echoes,
                                     const Pose2& pose) noexcept;

// Whether a wall stands in the way of the echo, well before the place that it came from.
[[nodiscard]] bool is_seen_through_wall(const OccupancyMap& map, const Transform2& world_from_robot,
                                        const Echo& echo) noexcept;

[[nodiscard]] Fit fit_of(const OccupancyMap& map, const LikelihoodField& field, const EchoTable& table,
                         const Echoes& echoes, const Pose2& pose) noexcept;

}  // namespace forerun::localize
