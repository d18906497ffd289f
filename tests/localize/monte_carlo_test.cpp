// A robot on a map drawn as text, with odometry that drifts.
#include "forerun/localize/monte_carlo.hpp"

#include <gtest/gtest.h>

#include "forerun/base/hash.hpp"
#include "tests/localize/drawn_map.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::localize {
namespace {

using test::three_rooms;

// A loop through the three rooms.
const std::vector<Vec2>& tour() {
  static const std::vector<Vec2> kTour{{2, 7.5}, {4, 7},    {5.2, 7.3}, {7.5, 7.2}, {8.5, 6}, {8.5, 4.5},
                                       {12, 3},  {12, 4.3}, {5, 4.3},   {3.3, 4.7}, {3.3, 6}};
  return kTour;
}

// Drives the tour in steps of 0.2 m, looking ahead.
class Drive {
 public:
  Drive(OccupancyMap map, std::uint64_t seed) : map_(std::move(map)), random_(seed, 2) { jump(0, 0); }

  [[nodiscard]] const Pose2& truth() const { return truth_; }
  [[nodiscard]] const Pose2& odometry() const { return odometry_; }
  [[nodiscard]] const OccupancyMap& map() const { return map_; }
  // Somebody carries the robot there; its wheels know nothing of it.
  void jump(std::size_t corner, double heading) {
    next_ = (corner + 1) % tour().size();
    truth_ = {tour()[corner].x, tour()[corner].y, heading};
  }
  Echoes go_on(double people = 0) {
    const Vec2 way = tour()[next_] - truth_.position();
    const double turn = clamp(normalize_angle(atan2(way.y, way.x) - truth_.theta), -0.4, 0.4);
    const double drive = std::fabs(turn) < 0.39 ? std::min(0.2, length(way)) : 0;
    const Pose2 step = Pose2{0, 0, turn} * Pose2{drive, 0, 0};
    truth_ = truth_ * step;
    // wheels that are not quite alike, and slip
    const Pose2 error{0.02 * drive * random_.normal(), 0.02 * drive * random_.normal(),
                      0.03 * drive + 0.03 * turn * random_.normal()};
    odometry_ = odometry_ * step * error;
    if (length(tour()[next_] - truth_.position()) < 0.1) next_ = (next_ + 1) % tour().size();
    return test::echoes_of(test::seen_ranges(map_, truth_, random_, people));
  }

 private:
  OccupancyMap map_;
  Random random_;
  Pose2 truth_, odometry_;
  std::size_t next_ = 0;
};

bool go_on(Drive& drive, MonteCarlo& localizer, double people = 0) {
  const Echoes echoes = drive.go_on(people);
  return localizer.update(drive.odometry(), echoes);
}

double error_of(const MonteCarlo& localizer, const Drive& drive) {
  return distance(localizer.pose_at(drive.odometry()).position(), drive.truth().position());
}

TEST(MonteCarlo, FollowsTheRobotWhereOdometryDrifts) {
  Drive drive(three_rooms(), 1);
  MonteCarlo localizer(drive.map(), {}, 1);
  localizer.start_at(drive.truth(), 0.1, 0.05);
  double worst_odometry = 0;
  for (int i = 0; i < 250; ++i) {
    go_on(drive, localizer);
    const Pose2 start{tour()[0].x, tour()[0].y, 0};
    worst_odometry =
        std::max(worst_odometry, distance((start * drive.odometry()).position(), drive.truth().position()));
    ASSERT_LT(error_of(localizer, drive), 0.35) << i;
    ASSERT_EQ(localizer.belief().status, Status::localized) << i;
  }
  EXPECT_GT(worst_odometry, 2) << "without the map it would be lost";
}

TEST(MonteCarlo, ItsCovarianceIsHonest) {
  Drive drive(three_rooms(), 2);
  MonteCarlo localizer(drive.map(), {}, 2);
  localizer.start_at(drive.truth(), 0.1, 0.05);
  int n_within = 0, n = 0;
  for (int i = 0; i < 300; ++i) {
    if (!go_on(drive, localizer)) continue;
    const Pose2& believed = localizer.belief().pose;
    const Vector<3> off{{{{believed.x - drive.truth().x},
                          {believed.y - drive.truth().y},
                          {normalize_angle(believed.theta - drive.truth().theta)}}}};
    const auto precision = inverse_symmetric(localizer.belief().covariance);
    ASSERT_TRUE(precision);
    // 95 % of χ² with three degrees of freedom
    n_within += (transposed(off) * *precision * off)(0, 0) < 7.81 ? 1 : 0;
    ++n;
  }
  EXPECT_GE(n_within, n * 85 / 100) << n;
}

TEST(MonteCarlo, FindsItselfFromNothing) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Drive drive(three_rooms(), seed);
    drive.jump(2 * seed % tour().size(), 1.3 * static_cast<double>(seed));
    MonteCarlo localizer(drive.map(), {}, seed);
    int i = 0;
    for (; i < 100 && localizer.belief().status != Status::localized; ++i) {
      go_on(drive, localizer);
    }
    EXPECT_LT(i, 100) << seed;
    EXPECT_LT(error_of(localizer, drive), 0.3) << seed;
  }
}

TEST(MonteCarlo, AKidnappedRobotSaysSoAndIsFoundAgain) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Drive drive(three_rooms(), seed);
    MonteCarlo localizer(drive.map(), {}, seed);
    localizer.start_at(drive.truth(), 0.1, 0.05);
    for (int i = 0; i < 30; ++i) {
      go_on(drive, localizer);
    }
    ASSERT_LT(error_of(localizer, drive), 0.3) << seed;
    drive.jump(5 + seed % 5, 0.9 * static_cast<double>(seed));
    // wrong and sure of it: not for long
    int n_wrong = 0, back = -1;
    for (int i = 0; i < 100 && back < 0; ++i) {
      go_on(drive, localizer);
      const bool sure = localizer.belief().status == Status::localized, right = error_of(localizer, drive) < 0.5;
      if (sure && !right) ++n_wrong;
      if (sure && right) back = i;
    }
    EXPECT_GE(back, 0) << seed;
    EXPECT_LE(n_wrong, 15) << seed;
  }
}

TEST(MonteCarlo, PeopleDoNotPullItAway) {
  Drive drive(three_rooms(), 4);
  MonteCarlo localizer(drive.map(), {}, 4);
  localizer.start_at(drive.truth(), 0.1, 0.05);
  for (int i = 0; i < 250; ++i) {
    go_on(drive, localizer, 0.4);
    ASSERT_LT(error_of(localizer, drive), 0.4) << i;
  }
  EXPECT_EQ(localizer.belief().status, Status::localized);
}

// Two rooms that are each other's image when turned by half a turn: nobody can say which.
TEST(MonteCarlo, SaysThatItDoesNotKnowWhereTwoPlacesAreAlike) {
  const OccupancyMap map = test::drawn_map({
      "###################",
      "#........#........#",
      "#........#........#",
      "#........#........#",
      "#.##.....#........#",
      "#........#.....##.#",
      "#........#........#",
      "#........#........#",
      "#........#........#",
      "###################",
  });
  Random random(6, 6);
  MonteCarlo localizer(map, {}, 3);
  Pose2 truth{3.5, 3.5, 0}, odometry;
  for (int i = 0; i < 60; ++i) {
    const Pose2 step{0.12, 0, 0.2};
    truth = truth * step;
    odometry = odometry * step;
    localizer.update(odometry, test::echoes_of(test::seen_ranges(map, truth, random)));
    ASSERT_NE(localizer.belief().status, Status::localized) << i;
  }
  EXPECT_GT(localizer.belief().covariance(0, 0), 4) << "the other room is metres away";
}

TEST(MonteCarlo, TheSameSeedGivesTheSameBitsAndAnotherOthers) {
  const auto hash_of = [](std::uint64_t seed) {
    Drive drive(three_rooms(), 1);
    MonteCarlo localizer(drive.map(), {.most_particles = 2000, .search = {.tries = 2000, .keep = 20}}, seed);
    Hash hash;
    for (int i = 0; i < 20; ++i) {
      go_on(drive, localizer);
      hash.add(localizer.belief().pose.x);
      hash.add(localizer.belief().pose.theta);
    }
    return hash.value();
  };
  EXPECT_EQ(hash_of(1), hash_of(1));
  EXPECT_NE(hash_of(1), hash_of(2));
}

TEST(MonteCarlo, AnUpdateAllocatesNothing) {
  Drive drive(three_rooms(), 1);
  MonteCarlo localizer(drive.map(), {}, 1);
  for (int i = 0; i < 10; ++i) {
    const Echoes echoes = drive.go_on();
    const AllocationCounter counter;
    localizer.update(drive.odometry(), echoes);
    ASSERT_EQ(counter.count(), 0u) << i;
  }
}

TEST(MonteCarlo, AScanWithoutEchoesMovesNothing) {
  Drive drive(three_rooms(), 1);
  MonteCarlo localizer(drive.map(), {}, 1);
  localizer.start_at(drive.truth(), 0.1, 0.05);
  EXPECT_FALSE(localizer.update({}, {}));
  ASSERT_TRUE(go_on(drive, localizer));
  const Pose2 before = localizer.belief().pose;
  EXPECT_FALSE(localizer.update(Pose2{1, 0, 0}, {})) << "odometry alone carries it on";
  EXPECT_EQ(localizer.belief().pose, before);
}

}  // namespace
}  // namespace forerun::localize
