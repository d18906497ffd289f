// One guess of where the robot is, with its share of the belief.
#pragma once

#include "forerun/geom/pose.hpp"

namespace forerun::localize {

struct Particle {
  Pose2 pose;
  double weight = 0;
};

}  // namespace forerun::localize
