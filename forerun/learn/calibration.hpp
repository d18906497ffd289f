// Wheel diameters and base from recorded drives (DEC-2), all at once, so that their order does not matter.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/estimate/geometry_filter.hpp"
#include "forerun/learn/innovations.hpp"

namespace forerun::learn {

struct CalibrationParams {
  double share = 0.2;           // how far diameters and base may be off: σ as a share of the nominal ones
  double mount_share = 0.5;     // how far the external sensor may be off the robot's centre: σ as a share of the base
  double mount_rad = 1.0;       // how far its angle may be off what the drive says at first sight: σ [rad]
  double delay_s = 0.1;         // how late external poses may be: σ [s]
  double largest_sigma = 0.02;  // what is known no better than this, as a share of it, was not shown by the drives
  PoseSpacing spacing;
};

template <class Visit>
void visit_fields(CalibrationParams& p, Visit&& visit) {
  visit("share", p.share, Field{0.001, 0.5, "how far diameters and base may be off: σ as a share of the nominal ones"});
  visit("mount_share", p.mount_share,
        Field{0, 5, "how far the sensor may be off the centre: σ as a share of the base"});
  visit("mount_rad", p.mount_rad, Field{0, 3, "how far its angle may be off what is seen at first sight: σ [rad]"});
  visit("delay_s", p.delay_s, Field{0, 1, "how late external poses may be: σ [s]"});
  visit("largest_sigma", p.largest_sigma,
        Field{0.001, 0.5, "what is known no better than this share was not shown by the drives"});
  visit("spacing_s", p.spacing.spacing_s, Field{0, 60, "external poses nearer to each other share their errors [s]"});
  visit("n_passes", p.spacing.n_passes, Field{1, 100, "over a drive, each with other poses"});
}

// What was known after the first seconds of all drives.
struct CalibrationStage {
  double driven_s = 0;
  robot::DifferentialGeometry geometry;
  robot::DifferentialGeometry sigma;
};

struct Calibration {
  estimate::GeometryBelief belief;
  double delay = 0;                      // by how much external poses are late [s]
  double delay_sigma = 0;                // [s]
  estimate::CalibrationNoise noise;      // as the drives have it
  std::vector<CalibrationStage> stages;  // from what was believed at first to the end
  int n_samples = 0;                     // external poses or displacements
  int n_rejected = 0;                    // of them: outliers
};

// The most likely geometry, mount and noise, by the innovations of the pose filter over all drives. Every drive counts
// by itself, so that their order does not change the answer. `on_progress` is told the share done.
[[nodiscard]] Calibration calibrate(std::span<const CalibrationDrive> drives,
                                    const robot::DifferentialGeometry& nominal, const CalibrationParams& params = {},
                                    const std::function<void(double)>& on_progress = {});

}  // namespace forerun::learn
