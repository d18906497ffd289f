// What the sensors show at places near each other, taken once. Replicas that stand within centimetres look at the same
// walls: the points that one of them sees serve the others, each from where it stands.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/predict/replica.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::predict {

// Remembers scans of the fixed world, taken at the corners of a fine lattice of poses. What a replica sees depends on
// nothing but where it is: not on who has been there before.
class SharedScans {
 public:
  // Allocates all it will ever need.
  explicit SharedScans(const ReplicaModel& model);
  // How much that is for a robot with these sensors [bytes].
  [[nodiscard]] static double bytes_for(const robot::Description& robot) noexcept;

  // What is seen from the corner next to this pose, with that corner as the place where it was seen from. Shows all
  // that is within `reach` of the pose. Holds until the next call.
  // `sensors` of the model: with its doors, or bare.
  [[nodiscard]] const sense::Readings& near(const Pose2& pose, double reach, const sense::Sensors& sensors) noexcept;

 private:
  struct Scan {
    std::int32_t x = 0, y = 0, heading = 0;  // which corner
    double reach = -1;                       // nothing was seen yet
    const sense::Sensors* sensors = nullptr;
    sense::Readings readings;
  };

  double step_;              // between corners [m]
  std::vector<Scan> scans_;  // each corner has its place, and shares it with others far away
};

}  // namespace forerun::predict
