#include "forerun/mobility/course_drive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/physics/crawler_body.hpp"
#include "forerun/physics/scene_text.hpp"
#include "forerun/physics/terrain_predictor.hpp"

namespace forerun::mobility {
namespace {

using physics::TerrainPredictor;

constexpr std::array<double, 4> kGaps{0.5, 1, 2.5, 5};  // [s]
constexpr double kDrive = 20;                           // of a run [s]
constexpr double kLookEvery = 0.5;                      // [s]

// Where runs begin: before the steps, before the ramp, before the step fields.
constexpr std::array<Pose2, 4> kStarts{{{0.3, -1.6, 0}, {0.3, 1.6, 0}, {5.9, -1.5, 0}, {5.9, 1.5, 0}}};

struct Wish {
  robot::Twist velocity;
  robot::FlipperAngles flippers{};
};

// What somebody at the stick might do in the next seconds: mostly onwards, sometimes a turn, a stop or a way back.
Wish next_wish(Random& random) {
  Wish wish{{random.uniform(0.1, 0.35), 0, 0}, {0.8, 0.8, 0, 0}};
  const double what = random.uniform();
  if (what < 0.25) wish.velocity = {0.15, 0, random.uniform(-0.5, 0.5)};
  if (what > 0.9) wish.velocity = {-0.2, 0, 0};
  if (what > 0.8 && what < 0.9) wish.velocity = {};
  if (random.uniform() < 0.3) wish.flippers = {0.2, 0.2, -0.4, -0.4};
  return wish;
}

// One drive, recorded: what was told when, and what a report would say at each look.
struct Drive {
  struct Told {
    RobotTime time;
    Wish wish;
  };
  std::vector<Told> told;
  std::vector<robot::Report> reports;
};

robot::Report report_of(const physics::Scene& scene) {
  const physics::CrawlerState s = scene.state(0);
  robot::Report report;
  report.time = RobotTime{} + from_seconds(scene.time());
  report.state = physics::planar_state(s);
  report.posture = physics::posture_of(s);
  return report;
}

Result<Drive> record(const world::World& world, const robot::Description& robot, const Pose2& start, Random random) {
  auto scene = physics::Scene::make(world.terrain);
  if (!scene) return scene.error();
  if (auto placed = scene->put_down(*robot.crawler, start); !placed) {
    return Error{"the robot " + placed.error().message + " at the start of a run", ErrorKind::bad_input};
  }
  Drive drive;
  double next = 0;
  while (scene->time() < kDrive) {
    if (scene->time() >= next) {
      next = scene->time() + random.uniform(1, 4);
      const Wish wish = next_wish(random);
      physics::CrawlerCommand command = physics::belts_for(robot.drive, *robot.crawler, wish.velocity);
      command.flippers = wish.flippers;
      scene->command(0, command);
      drive.told.push_back({RobotTime{} + from_seconds(scene->time()), wish});
    }
    drive.reports.push_back(report_of(*scene));
    if (drive.reports.back().posture->standing != robot::Standing::upright) break;
    for (int i = 0; i < std::lround(kLookEvery / physics::kStep); ++i) scene->step();
  }
  return drive;
}

void add(GapScore& score, const TerrainPredictor::Estimate& now, const robot::Report& then,
         const robot::Report& truth) {
  const auto off = [&](const Pose2& pose) { return length(pose.position() - truth.state.pose.position()); };
  ++score.n;
  score.stays += off(now.experts[TerrainPredictor::kStays]);
  score.extrapolated += off(now.experts[TerrainPredictor::kExtrapolates]);
  score.physics += off(now.experts[TerrainPredictor::kPhysics]);
  score.believed += off(now.pose);
  score.pitch += std::fabs(now.posture.pitch - truth.posture->pitch);
  score.pitch_held += std::fabs(then.posture->pitch - truth.posture->pitch);
}

// Reports that far apart; the prediction just before each is scored.
Result<void> score(const Drive& drive, const world::World& world, const robot::Description& robot, bool told,
                   GapScore& into) {
  auto predictor = TerrainPredictor::make(world, robot);
  if (!predictor) return predictor.error();
  const auto every = static_cast<std::size_t>(std::lround(into.gap / kLookEvery));
  std::size_t n_told = 0;
  for (std::size_t i = 0; i + every < drive.reports.size(); i += every) {
    const robot::Report& then = drive.reports[i];
    const robot::Report& truth = drive.reports[i + every];
    predictor->take(then);
    for (; told && n_told < drive.told.size() && drive.told[n_told].time < truth.time; ++n_told) {
      const auto& [time, wish] = drive.told[n_told];
      predictor->give(time, wish.velocity, wish.flippers);
    }
    if (const auto now = predictor->at(truth.time)) add(into, *now, then, truth);
  }
  return {};
}

void divide(std::vector<GapScore>& scores) {
  for (GapScore& s : scores) {
    const double n = std::max(1, s.n);
    for (double* sum : {&s.stays, &s.extrapolated, &s.physics, &s.believed, &s.pitch, &s.pitch_held}) *sum /= n;
  }
}

}  // namespace

Result<CourseScore> score_course(const world::World& world, const robot::Description& robot,
                                 const ComparisonParams& params, const std::function<bool(double)>& go_on) {
  robot::Description real = robot;
  real.crawler = vary(*robot.crawler, {.mass_factor = params.mass_factor, .friction_factor = params.friction_factor});
  CourseScore made;
  for (const double gap : kGaps) {
    made.gaps.push_back({.gap = gap});
    made.untold.push_back({.gap = gap});
  }
  const auto n_drives = static_cast<std::size_t>(params.drives);
  for (std::size_t k = 0; k < n_drives; ++k) {
    auto drive = record(world, real, kStarts[k % kStarts.size()], Random(params.seed, k));
    if (!drive) return drive.error();
    for (std::size_t i = 0; i < kGaps.size(); ++i) {
      const double n_done = static_cast<double>(k * kGaps.size() + i);
      if (!go_on(n_done / static_cast<double>(n_drives * kGaps.size()))) return made;
      if (auto done = score(*drive, world, robot, true, made.gaps[i]); !done) return done.error();
      if (auto done = score(*drive, world, robot, false, made.untold[i]); !done) return done.error();
    }
  }
  divide(made.gaps);
  divide(made.untold);
  return made;
}

}  // namespace forerun::mobility
