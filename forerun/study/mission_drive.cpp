#include "forerun/study/mission_drive.hpp"

#include <memory>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/mission/drive_loop.hpp"
#include "forerun/mission/make_mission.hpp"
#include "forerun/mission/record_drive.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::study {
namespace {

constexpr std::uint64_t kNumber = 1;  // of the mission

}  // namespace

Result<mission::Mission> rehearse_tour(const sim::Setting& inputs) {
  const auto model = sim::make_model({inputs.world, inputs.robot, inputs.scenario, sim::kExact}, 1);
  if (!model) return model.error();
  const auto tried = mission::record_goals(*model, inputs.scenario.time_limit);
  if (!tried) return tried.error();
  const auto trimmed = mission::apply_cuts(*tried, mission::find_cuts(*tried, {}).cuts);
  auto tour = mission::make_mission("tour", trimmed, inputs.world, inputs.robot);
  if (!tour) return tour.error();
  return std::move(tour->mission);
}

Result<learn::Drive> simulate_mission(const sim::Setting& inputs, const mission::Mission& mission, double interval_s,
                                      std::uint64_t seed) {
  auto model = sim::make_model(inputs, seed);
  if (!model) return model.error();
  model->tasks.clear();
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control);
  mission::Pilot pilot(inputs.world, inputs.robot);
  const robot::Command start{.kind = robot::CommandKind::start, .mission = kNumber};
  for (const robot::Reply& reply : {pilot.give(kNumber, mission), mission::start_on(loop, start, pilot)}) {
    if (reply.state == robot::Reply::State::refused) {
      return Error{"the robot refused the mission: " + std::string(reply.words.view()), ErrorKind::impossible};
    }
  }
  learn::Drive drive;
  drive.mission = std::make_shared<const robot::TimedPath>(mission.path);
  drive.mission_number = kNumber;
  learn::TruthRecorder recorder;
  double next_report = Random(seed, 0x0ff1ce).uniform(0, interval_s);
  std::uint32_t sequence = 0;
  while (pilot.status()->state == robot::MissionState::running) {
    const double time = to_seconds(loop.time());
    recorder.take(time, {loop.truth().pose, loop.plant().path_length()}, drive.truth);
    if (time >= next_report) {
      pilot.apply(drive.reports.emplace_back(sim::make_report(loop, {.sequence = sequence++})));
      next_report += interval_s;
    }
    loop.step();
  }
  return drive;
}

}  // namespace forerun::study
