#include "forerun/study/study_pages.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "forerun/draw/markup.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/study/prediction_page.hpp"
#include "forerun/study/trajectories.hpp"

namespace forerun::study {
namespace {

constexpr double kSamePlace = 0.3;  // goals nearer to each other than this are one [m]

// Under way as in the papers, and before it leaves; a drive without goals has only the one that differs most.
std::vector<Gap> long_gaps(const learn::Drive& drive, const predict::ReplicaModel& model) {
  std::vector<Gap> gaps{room_gap(drive, model, GapStart::after_leaving)};
  Gap before = room_gap(drive, model, GapStart::before_leaving);
  if (before.at_goal) gaps.push_back(std::move(before));
  return gaps;
}

// The world and the drive that are shown.
void set_drive(const learn::Drive& drive, std::uint64_t arrivals_seed, const world::World& world,
               const predict::ReplicaModel& model, StudyPage& input) {
  input.plan = draw::draw_plan(world, model.planning.free);
  input.robot_radius = model.robot.footprint.radius;
  input.trajectories = follow(drive, model, input.loss, arrivals_seed);
  input.gaps = long_gaps(drive, model);
}

std::string percent(double share) { return draw::brief(share * 100) + " %"; }

std::string name_of_file(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// The goals of a stretch in the order in which they were first driven to.
std::vector<Place> goals_within(const learn::LoggedDrive& logged, double from, double to) {
  std::vector<Place> goals;
  for (const learn::Stretch& rows : logged.stretches) {
    for (const learn::LogRow& row : rows) {
      if (!row.goal || row.time < from || row.time > to) continue;
      const auto is_known = [&](const Place& place) { return distance(place.at, *row.goal) < kSamePlace; };
      if (std::none_of(goals.begin(), goals.end(), is_known)) goals.push_back({"", *row.goal});
    }
  }
  return goals;
}

}  // namespace

Result<std::string> office_page(const sim::Setting& inputs, const OfficeParams& params, const OfficeResult& result) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  const auto drive = simulate_drive(inputs, params.interval_s, params.seed, {params.localize, params.changes});
  if (!drive) return drive.error();
  StudyPage input;
  input.title = "Where is the robot now? " + inputs.scenario.name;
  input.settings = {{"world", inputs.world.name},
                    {"robot", inputs.robot.name},
                    {"reality", inputs.reality.name},
                    {"message every", draw::brief(params.interval_s) + " s"},
                    {"messages lost", percent(params.loss)},
                    {"runs", std::to_string(params.runs)},
                    {"seed", std::to_string(params.seed)}};
  input.shown = params.runs > 1 ? "The first of the drives" : "The drive";
  input.interval_s = params.interval_s;
  input.loss = params.loss;
  input.start = inputs.scenario.start;
  for (const sim::Goal& goal : inputs.scenario.goals) input.goals.push_back({goal.name, goal.position});
  set_drive(*drive, params.seed, inputs.world, *model, input);
  set_scores(result.absolute, Measure::absolute, input);
  input.path_length_m = result.path_length_m;
  input.duration_s = result.duration_s;
  return write_study_page(input);
}

Result<std::string> log_page(const LogInputs& inputs, const LogParams& params, const LogResult& result,
                             const std::string& robot) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  const NamedLog& log = inputs.logs.front();
  const auto logged = learn::make_logged_drive(log.log, log.file, inputs.robot);
  if (!logged) return logged.error();
  const auto drives = cut_run(*logged, inputs.robot, params, {});
  const auto longest = std::max_element(drives.begin(), drives.end(), [](const CutDrive& a, const CutDrive& b) {
    return a.drive.truth.back().driven < b.drive.truth.back().driven;
  });
  const learn::Drive& drive = longest->drive;
  StudyPage input;
  input.title = "How well would this robot have been predicted?";
  input.source = DriveSource::recorded;
  input.settings = {{"drives", std::to_string(inputs.logs.size())},
                    {"world", inputs.world.name},
                    {"robot", robot},
                    {"message every", draw::brief(params.interval_s) + " s"},
                    {"messages lost", percent(params.loss)},
                    {"runs over each drive", std::to_string(params.runs)},
                    {"seed", std::to_string(params.seed)}};
  input.shown = (drives.size() > 1 ? "The longest stretch without a break of " : "The drive ") + name_of_file(log.file);
  input.interval_s = params.interval_s;
  input.loss = params.loss;
  input.start = drive.truth.front().pose;
  input.goals = goals_within(*logged, drive.start, drive.start + drive.duration());
  set_drive(drive, longest->arrivals_seed, inputs.world, *model, input);
  set_scores(result.relative, Measure::relative, input);
  input.path_length_m = result.path_length_m;
  input.duration_s = result.duration_s;
  return write_study_page(input);
}

}  // namespace forerun::study
