// A model of somebody who drives a robot by hand: sees what is shown, late and not exactly, decides a few times a
// second, steers by how the line bends ahead and by how far off it the robot is (the two levels of Donges, 1978), and
// moves the stick not quite as meant.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/driving/course.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::driving {

// Figures of people, with where they are from; where nothing is named, they are assumed.
struct DriverParams {
  double reaction_s = 0.2;    // from seeing to moving the hand; simple reactions to what is seen take about 0.2 s
  double decide_s = 0.25;     // between two decisions: the refractory time of intermittent control (Gawthrop, Loram,
                              // Lakie, Gollee 2011)
  double preview_s = 1.2;     // comes back to the line over the way of this time: somewhat beyond the near point of the
                              // two-point model of steering (Salvucci, Gray 2004)
  double hand_noise = 0.06;   // of what the hand does, as a share: noise grows with the signal (Harris, Wolpert 1998)
  double eye_noise_m = 0.01;  // of a place that is seen, per axis: a few pixels of a view of ten metres [m]
  double glance_every_s = 8;  // looks away once in this time, on average [s]
  double glance_s = 0.8;      // for so long [s]
};

template <class Visit>
void visit_fields(DriverParams& p, Visit&& visit) {
  visit("reaction_s", p.reaction_s, Field{0, 2, "of the driver: from seeing to moving the hand [s]"});
  visit("decide_s", p.decide_s, Field{0.05, 2, "of the driver: between two decisions [s]"});
  visit("preview_s", p.preview_s, Field{0.2, 5, "of the driver: comes back to the line over the way of this time [s]"});
  visit("hand_noise", p.hand_noise, Field{0, 0.5, "of the driver: noise of the hand, as a share of what it does"});
  visit("eye_noise_m", p.eye_noise_m, Field{0, 0.2, "of the driver: noise of a seen place, per axis [m]"});
  visit("glance_every_s", p.glance_every_s, Field{1, 1000, "of the driver: looks away once in this time [s]"});
  visit("glance_s", p.glance_s, Field{0, 5, "of the driver: for so long [s]"});
}

// At which people like to drive such a robot, where nothing is in the way [m/s].
[[nodiscard]] double usual_speed(const robot::Limits& limits);

class HumanDriver {
 public:
  // `course` and `limits` must outlive the driver.
  HumanDriver(const Course& course, const robot::Limits& limits, const DriverParams& params, std::uint64_t seed);

  // What the hand does at `time` [s], which rises, when this is shown. Zeros: nothing is held.
  [[nodiscard]] robot::Twist drive(double time, const Pose2& shown);

 private:
  struct Seen {
    double time = 0;
    Pose2 pose;
  };
  void look(double time, const Pose2& shown);
  void decide(double time);
  [[nodiscard]] robot::Twist steer(const Pose2& seen);
  [[nodiscard]] std::optional<robot::Twist> dock(const Pose2& seen) const;
  [[nodiscard]] double speed_for(const OnLine& on_line, double bend) const;
  [[nodiscard]] robot::Twist noisy(const robot::Twist& meant);

  const Course& course_;
  const robot::Limits& limits_;
  DriverParams params_;
  double speed_;  // at which it likes to drive [m/s]
  Random random_;
  std::deque<Seen> seen_;  // not yet reacted to
  Seen known_;
  double next_decision_ = 0;
  double next_glance_;
  double glance_ends_ = -1;
  double along_ = 0;
  robot::Twist hand_;
};

}  // namespace forerun::driving
