// An occupancy map drawn from scans whose poses are known: what beams end in is occupied, what they pass is free.
#pragma once

#include <span>

#include "forerun/base/fields.hpp"
#include "forerun/localize/echoes.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::localize {

struct PosedScan {
  Pose2 map_from_robot;
  RangeScan scan;
};

struct ScanMapParams {
  double cell_size = 0.05;      // edge of a cell [m]
  double longest_beam = 30;     // farther echoes are left out [m]
  double occupied_share = 0.3;  // of the beams that met a cell must have ended in it
};

template <class Visit>
void visit_fields(ScanMapParams& p, Visit&& visit) {
  visit("cell_size_m", p.cell_size, Field{0.01, 1, "edge of a cell [m]"});
  visit("longest_beam_m", p.longest_beam, Field{0.1, 1000, "farther echoes are left out [m]"});
  visit("occupied_share", p.occupied_share, Field{0.01, 1, "of the beams that met a cell must have ended in it"});
}

inline constexpr double kMaxMapCells = 50e6;  // more than this asks for a coarser map

// The cells that the scans' echoes and the robot's places lie in.
[[nodiscard]] GridFrame frame_of(std::span<const PosedScan> scans, const ScanMapParams& params) noexcept;

// At least one scan with an echo; a frame of at most kMaxMapCells.
[[nodiscard]] OccupancyMap draw_map(std::span<const PosedScan> scans, const ScanMapParams& params);

}  // namespace forerun::localize
