// One hand on a keyboard or a gamepad, as orders for the robot. Without a clock: every call says what time it is [s].
#pragma once

#include <algorithm>
#include <cmath>

#include "examples/kenaf_operation.hpp"

namespace kenaf_operation {

class Hand {
 public:
  // Terminals tell no release of a key, only that it repeats while it is down: first after up to half a second, then
  // many times a second. So a key counts as down for so long after it was seen.
  static constexpr double kFirst_s = 0.5, kRepeated_s = 0.15;
  static constexpr double kStep_deg = 5, kFlipperRate = 40;  // a key press; a gamepad's button [deg/s]

  // A letter. False: nobody knows this key.
  bool press(char key, double now_s) {
    switch (key) {
      case 'w':
        return hold(drive_, 1, now_s);
      case 's':
        return hold(drive_, -1, now_s);
      case 'a':
        return hold(turn_, 1, now_s);
      case 'd':
        return hold(turn_, -1, now_s);
      case 'r':
        return lift(front_, kStep_deg);
      case 'f':
        return lift(front_, -kStep_deg);
      case 't':
        return lift(rear_, kStep_deg);
      case 'g':
        return lift(rear_, -kStep_deg);
      case ' ':
        return stop();
      case '1':
      case '2':
      case '3':
        speed_mm_ = kSpeeds[static_cast<std::size_t>(key - '1')];
        return true;
      default:
        return false;
    }
  }

  // A gamepad's stick, -1 … 1, ahead and left are positive; it holds until it moves again.
  void push(double ahead, double left) {
    stick_ahead_ = beyond_dead_zone(ahead);
    stick_left_ = beyond_dead_zone(left);
  }
  // Its buttons: -1, 0 or 1 for flippers down, still, up.
  void lift_by_buttons(int front, int rear) {
    front_button_ = front;
    rear_button_ = rear;
  }
  bool stop() {
    drive_ = turn_ = {};
    push(0, 0);
    lift_by_buttons(0, 0);
    return true;
  }
  // Where the flippers are: they are moved from there on.
  void see_flippers(double front_deg, double rear_deg) {
    if (moves_flippers_) return;
    front_ = front_deg;
    rear_ = rear_deg;
  }

  [[nodiscard]] double speed_mm() const { return speed_mm_; }
  [[nodiscard]] Order order(double now_s) {
    move_flippers_by_buttons(now_s);
    const bool stick = stick_ahead_ != 0 || stick_left_ != 0;
    const double ahead = stick ? stick_ahead_ : drive_.at(now_s), left = stick ? stick_left_ : turn_.at(now_s);
    const auto track = [&](double share) { return speed_mm_ * std::clamp(share, -1.0, 1.0); };
    return {0, 0, track(ahead - left), track(ahead + left), moves_flippers_ ? 1 : 0, front_, rear_};
  }

 private:
  static constexpr double kSpeeds[] = {60, 150, 300};  // of the tracks [mm/s]
  struct Held {
    int direction = 0;
    double seen_s = -1e9, until_s = -1e9;
    [[nodiscard]] double at(double now_s) const { return now_s < until_s ? direction : 0; }
  };

  static bool hold(Held& held, int direction, double now_s) {
    const bool repeats = held.direction == direction && now_s - held.seen_s < kFirst_s;
    held = {direction, now_s, now_s + (repeats ? kRepeated_s : kFirst_s)};
    return true;
  }
  bool lift(double& angle, double by) {
    moves_flippers_ = true;
    angle = std::clamp(angle + by, -kMostAngle_deg, kMostAngle_deg);
    return true;
  }
  void move_flippers_by_buttons(double now_s) {
    const double passed = std::clamp(now_s - last_order_s_, 0.0, 0.1);
    last_order_s_ = now_s;
    if (front_button_ != 0) lift(front_, front_button_ * kFlipperRate * passed);
    if (rear_button_ != 0) lift(rear_, rear_button_ * kFlipperRate * passed);
  }
  static double beyond_dead_zone(double value) { return std::fabs(value) < 0.15 ? 0 : value; }

  Held drive_, turn_;
  double stick_ahead_ = 0, stick_left_ = 0;
  int front_button_ = 0, rear_button_ = 0;
  bool moves_flippers_ = false;
  double front_ = 0, rear_ = 0, speed_mm_ = kSpeeds[1], last_order_s_ = 0;
};

}  // namespace kenaf_operation
