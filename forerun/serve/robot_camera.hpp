// The camera of a simulated robot: what it sees of the world, and of what moves in it, as JPEG of a size that suits the
// link.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "forerun/image/wire.hpp"
#include "forerun/physics/camera.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/posture.hpp"
#include "forerun/world/mover.hpp"

namespace forerun::serve {

// An image as it goes to the link.
struct Shot {
  image::Info info;
  std::string jpeg;
};

inline constexpr int kShotWidth = 320, kShotHeight = 240;  // [pixels]

class RobotCamera {
 public:
  RobotCamera(const world::World& world, const robot::Eye& eye);
  // Of a robot that has a camera that looks ahead.
  [[nodiscard]] static std::optional<RobotCamera> of(const world::World& world, const robot::Description& robot);

  struct Stand {
    RobotTime time;
    Pose2 truth;                            // where it is, and what the image shows
    Pose2 believed;                         // where the robot takes itself to be: what it says of the image
    std::optional<robot::Posture> posture;  // on rough ground
  };
  // A JPEG of at most about `largest` bytes: the quality follows, as far as there is still something to see. Nothing
  // when it cannot be compressed.
  [[nodiscard]] std::optional<Shot> take(const Stand& stand, std::span<const world::Mover> movers, std::size_t largest);

  [[nodiscard]] int quality() const noexcept { return quality_; }

 private:
  robot::Eye eye_;
  std::vector<world::Material> materials_;
  physics::CameraView view_;
  physics::Picture picture_;
  std::vector<physics::ColouredTriangle> moving_;
  int quality_ = 60;
};

}  // namespace forerun::serve
