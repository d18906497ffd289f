// Simulated robots that drive by their own localization.
#include "forerun/localize/robot_localizer.hpp"

#include <gtest/gtest.h>

#include "forerun/atlas/setting.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::localize {
namespace {

// A body that somebody lifts and puts down elsewhere; its wheels notice nothing.
class CarriedBody final : public sim::Body {
 public:
  CarriedBody(const sim::Model& model, const Pose2& to)
      : here_(model.robot, model.reality, model.start, sim::stream(model.seed, sim::Stream::plant)),
        there_(model.robot, model.reality, to, sim::stream(model.seed, sim::Stream::plant, 500)),
        odometry_(here_.odometry()) {}

  void carry() {
    odom_from_there_ = odometry_ * inverse(there_.odometry());
    carried_ = true;
  }
  void step(const robot::Twist& command, double dt) noexcept override {
    body().step(command, dt);
    track();
  }
  void block(bool may_turn) noexcept override {
    body().block(may_turn);
    track();
  }
  [[nodiscard]] const robot::State& state() const noexcept override { return body().state(); }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return odometry_; }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return odometry_; }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override { return body().measured_velocity(); }
  [[nodiscard]] std::int64_t ticks(std::size_t wheel) const noexcept override { return body().ticks(wheel); }
  [[nodiscard]] double path_length() const noexcept override { return here_.path_length() + there_.path_length(); }
  [[nodiscard]] bool moves() const noexcept override { return body().moves(); }
  void add_to(Hash& hash) const noexcept override { body().add_to(hash); }

 private:
  [[nodiscard]] sim::PlanarBody& body() noexcept { return carried_ ? there_ : here_; }
  [[nodiscard]] const sim::PlanarBody& body() const noexcept { return carried_ ? there_ : here_; }
  void track() noexcept { odometry_ = carried_ ? odom_from_there_ * there_.odometry() : here_.odometry(); }

  sim::PlanarBody here_, there_;
  Pose2 odom_from_there_;
  Pose2 odometry_;
  bool carried_ = false;
};

class RobotLocalizerTest : public testing::Test {
 protected:
  static sim::Setting setting(const std::string& reality, const std::string& robot = "") {
    auto inputs = atlas::load_setting("office-delivery", reality, {.robot = robot});
    EXPECT_TRUE(inputs) << inputs.error().message;
    return std::move(*inputs);
  }
  static double error_of(const sim::Loop& loop) {
    return distance(loop.reported_pose().position(), loop.truth().pose.position());
  }
  // The largest error of a whole drive by localization [m]; the goals must be reached.
  static double worst_error(const std::string& reality, double seconds, const std::string& robot = "") {
    const sim::Setting inputs = setting(reality, robot);
    const auto model = sim::make_model(inputs, 1);
    auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, model->start, 1);
    EXPECT_TRUE(localizer) << localizer.error().message;
    const auto control = navigate::make_own_control_system(model->planning, model->robot);
    sim::Loop loop(*model, *control, {.localizer = localizer->get()});
    double worst = 0;
    while (!loop.finished() && to_seconds(loop.time()) < seconds) {
      loop.step();
      worst = std::max(worst, error_of(loop));
      EXPECT_EQ((*localizer)->filter().belief().status, Status::localized) << to_seconds(loop.time());
      if (testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(loop.statistics().collisions, 0);
    EXPECT_GT(loop.plant().path_length(), 20);
    return worst;
  }
};

TEST_F(RobotLocalizerTest, ARobotWithLasersDrivesByIt) { EXPECT_LT(worst_error("noisy", 200), 0.3); }

TEST_F(RobotLocalizerTest, PeopleInTheWayDoNotPullItAway) { EXPECT_LT(worst_error("crowded", 120), 0.5); }

TEST_F(RobotLocalizerTest, SonarsWillDo) {
  sim::Setting inputs = setting("noisy");
  std::erase_if(inputs.robot.sensors, [](const auto& s) { return std::holds_alternative<robot::Laser>(s); });
  const auto model = sim::make_model(inputs, 1);
  auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, model->start, 1);
  ASSERT_TRUE(localizer) << localizer.error().message;
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control, {.localizer = localizer->get()});
  double worst = 0;
  while (!loop.finished() && to_seconds(loop.time()) < 120) {
    loop.step();
    worst = std::max(worst, error_of(loop));
  }
  EXPECT_GT(loop.plant().path_length(), 20);
  EXPECT_LT(worst, 0.6);
}

TEST_F(RobotLocalizerTest, AKidnappedRobotFindsItselfAgain20TimesOf20) {
  const sim::Setting inputs = setting("noisy");
  const std::vector<Vec2> places{{11.3, 5.0}, {25.1, 5.4}, {16.4, -2.6}, {7.1, 5.1}, {12.0, -2.8}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto model = sim::make_model(inputs, seed);
    Random random(seed, 77);
    const Vec2 place = places[seed % places.size()];
    CarriedBody body(*model, {place.x, place.y, random.uniform(-kPi, kPi)});
    auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, model->start, seed);
    ASSERT_TRUE(localizer) << localizer.error().message;
    const auto control = navigate::make_own_control_system(model->planning, model->robot);
    sim::Loop loop(*model, *control, {.body = &body, .localizer = localizer->get()});
    const double carried = 8 + 0.4 * static_cast<double>(seed);
    while (to_seconds(loop.time()) < carried) loop.step();
    ASSERT_LT(error_of(loop), 0.3) << seed;
    body.carry();
    loop.step();
    ASSERT_GT(error_of(loop), 3) << seed;
    double found = 0;
    while (found == 0 && to_seconds(loop.time()) < carried + 120) {
      loop.step();
      const bool sure = (*localizer)->filter().belief().status == Status::localized;
      if (sure && error_of(loop) < 0.3) found = to_seconds(loop.time()) - carried;
    }
    EXPECT_GT(found, 0) << seed;
  }
}

TEST_F(RobotLocalizerTest, ReportsSayHowSureItIs) {
  const sim::Setting inputs = setting("noisy");
  const auto model = sim::make_model(inputs, 1);
  auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, model->start, 1);
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control, {.localizer = localizer->get()});
  while (to_seconds(loop.time()) < 5) loop.step();
  const Matrix<3, 3>& covariance = (*localizer)->filter().belief().covariance;
  const robot::PoseError error = sim::make_report(loop, {}).error;
  EXPECT_DOUBLE_EQ(error.sigma_x, std::sqrt(covariance(0, 0)));
  EXPECT_DOUBLE_EQ(error.sigma_heading, std::sqrt(covariance(2, 2)));
  EXPECT_DOUBLE_EQ(error.correlation * error.sigma_x * error.sigma_y, covariance(0, 1));
  // without a localizer, as the level has it
  sim::Loop given(*model, *control);
  EXPECT_EQ(sim::make_report(given, {}).error.sigma_x, inputs.reality.pose_error);
}

TEST_F(RobotLocalizerTest, NeedsSomethingToSeeWith) {
  sim::Setting inputs = setting("noisy");
  std::erase_if(inputs.robot.sensors, [](const auto& s) {
    return std::holds_alternative<robot::Laser>(s) || std::holds_alternative<robot::SonarRing>(s);
  });
  const auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, {}, 1);
  ASSERT_FALSE(localizer);
  EXPECT_NE(localizer.error().message.find("has neither a laser nor sonars"), std::string::npos);
}

TEST_F(RobotLocalizerTest, ObservingAllocatesNothing) {
  const sim::Setting inputs = setting("noisy");
  const auto model = sim::make_model(inputs, 1);
  auto localizer = RobotLocalizer::make(inputs.world, inputs.robot, model->start, 1);
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control, {.localizer = localizer->get()});
  const AllocationCounter counter;
  while (to_seconds(loop.time()) < 5) loop.step();
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::localize
