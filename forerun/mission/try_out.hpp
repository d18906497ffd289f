// A try-out made piece by piece: an operator drives the phantom, the copy of a robot, by hand or sends it to waypoints,
// and takes back what went wrong (DEC-5). Needs no robot and no link.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/mission/recorded_path.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::mission {

inline constexpr double kTryOutPeriod = 0.05;   // of the recording; time goes on in steps of it [s]
inline constexpr double kLongestTryOut = 1800;  // [s]
inline constexpr std::size_t kMostStretches = 500;

class TryOut {
 public:
  // Exactly, with nobody about. An error where the phantom cannot stand at its start.
  [[nodiscard]] static Result<std::unique_ptr<TryOut>> make(const world::World& world, const robot::Description& robot,
                                                            const Pose2& start);
  TryOut(const TryOut&) = delete;
  TryOut& operator=(const TryOut&) = delete;

  // By hand, for `step_s`, from where the phantom is. While it stands and is to stand, time stands too: what the
  // operator thinks about is no part of the path. True: it stands.
  [[nodiscard]] Result<bool> drive(const robot::Twist& wanted, double step_s);
  // The planner drives it there; `run` lets it. `action`: what it does where it stands there; empty: nothing.
  [[nodiscard]] Result<void> send_to(const navigate::Task& waypoint, const std::string& action = {});
  // True: it is there, has waited and stands; or it was not sent anywhere.
  [[nodiscard]] Result<bool> run(double step_s);

  // A stretch leads from rest to rest: until the operator let go, or to one waypoint. The one that is driven counts.
  [[nodiscard]] std::size_t n_stretches() const noexcept { return stretches_.size(); }
  // Forgets all but the first `n` stretches: the phantom stands where they end.
  void keep(std::size_t n);

  [[nodiscard]] const RecordedPath& path() const noexcept { return path_; }
  [[nodiscard]] robot::State state() const noexcept;
  [[nodiscard]] int collisions() const noexcept;  // with or without a bumper to feel them
  // Points of the path at which they began.
  [[nodiscard]] const std::vector<std::size_t>& contacts() const noexcept { return contacts_; }
  [[nodiscard]] const sim::Model& model() const noexcept { return model_; }

 private:
  struct Stretch {
    std::size_t first = 0;  // point of the path
    int collisions = 0;     // in all stretches before
    std::string action;     // at its end
  };
  explicit TryOut(sim::Model model);
  [[nodiscard]] Result<void> begin(const std::vector<navigate::Task>& tasks);
  void advance(double step_s);
  void take_points();
  void act();
  void end();
  [[nodiscard]] bool is_at_rest() const noexcept;

  sim::Model model_;
  Pose2 start_;
  std::unique_ptr<navigate::ControlSystem> control_;
  std::optional<sim::Loop> loop_;  // of the stretch that is driven
  PathRecorder recorder_{kTryOutPeriod};
  std::size_t n_taken_ = 0;  // points of the recorder that are in the path
  std::vector<Stretch> stretches_;
  int collisions_ = 0;  // in stretches that are over
  RecordedPath path_;   // never empty
  std::vector<std::size_t> contacts_;
};

}  // namespace forerun::mission
