// Where a scan says that it was taken, near to where the robot believes it was: what is to be told of the world must
// not lie as far off as the robot's localization.
#pragma once

#include "forerun/localize/echoes.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::estimate {

class ScanPose {
 public:
  explicit ScanPose(const localize::OccupancyMap& map);

  // The pose near `believed` from which the walls explain the echoes best. Goes on from what was found before.
  [[nodiscard]] Pose2 correct(const Pose2& believed, const localize::Echoes& echoes) noexcept;

  // From a wall of the map, in metres; 2.55 for that and more.
  [[nodiscard]] double off_walls(Vec2 place) const noexcept { return field_.distance_at(place) / 100.0; }

 private:
  [[nodiscard]] double score(const Pose2& believed, const Pose2& offset, const localize::Echoes& echoes) const noexcept;

  localize::LikelihoodField field_;
  localize::EchoTable table_;
  Pose2 offset_;  // from what is believed, along the world's axes
};

}  // namespace forerun::estimate
