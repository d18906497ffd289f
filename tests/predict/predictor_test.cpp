// All of it together: who drives, what is held up, how sure it is.
#include "forerun/predict/predictor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "examples/pure_pursuit.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

constexpr Vec2 kThere{8, 1.5};

sim::Scenario errand() {
  sim::Scenario scenario;
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"there", kThere, 2}, {"back", {2, 4.5}, 2}, {"there", kThere, 2}, {"back", {2, 4.5}, 0}};
  return scenario;
}

// A drive through the hall by whatever control system, with things in the way that are on nobody's map.
template <class Control>
class Trip {
 public:
  explicit Trip(const sim::Reality& reality, const robot::Description& robot = make_hall_robot(),
                const std::vector<world::Mover>& in_the_way = {})
      : truth_(make(reality, robot, in_the_way)), control_(truth_.planning, truth_.robot), loop_(truth_, control_) {}

  // Drives on for so long, and reports.
  robot::Report report_after(double seconds) {
    const RobotTime end = loop_.time() + from_seconds(seconds);
    while (loop_.time() < end) loop_.step();
    return sim::make_report(loop_, {});
  }
  [[nodiscard]] Vec2 position() const { return loop_.truth().pose.position(); }
  [[nodiscard]] const sim::Loop& loop() const { return loop_; }

 private:
  static sim::Model make(const sim::Reality& reality, const robot::Description& robot,
                         const std::vector<world::Mover>& in_the_way) {
    sim::Model model = *sim::make_model({make_hall(), robot, errand(), reality}, 5);
    model.cast.boxes = in_the_way;
    return model;
  }

  sim::Model truth_;
  Control control_;
  sim::Loop loop_;
};

using OurTrip = Trip<navigate::Navigator>;
using StrangersTrip = Trip<examples::PurePursuit>;

robot::Description make_slow_robot() {
  robot::Description robot = make_hall_robot();
  robot.limits.max_speed = examples::PurePursuitParams{}.speed_mps;
  return robot;
}

TEST(Predictor, StaysWithItsOwnControlSystemForARobotThatHasIt) {
  for (const sim::Reality& reality : {sim::kExact, sim::kNoisy}) {
    OurTrip trip(reality);
    const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
    Predictor predictor(model);
    for (int i = 0; i < 30 && !trip.loop().finished(); ++i) {
      predictor.resync(trip.report_after(3));
      EXPECT_STREQ(predictor.driver_name(), "replica") << reality.name << ", report " << i;
    }
  }
}

// It is told nothing but the reports; and the choice is worth it.
TEST(Predictor, ChoosesTheFollowerForARobotWithAnotherControlSystem) {
  StrangersTrip trip(sim::kNoisy, make_slow_robot());
  const ReplicaModel model = *make_replica_model(make_hall(), make_slow_robot());
  Predictor predictor(model);
  navigate::Navigator navigator(model.planning, model.robot);
  Replica own(model, navigator);
  int n_follower = 0, n = 0;
  double error = 0, own_error = 0;
  for (int i = 0; i < 40 && !trip.loop().finished(); ++i) {
    const robot::Report report = trip.report_after(4);
    if (i >= 10) {
      ++n;
      n_follower += predictor.driver_name() == std::string("follower") ? 1 : 0;
      own.advance(report.time);
      error += distance(predictor.advance(report.time).pose.position(), trip.position());
      own_error += distance(own.state().pose.position(), trip.position());
    }
    predictor.resync(report);
    own.resync(report);
  }
  ASSERT_GT(n, 10);
  EXPECT_GT(n_follower, 0.8 * n);
  EXPECT_LT(error, 0.7 * own_error);
}

const Driver kPurePursuit{"pure-pursuit", [](const DriverInputs& inputs) {
                            return std::make_unique<examples::PurePursuit>(inputs.model.planning, inputs.robot);
                          }};

// The user's own control system predicts better than either of ours, and so it drives: believed from the start, or
// found to be the best of three.
TEST(Predictor, BelievesTheDriverThatExplainsTheRobotBest) {
  std::vector<Driver> users_first = known_drivers(), users_last = known_drivers();
  users_first.front() = kPurePursuit;
  users_last.push_back(kPurePursuit);
  for (const auto& drivers : {users_first, users_last}) {
    StrangersTrip trip(sim::kNoisy, make_slow_robot());
    const ReplicaModel model = *make_replica_model(make_hall(), make_slow_robot());
    Predictor predictor(model, {}, drivers);
    EXPECT_EQ(predictor.driver(), 0u);
    for (int i = 0; i < 20 && !trip.loop().finished(); ++i) predictor.resync(trip.report_after(4));
    EXPECT_STREQ(predictor.driver_name(), "pure-pursuit");
    EXPECT_EQ(drivers[predictor.driver()].name, predictor.driver_name());
  }
}

// A driver that is never right hardly changes anything.
TEST(Predictor, ADriverThatIsWorseChangesLittle) {
  const Driver standing{"standing", [](const DriverInputs& inputs) {
                          robot::Description robot = inputs.robot;
                          return std::make_unique<examples::PurePursuit>(
                              inputs.model.planning, robot, examples::PurePursuitParams{.speed_mps = 0.01});
                        }};
  std::vector<Driver> three = known_drivers();
  three.push_back(standing);
  OurTrip trip(sim::kMismatched);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor one(model), other(model, {}, three);
  for (int i = 0; i < 12; ++i) {
    const robot::Report report = trip.report_after(4);
    one.resync(report);
    other.resync(report);
    const RobotTime now = report.time + from_seconds(3);
    EXPECT_LT(distance(one.advance(now).pose.position(), other.advance(now).pose.position()), 0.02) << i;
    EXPECT_STREQ(one.driver_name(), other.driver_name());
  }
}

// What a robot says of its path counts for the next reports too, until it has another goal.
TEST(Predictor, FollowsThePathThatTheRobotSays) {
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  const auto report_at = [](double time, double x, Vec2 goal) {
    robot::Report report;
    report.time = {from_seconds(time).ns};
    report.state = {{x, 1.5, 0}, {0.4, 0, 0}};
    report.task = robot::TaskState::driving;
    report.goal = goal;
    return report;
  };
  const Vec2 goal{4.5, 4.5};
  Predictor told(model), untold(model);
  robot::Report first = report_at(0, 1, goal);
  untold.resync(first);
  first.planned_path.emplace();
  for (const Vec2 point : {Vec2{1, 1.5}, Vec2{4.5, 1.5}, goal}) first.planned_path->push_back(point);
  told.resync(first);
  const auto weight_of_plan = [](const Predictor& predictor) { return predictor.expert_weights()[kFirstDriver + 3]; };
  const RobotTime later{from_seconds(4).ns};
  EXPECT_LT(told.advance(later).pose.y, untold.advance(later).pose.y - 0.1);
  for (const double time : {2.0, 4.0}) {
    for (Predictor* predictor : {&told, &untold}) {
      predictor->resync(report_at(time, 1 + 0.4 * time, goal));
      predictor->advance({from_seconds(time + 4).ns});
    }
    EXPECT_GT(weight_of_plan(told), 0.2) << time;
    EXPECT_EQ(weight_of_plan(untold), 0) << time;
  }
  told.resync(report_at(6, 3.4, {1.5, 4.5}));
  told.advance({from_seconds(8).ns});
  EXPECT_EQ(weight_of_plan(told), 0);
}

// Localization finds out that it was wrong by 3 m. That is no motion, and the wheels say so.
TEST(Predictor, ACorrectionOfLocalizationTeachesNothing) {
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  const auto report_at = [](double time, double jump) {
    robot::Report report;
    report.time = {from_seconds(time).ns};
    report.state = {{1 + 0.4 * time, 1.5 + jump, 0}, {0.4, 0, 0}};
    report.odometry = Pose2{0.4 * time, 0, 0};
    report.task = robot::TaskState::driving;
    report.goal = Vec2{4.8, 1.5};
    return report;
  };
  Predictor lost(model), steady(model);
  for (double time = 0; time <= 4; time += 2) {
    lost.resync(report_at(time, time < 4 ? 0 : 3));
    steady.resync(report_at(time, 0));
  }
  EXPECT_NEAR(lost.speed_scale(), steady.speed_scale(), 0.01);
  EXPECT_NEAR(lost.doubt(), steady.doubt(), 0.05);
  lost.advance({from_seconds(5).ns});
  EXPECT_NEAR(lost.expert_weights()[kExtrapolates], 1, 0.5);
  EXPECT_NEAR(lost.advance({from_seconds(4.3).ns}).pose.y, 4.5, 0.2);
}

// Nobody knows of the boxes in the gap, the only way to the goal.
std::vector<world::Mover> fill_the_gap() {
  return {world::make_box({6, 4.5, 0}, {0.6, 1}, 1.5, 0), world::make_box({6, 5.5, 0}, {0.6, 1}, 1.5, 0)};
}

// A robot that stands before an obstacle: after some reports of that, so does the prediction.
TEST(Predictor, DoesNotDriveOnThroughWhatHoldsTheRobotUp) {
  StrangersTrip trip(sim::kNoisy, make_slow_robot(), fill_the_gap());
  const ReplicaModel model = *make_replica_model(make_hall(), make_slow_robot());
  Predictor predictor(model);
  while (trip.loop().truth().velocity.vx > 0.01 || to_seconds(trip.loop().time()) < 10) {
    ASSERT_LT(to_seconds(trip.loop().time()), 100);
    predictor.resync(trip.report_after(6));
  }
  ASSERT_LT(trip.position().x, 6);
  for (int i = 0; i < 3; ++i) predictor.resync(trip.report_after(6));
  for (int i = 0; i < 10; ++i) {
    const robot::Report report = trip.report_after(6);
    const Vec2 predicted = predictor.advance(report.time).pose.position();
    EXPECT_LT(distance(predicted, trip.position()), 0.5) << i;
    EXPECT_TRUE(predictor.region(0.95).contains(trip.position())) << i;
    predictor.resync(report);
  }
}

// A robot that looks for another way where there is none wanders about, which nobody can predict; but it does not go
// through the obstacle, as its copy would, and the prediction says that it is unsure.
TEST(Predictor, IsUnsureOfARobotThatLooksForAnotherWay) {
  OurTrip trip(sim::kNoisy, make_hall_robot(), fill_the_gap());
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  navigate::Navigator navigator(model.planning, model.robot);
  Replica copy(model, navigator);
  for (int i = 0; i < 10; ++i) predictor.resync(trip.report_after(6));
  copy.resync(sim::make_report(trip.loop(), {}));
  double error = 0, copy_error = 0;
  for (int i = 0; i < 15; ++i) {
    const robot::Report report = trip.report_after(6);
    const Vec2 predicted = predictor.advance(report.time).pose.position();
    copy.advance(report.time);
    error += distance(predicted, trip.position());
    copy_error += distance(copy.state().pose.position(), trip.position());
    EXPECT_LT(predicted.x, 6) << i;
    EXPECT_GT(predictor.doubt(), 1.5) << i;
    predictor.resync(report);
    copy.resync(report);
  }
  EXPECT_LT(error, 0.6 * copy_error);
}

// Nothing is in its way, as far as anybody knows.
TEST(Predictor, ARobotThatStandsForNoReasonIsPredictedToStand) {
  OurTrip trip(sim::kExact);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  robot::Report report = trip.report_after(5);
  predictor.resync(report);
  report.state.velocity = {};
  report.acceleration = {};
  const Vec2 place = report.state.pose.position();
  double off = 0, first_off = 0;
  for (int i = 0; i < 6; ++i) {
    report.time = report.time + from_seconds(4);
    off = distance(predictor.advance(report.time).pose.position(), place);
    first_off = std::max(first_off, off);  // nobody could know
    predictor.resync(report);
  }
  EXPECT_GT(first_off, 1);
  EXPECT_LT(off, 0.7);
  EXPECT_GT(predictor.doubt(), 1);
  predictor.advance(report.time + from_seconds(4));
  EXPECT_TRUE(predictor.region(0.95).contains(place));
}

// The replica waits at the last goal that it knows of. The robot has gone on, and the region says that it may have.
TEST(Predictor, IsUnsureOfARobotThatMayHaveLeftForAGoalThatNobodyTold) {
  OurTrip trip(sim::kExact);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  predictor.resync(trip.report_after(3));
  const robot::Report later = trip.report_after(120);
  predictor.advance(later.time - from_seconds(80));
  EXPECT_LT(predictor.region(0.5).radius(), 1) << "soon after, it is there as likely as not";
  EXPECT_LT(distance(predictor.advance(later.time).pose.position(), kThere), 0.3);
  EXPECT_GT(distance(trip.position(), kThere), 3);
  EXPECT_TRUE(predictor.region(0.95).contains(trip.position()));
}

TEST(Predictor, SaysNothingBeforeTheFirstReport) {
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  // however late it is: the robot's clock may count from 1970
  for (const double time_s : {0.0, 1.0, 2e9}) {
    EXPECT_EQ(predictor.advance(RobotTime{} + from_seconds(time_s)).pose, Pose2{});
    for (const double share : {0.01, 0.5, 0.95, 0.999}) {
      EXPECT_TRUE(predictor.region(share).parts.empty());
      EXPECT_EQ(predictor.region(share).radius(), 0);
    }
  }
  // and it begins when it begins
  OurTrip trip(sim::kExact);
  const robot::Report report = trip.report_after(2);
  predictor.resync(report);
  EXPECT_EQ(predictor.advance(report.time).pose.position(), report.state.pose.position());
}

// The robot's clock steps by a year: nobody waits until replicas have lived through it.
TEST(Predictor, ResyncsAndAdvancesWithoutAllocating) {
  OurTrip trip(sim::kMismatched);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  std::vector<robot::Report> reports;
  for (int i = 0; i < 20; ++i) reports.push_back(trip.report_after(4));
  const AllocationCounter counter;
  for (const robot::Report& report : reports) {
    predictor.resync(report);
    predictor.advance(report.time + from_seconds(3));
    EXPECT_GT(predictor.region(0.95).radius(), 0);
  }
  EXPECT_EQ(counter.count(), 0u);
}

TEST(Predictor, GivesTheSameBitsForTheSameReports) {
  OurTrip trip(sim::kMismatched);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor one(model), other(model);
  for (int i = 0; i < 15; ++i) {
    const robot::Report report = trip.report_after(5);
    one.resync(report);
    other.resync(report);
    const RobotTime now = report.time + from_seconds(4);
    EXPECT_EQ(one.advance(now).pose, other.advance(now).pose);
    EXPECT_EQ(one.region(0.95).radius(), other.region(0.95).radius());
  }
}

// Nobody asks one of them but at the end, and the other sixty times a second.
TEST(Predictor, GivesTheSameAnswerHoweverOftenItIsAsked) {
  OurTrip trip(sim::kMismatched);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor once(model), often(model);
  for (int i = 0; i < 10; ++i) {
    const robot::Report report = trip.report_after(5);
    once.resync(report);
    often.resync(report);
    for (int frame = 1; frame <= 60 * 4; ++frame) often.advance(report.time + from_seconds(frame / 60.0));
    const RobotTime now = report.time + from_seconds(4.01);
    const robot::State a = once.advance(now), b = often.advance(now);
    EXPECT_EQ(a.pose, b.pose) << i;
    EXPECT_EQ(a.velocity, b.velocity) << i;
    EXPECT_EQ(once.region(0.95).radius(), often.region(0.95).radius()) << i;
    EXPECT_EQ(once.speed_scale(), often.speed_scale()) << i;
  }
}

// Who has looked ahead learns from later reports all the same, and no less than who has not.
TEST(Predictor, LearnsAsMuchWhenItWasAskedFarAhead) {
  StrangersTrip trip(sim::kNoisy, make_slow_robot());
  const ReplicaModel model = *make_replica_model(make_hall(), make_slow_robot());
  Predictor ahead(model), usual(model);
  for (int i = 0; i < 12; ++i) {
    robot::Report report = trip.report_after(3);
    report.until_decision = {};  // does not say when it decides: a stranger
    for (Predictor* predictor : {&ahead, &usual}) predictor->resync(report);
    const RobotTime soon = report.time + from_seconds(2);
    ahead.advance(soon);
    usual.advance(soon);
    for (std::size_t k = 0; k < kMostExperts; ++k) {
      EXPECT_NEAR(ahead.expert_weights()[k], usual.expert_weights()[k], 1e-3) << i << ", " << k;
    }
    ahead.advance(report.time + from_seconds(18));
  }
}

// Reports are late: when one comes, the predictor has long been asked for later times. It learns all the same.
TEST(Predictor, LearnsFromReportsThatComeLate) {
  for (const double late_s : {0.0, 2.0, 8.0}) {
    OurTrip trip(sim::kMismatched);
    const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
    Predictor predictor(model);
    for (int i = 0; i < 12 && !trip.loop().finished(); ++i) {
      const robot::Report report = trip.report_after(2.5);
      predictor.resync(report);
      for (int frame = 1; frame <= 60 * (late_s + 2.5); ++frame) {
        predictor.advance(report.time + from_seconds(frame / 60.0));
      }
    }
    EXPECT_LT(predictor.speed_scale(), 0.97) << late_s << " s";
    EXPECT_GT(predictor.speed_scale(), 0.8) << late_s << " s";
  }
}

TEST(Predictor, GrowsLessSureWithTheGap) {
  OurTrip trip(sim::kMismatched);
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  Predictor predictor(model);
  robot::Report report;
  for (int i = 0; i < 3; ++i) predictor.resync(report = trip.report_after(2));
  const double at_once = predictor.region(0.95).radius();
  predictor.advance(report.time + from_seconds(3));
  const double soon = predictor.region(0.95).radius();
  predictor.advance(report.time + from_seconds(8));
  const double later = predictor.region(0.95).radius();
  EXPECT_LT(at_once, 0.2);
  EXPECT_GT(soon, at_once);
  EXPECT_GT(later, soon);
  EXPECT_LT(predictor.region(0.5).radius(), later);
}

}  // namespace
}  // namespace forerun::predict
