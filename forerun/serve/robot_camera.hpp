// The cameras of a simulated robot: what each sees of the world, of what moves in it and of the robot itself, as JPEG
// of a size that suits the link.
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
  // In the order of robot::cameras.
  [[nodiscard]] static std::vector<RobotCamera> all(const world::World& world, const robot::Description& robot);

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
  RobotCamera(const world::World& world, const robot::Description& robot, std::uint8_t number);
  void see_movers(std::span<const world::Mover> movers);
  void see_itself(const Stand& stand);

  std::uint8_t number_;
  robot::Eye eye_;
  std::optional<robot::Crawler> body_;  // which a camera above it sees
  std::vector<world::Material> materials_;
  physics::CameraView view_;
  physics::Picture picture_;
  std::vector<physics::ColouredTriangle> moving_;
  int quality_ = 60;
};

}  // namespace forerun::serve
