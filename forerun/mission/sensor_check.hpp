// Do the sensors see what the rehearsed world holds? What stands in the way is no disagreement: walls that are looked
// through are, and sensors that fall silent or repeat themselves (DEC-10).
#pragma once

#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/mission/rehearsed_world.hpp"
#include "forerun/navigate/control_system.hpp"

namespace forerun::mission {

class SensorCheck {
 public:
  // `world` must outlive it.
  explicit SensorCheck(const RehearsedWorld& world);

  // Looks every half second; true while they disagree. Allocates nothing.
  [[nodiscard]] bool disagrees(const navigate::Percept& percept) noexcept;
  // Which sensor of the robot's list it was.
  [[nodiscard]] std::size_t culprit() const noexcept { return culprit_; }
  void forget() noexcept;

 private:
  struct State {
    sense::Reading expected;
    std::vector<float> last;  // values of the reading that was new last
    Vec2 last_place;          // where the odometry was then
    int odd = 0;              // looks in a row that disagreed
    bool comparable = false;  // of a kind whose readings can be told beforehand
  };
  [[nodiscard]] bool looks_odd(std::size_t i, const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool is_stuck(State& state, const sense::Reading& reading, Vec2 odometry) const noexcept;
  [[nodiscard]] bool sees_another_world(std::size_t i, const State& state,
                                        const sense::Reading& reading) const noexcept;

  const RehearsedWorld& world_;
  std::vector<State> states_;
  Random random_{1};
  RobotTime next_;
  std::size_t culprit_ = 0;
  bool disagrees_ = false;
};

}  // namespace forerun::mission
