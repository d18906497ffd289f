// Who drives by hand may go on only after letting go: when somebody has stopped the robot, or a drive could not be
// given, a key that is still held must not set the robot going again.
#pragma once

#include <cstdint>
#include <map>

#include "forerun/base/time.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::watch {

class HandDriving {
 public:
  static constexpr Duration kPause = from_seconds(0.3);  // pages repeat velocities every 0.1 s while a key is held

  enum class Verdict : std::uint8_t {
    may_drive,
    must_let_go,        // and is to be told so
    must_let_go_still,  // as it was told
  };

  // What to do with velocities from this browser.
  [[nodiscard]] Verdict judge(std::uint64_t browser, const robot::Twist& velocity, OperatorTime now) {
    const auto [place, first] = hands_.try_emplace(browser);
    Hand& hand = place->second;
    const bool paused = first || now - hand.moved > kPause || now < hand.moved;
    hand.moved = now;
    if (paused || velocity == robot::Twist{}) hand.state = Verdict::may_drive;
    const Verdict verdict = hand.state;
    if (verdict == Verdict::must_let_go) hand.state = Verdict::must_let_go_still;
    return verdict;
  }
  // `told`: they know already.
  void all_must_let_go(bool told) {
    for (auto& [browser, hand] : hands_) hand.state = told ? Verdict::must_let_go_still : Verdict::must_let_go;
  }
  void forget(std::uint64_t browser) { hands_.erase(browser); }

 private:
  struct Hand {
    OperatorTime moved;  // when its newest velocities came, whether they were passed on or not
    Verdict state = Verdict::may_drive;
  };
  std::map<std::uint64_t, Hand> hands_;  // of browsers that have driven
};

}  // namespace forerun::watch
