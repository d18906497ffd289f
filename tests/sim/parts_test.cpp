// Body and localization behind the loop can be exchanged.
#include <gtest/gtest.h>

#include "forerun/sim/loop.hpp"
#include "tests/support/outings.hpp"

namespace forerun::sim {
namespace {

// Believes its dead reckoning.
class DeadReckoning final : public navigate::Localizer {
 public:
  void observe(const navigate::Observation& observation) noexcept override {
    pose_ = observation.odometry;
    ++n_observed;
  }
  [[nodiscard]] Pose2 pose() const noexcept override { return pose_; }

  int n_observed = 0;

 private:
  Pose2 pose_;
};

// Follows every command at once and measures itself exactly.
class PerfectBody final : public Body {
 public:
  explicit PerfectBody(const Pose2& start) { state_.pose = start; }
  void step(const robot::Twist& command, double dt) noexcept override {
    state_.velocity = command;
    state_.pose = robot::move(state_.pose, command, dt);
    path_length_ += command.vx * dt;
  }
  void block(bool) noexcept override { state_.velocity = {}; }
  [[nodiscard]] const robot::State& state() const noexcept override { return state_; }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return state_.pose; }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return state_.pose; }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override { return state_.velocity; }
  [[nodiscard]] std::int64_t ticks(std::size_t) const noexcept override { return 0; }
  [[nodiscard]] double path_length() const noexcept override { return path_length_; }
  [[nodiscard]] bool moves() const noexcept override { return state_.velocity.vx != 0; }
  void add_to(Hash& hash) const noexcept override { hash.add(state_.pose.x); }

 private:
  robot::State state_;
  double path_length_ = 0;
};

TEST(Parts, ALocalizerOfOnesOwnIsBelieved) {
  Outing outing(kMismatched, {{.position = {8, 5}}}, 3);
  DeadReckoning localizer;
  Loop loop(*outing.model, *outing.navigator, {.localizer = &localizer});
  while (loop.time() < RobotTime{} + from_seconds(5)) {
    loop.step();
    ASSERT_EQ(loop.reported_pose(), loop.plant().odometry());
  }
  EXPECT_GT(localizer.n_observed, 100);
  EXPECT_GT(distance(loop.truth().pose.position(), loop.reported_pose().position()), 1e-6);
}

TEST(Parts, ABodyOfOnesOwnIsMoved) {
  Outing outing(kExact, {{.position = {8, 5}}}, 3);
  PerfectBody body(outing.model->start);
  Loop loop(*outing.model, *outing.navigator, {.body = &body});
  while (loop.time() < RobotTime{} + from_seconds(5)) loop.step();
  EXPECT_GT(body.path_length(), 0.5);
  EXPECT_EQ(&loop.plant(), &body);
  EXPECT_EQ(loop.reported_pose(), body.state().pose);  // the given pose follows it
}

}  // namespace
}  // namespace forerun::sim
