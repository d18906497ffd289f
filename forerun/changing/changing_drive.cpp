#include "forerun/changing/changing_drive.hpp"

#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/estimate/change_watch.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sync/seen_things_wire.hpp"

namespace forerun::changing {
namespace {

constexpr int kBoxes = 6;
constexpr double kSmallest = 0.3, kLargest = 0.8;  // edge of the boxes of one drive [m]
constexpr double kFirst = 5, kLast = 250;          // when something may change [s]
constexpr double kShortest = 30, kLongest = 120;   // how long it stays so [s]
constexpr double kMovingDoors = 0.6;               // of all
constexpr double kTellInterval = 2;                // [s]

RobotTime at(double time_s) { return RobotTime{} + from_seconds(time_s); }

// The level's departures, without its people; with boxes along the route.
sim::Setting planted(sim::Setting setting, bool with_changes, Random& random) {
  setting.reality.people = 0;
  setting.reality.boxes = with_changes ? kBoxes : 0;
  setting.reality.box_size = random.uniform(kSmallest, kLargest);
  setting.scenario.doors.clear();
  for (const world::Door& door : setting.world.doors) {
    if (with_changes && random.uniform() < kMovingDoors) setting.scenario.doors.push_back({door.name, 0, 0});
  }
  return setting;
}

void draw_times(sim::Cast& cast, Random& random) {
  for (const world::Mover& box : cast.boxes) {
    const double from = random.uniform(0, kLast);
    cast.passing.push_back({box, at(from), at(from + random.uniform(kShortest, kLongest))});
  }
  cast.boxes.clear();
  for (sim::MovingDoor& moving : cast.doors) {
    const double first = random.uniform(kFirst, kLast);
    const double back = first + random.uniform(kShortest, kLongest);
    moving.changes = {{at(first), !moving.door.open}, {at(back), moving.door.open}};
  }
}

void count_bytes(const robot::SeenThings& told, Vec2 here, ChangingDrive& drive) {
  const std::size_t things = told.changes.size() + told.moving.size();
  sync::SectionWriter section;
  if (things == 0 || !sync::add_seen_things(told, here, section)) return;
  drive.bytes_told += static_cast<double>(section.written().size());
  drive.things_told += static_cast<int>(things);
}

}  // namespace

Result<ChangingDrive> drive_through_changes(const sim::Setting& setting, std::uint64_t seed, bool with_changes) {
  Random random(seed, 0xc4a);
  const sim::Setting changed = planted(setting, with_changes, random);
  auto model = sim::make_model(changed, seed);
  if (!model) return model.error();
  draw_times(model->cast, random);
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control);
  estimate::ChangeWatch watch(setting.world, setting.robot);
  ChangeJudge judge(*model, setting.world, setting.robot);
  ChangingDrive drive;
  double next_telling = 0;
  while (!loop.finished() && to_seconds(loop.time()) < setting.scenario.time_limit) {
    loop.step();
    watch.observe(loop.reported_pose(), loop.readings());
    control->set_changes(watch.changes());
    judge.look(loop, watch.changes());
    if (to_seconds(loop.time()) < next_telling) continue;
    next_telling += kTellInterval;
    const Vec2 here = loop.reported_pose().position();
    if (const auto told = watch.tell(loop.time(), here)) count_bytes(*told, here, drive);
  }
  drive.score = judge.score();
  return drive;
}

}  // namespace forerun::changing
