// Whether a robot finds what has changed in its world, and how soon: what it tells is held against what is truly there
// and what its lasers can have seen of that (PSS-15).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "forerun/estimate/beams.hpp"
#include "forerun/robot/seen_things.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::changing {

struct ChangeScore {
  int new_detected = 0;  // something stands where nothing should
  int new_missed = 0;    // … and has not been told after it was in sight for longer than a second
  int gone_detected = 0;
  int gone_missed = 0;
  int strange = 0;               // told, and nothing like it is there
  std::vector<double> delays_s;  // for how long it was in sight before it was told
  double driven_s = 0;

  void add(const ChangeScore& other);
};

class ChangeJudge {
 public:
  // `model` must outlive the judge; `known` and `robot` as the robot's own watch has them.
  ChangeJudge(const sim::Model& model, const world::World& known, const robot::Description& robot);

  // After each step of the loop, with the changes that the robot would tell now.
  void look(const sim::Loop& loop, std::span<const robot::Change> told);

  [[nodiscard]] const ChangeScore& score() const noexcept { return score_; }

 private:
  // A box that comes and goes, or a door that moves: as it is, and as it has been told. Nothing: none stands there.
  struct Thing {
    std::optional<world::Mover> truly;
    std::optional<world::Mover> told;
    bool differs = false;  // from what has been told
    bool is_new = false;   // it has come, or closed; else it has gone, or opened
    double opening = 0;    // of a door
    double told_opening = 0;
    bool settled = true;    // as at the scan before
    double in_sight_s = 0;  // for so long it could have been seen that it is not as told
    bool missed = false;
  };
  struct Glimpse {
    RobotTime time;
    world::Mover mover;
  };
  void see_boxes(const sim::Loop& loop, std::span<const robot::Change> told);
  void see_doors(const sim::Loop& loop, std::span<const robot::Change> told);
  void judge(Thing& thing, std::span<const estimate::Fan> fans);
  void notice_strange(std::span<const robot::Change> told);
  [[nodiscard]] bool is_something(const robot::Change& change) const;

  const sim::Model& model_;
  std::vector<world::Door> doors_;         // as the robot knows them
  std::vector<std::size_t> door_numbers_;  // among them, of each that moves
  estimate::Eyes eyes_;
  RobotTime last_look_;
  double since_last_s_ = 0;
  std::vector<Thing> moving_doors_, boxes_;
  std::vector<Glimpse> lately_;       // who and what was there
  std::uint32_t highest_number_ = 0;  // of the changes told so far
  ChangeScore score_;
};

}  // namespace forerun::changing
