// Do the sensors see what the rehearsed world holds? What stands in the way is no disagreement: walls that are looked
// through are, and sensors that fall silent or repeat themselves (DEC-10).
#pragma once

#include <optional>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/mission/rehearsed_world.hpp"
#include "forerun/navigate/control_system.hpp"

namespace forerun::mission {

class SensorCheck {
 public:
  // `world` must outlive it.
  explicit SensorCheck(const RehearsedWorld& world);

  enum class Verdict { fine, doubtful, disagree };  // doubtful: not for long enough to be sure

  // Looks at every new reading. Allocates nothing.
  [[nodiscard]] Verdict look(const navigate::Percept& percept) noexcept;
  // Which sensor of the robot's list it was.
  [[nodiscard]] std::size_t culprit() const noexcept { return culprit_; }
  void forget() noexcept;

 private:
  struct State {
    sense::Reading expected;
    std::vector<float> last;          // values of the reading that was new last
    Vec2 last_place;                  // where the odometry was then
    RobotTime looked{INT64_MIN / 2};  // at the reading of this time
    std::optional<RobotTime> odd_since;
    bool comparable = false;  // of a kind whose readings can be told beforehand
  };
  [[nodiscard]] bool looks_odd(std::size_t i, const navigate::Percept& percept) noexcept;
  [[nodiscard]] bool is_silent(std::size_t i, const navigate::Percept& percept) const noexcept;
  [[nodiscard]] bool is_stuck(State& state, const sense::Reading& reading, Vec2 odometry) const noexcept;
  [[nodiscard]] bool sees_another_world(std::size_t i, const State& state,
                                        const sense::Reading& reading) const noexcept;

  const RehearsedWorld& world_;
  std::vector<State> states_;
  Random random_{1};
  std::size_t culprit_ = 0;
};

}  // namespace forerun::mission
