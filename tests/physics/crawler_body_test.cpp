#include "forerun/physics/crawler_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/atlas/setting.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::physics {
namespace {

// Kenaf on its course, from this place on.
class OnTheCourse {
 public:
  explicit OnTheCourse(const Pose2& start, const char* world = "kenaf-course")
      : model_(make_model(start, world)),
        body_(std::move(*make_body(*model_))),
        control_(navigate::make_own_control_system(model_->planning, model_->robot)),
        loop_(*model_, *control_, {.body = body_.get()}) {}

  void drive(const robot::Twist& velocity, double seconds,
             const std::optional<robot::FlipperAngles>& flippers = std::nullopt) {
    EXPECT_EQ(loop_.command({.kind = robot::CommandKind::drive, .velocity = velocity, .flippers = flippers}),
              sim::CommandOutcome::accepted);
    const RobotTime end = loop_.time() + from_seconds(seconds);
    while (loop_.time() < end) loop_.step();
  }
  [[nodiscard]] robot::Report report() const { return sim::make_report(loop_, {}); }
  [[nodiscard]] sim::Loop& loop() { return loop_; }
  [[nodiscard]] const sim::Body* body() const { return body_.get(); }

 private:
  static std::unique_ptr<sim::Model> make_model(const Pose2& start, const char* world) {
    sim::Setting setting{*atlas::load_named_world(world), *atlas::load_named_robot("kenaf"), {}, {}};
    setting.scenario.start = start;
    auto model = sim::make_model(setting, 1);
    EXPECT_TRUE(model) << model.error().message;
    return std::make_unique<sim::Model>(std::move(*model));
  }
  std::unique_ptr<sim::Model> model_;
  std::unique_ptr<sim::Body> body_;
  std::unique_ptr<navigate::ControlSystem> control_;
  sim::Loop loop_;
};

TEST(CrawlerBody, DrivesAsTheControlSystemSays) {
  OnTheCourse robot({-0.5, 0, 0});
  robot.drive({0.3, 0, 0}, 3);
  const robot::State& truth = robot.loop().truth();
  EXPECT_NEAR(truth.pose.x, 0.32, 0.06) << "it comes to speed in half a second";
  EXPECT_NEAR(truth.velocity.vx, 0.3, 0.03);
  EXPECT_NEAR(robot.report().state.velocity.vx, 0.3, 0.03) << "as the belts say";
  EXPECT_NEAR(robot.loop().plant().odometry().x, truth.pose.x, 0.05);
  EXPECT_NEAR(robot.loop().plant().path_length(), truth.pose.x + 0.5, 0.02);
  EXPECT_GT(robot.loop().plant().ticks(0), 0);
  robot.drive({}, 2);
  EXPECT_FALSE(robot.loop().plant().moves());
}

TEST(CrawlerBody, TurnsAboutAsFastAsItIsTold) {
  OnTheCourse robot({-0.5, 0, 0});
  robot.drive({0, 0, 0.5}, 3);
  EXPECT_NEAR(robot.loop().truth().pose.theta, 1.4, 0.35);
}

TEST(CrawlerBody, SaysHowItStands) {
  OnTheCourse robot({0.5, 1.6, 0});  // before the ramp
  ASSERT_TRUE(robot.report().posture);
  EXPECT_NEAR(robot.report().posture->height, 0.09, 0.01);
  robot.drive({0.3, 0, 0}, 4, robot::FlipperAngles{0.8, 0.8, 0.8, 0.8});
  const robot::Posture up = *robot.report().posture;
  EXPECT_NEAR(up.pitch, -std::atan2(0.6, 1.6), 0.06) << "on the ramp, nose up";
  EXPECT_GT(up.height, 0.3);
  EXPECT_EQ(up.standing, robot::Standing::upright);
  for (const double angle : up.flippers) EXPECT_NEAR(angle, 0.8, 0.1);
  EXPECT_NEAR(up.left_speed, 0.3, 0.05);
}

TEST(CrawlerBody, WallsStopItWithoutTheLoop) {
  OnTheCourse robot({-0.9, 0, kPi});  // flippers reach 0.45 m ahead, the wall begins at −1.45
  robot.drive({0.2, 0, 0}, 2);        // longer, and it would climb it
  EXPECT_GT(robot.loop().truth().pose.x, -1.15);
  EXPECT_EQ(robot.loop().statistics().collisions, 0) << "nobody else looks for contacts";
  robot.drive({-0.3, 0, 0}, 3);
  EXPECT_GT(robot.loop().truth().pose.x, -0.7) << "and it gets away again";
}

TEST(CrawlerBody, TheSameDriveTwiceIsTheSame) {
  OnTheCourse a({-0.5, -1.6, 0}), b({-0.5, -1.6, 0});
  for (OnTheCourse* robot : {&a, &b}) robot->drive({0.3, 0, 0.1}, 3, robot::FlipperAngles{1, 1, 0, 0});
  EXPECT_EQ(a.loop().state_hash(), b.loop().state_hash());
}

TEST(CrawlerBody, FlippersAreNumbers) {
  OnTheCourse robot({-0.5, 0, 0});
  const robot::FlipperAngles none{0, std::nan(""), 0, 0};
  EXPECT_EQ(robot.loop().command({.kind = robot::CommandKind::drive, .velocity = {}, .flippers = none}),
            sim::CommandOutcome::not_a_number);
}

TEST(CrawlerBody, ALevelFloorNeedsNone) {
  OnTheCourse robot({0.6, 1.25, 0}, "bonn-office");
  EXPECT_EQ(robot.body(), nullptr);
  EXPECT_FALSE(robot.report().posture);
}

}  // namespace
}  // namespace forerun::physics
