#include "forerun/study/office_study.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/estimate/change_watch.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/study/mission_drive.hpp"
#include "forerun/study/trajectories.hpp"

namespace forerun::study {
namespace {

struct Run {
  Block samples;
  ExpertTally experts;
  double max_shown_step = 0;  // [m]
  double path_length = 0;     // [m]
  double duration = 0;        // [s]
  std::optional<Error> error;
};

Run do_run(const sim::Setting& inputs, const OfficeParams& params, std::size_t index,
           const predict::ReplicaModel& model, const std::optional<mission::Mission>& mission) {
  Run run;
  const std::uint64_t seed = params.seed + index;
  const auto drive = mission ? simulate_mission(inputs, *mission, params.interval_s, seed)
                             : simulate_drive(inputs, params.interval_s, seed, {params.localize, params.changes});
  if (!drive) {
    run.error = drive.error();
    return run;
  }
  run.samples = score(*drive, drive->reports, model, params.methods, {&run.experts, mission ? kMostGaps : kUsualGaps});
  run.max_shown_step = follow(*drive, model, params.loss, seed).max_shown_step_m;
  run.path_length = drive->truth.back().driven;
  run.duration = drive->duration();
  return run;
}

}  // namespace

Result<learn::Drive> simulate_drive(const sim::Setting& inputs, double interval_s, std::uint64_t seed,
                                    const DriveManner& manner) {
  const auto model = sim::make_model(inputs, seed);
  if (!model) return model.error();
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  const auto localizer = serve::make_localizer(
      manner.localize ? serve::PoseSource::localized : serve::PoseSource::given, inputs, model->start, seed);
  if (!localizer) return localizer.error();
  sim::Loop loop(*model, *control, {.localizer = localizer->get()});
  learn::Drive drive;
  learn::TruthRecorder recorder;
  // a stream of its own: the phase of the reports must not change the simulation
  double next_report = Random(seed, 0x0ff1ce).uniform(0, interval_s);
  std::uint32_t sequence = 0;
  std::optional<estimate::ChangeWatch> changes;
  if (manner.changes) changes.emplace(inputs.world, inputs.robot);
  while (!loop.finished() && to_seconds(loop.time()) < inputs.scenario.time_limit) {
    const double time = to_seconds(loop.time());
    recorder.take(time, {loop.truth().pose, loop.plant().path_length()}, drive.truth);
    if (time >= next_report) {
      robot::Report& report = drive.reports.emplace_back(sim::make_report(loop, {.sequence = sequence++}));
      if (changes) report.seen = changes->tell(report.time, report.state.pose.position());
      next_report += interval_s;
    }
    loop.step();
    if (!changes) continue;
    changes->observe(loop.reported_pose(), loop.readings());
    control->set_changes(changes->changes());
  }
  return drive;
}

Result<OfficeResult> run_office_study(const sim::Setting& inputs, const OfficeParams& params,
                                      const OnProgress& on_progress) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  std::optional<mission::Mission> mission;
  if (params.mission) {
    auto tour = rehearse_tour(inputs);
    if (!tour) return tour.error();
    mission = std::move(*tour);
  }
  std::vector<Run> runs(static_cast<std::size_t>(params.runs));
  const auto work = [&](std::size_t i) { runs[i] = do_run(inputs, params, i, *model, mission); };
  if (!for_each_piece(runs.size(), work, on_progress)) return Error{"the study was stopped", ErrorKind::impossible};

  OfficeResult result;
  std::vector<Block> blocks;
  ExpertTally experts;
  for (Run& run : runs) {
    if (run.error) return *run.error;
    experts.add(run.experts);
    blocks.push_back(std::move(run.samples));
    result.max_shown_step_m = std::max(result.max_shown_step_m, run.max_shown_step);
    result.path_length_m += run.path_length / params.runs;
    result.duration_s += run.duration / params.runs;
  }
  result.absolute = summarize(blocks, Measure::absolute, params.methods, &experts);
  result.relative = summarize(blocks, Measure::relative, params.methods, &experts);
  return result;
}

}  // namespace forerun::study
