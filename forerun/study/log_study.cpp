#include "forerun/study/log_study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/io/plan_log.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/study/trajectories.hpp"

namespace forerun::study {
namespace {

// The bootstrap draws stretches of this length, so that one or two logs still give intervals. Much longer than the
// gaps, so that neighbours have little in common; the runs over one log are no blocks of their own, because they see
// the same motion again. [s]
constexpr double kBlockLength = 60;
constexpr double kWallDepth = 0.5;  // poses farther than this from all free floor do not belong to this world [m]

bool stands_free(const world::FreeGrid& free, Vec2 place) {
  const Cell cell = free.frame().cell_of(place);
  return free.frame().contains(cell) && free[cell] != 0;
}

// Is there free floor at the place or around it? Localization errs, and maps are a little off.
bool fits(const world::FreeGrid& free, Vec2 place) {
  if (stands_free(free, place)) return true;
  for (int i = 0; i < 16; ++i) {
    const SinCos direction = sincos(kTwoPi * (i % 8) / 8);
    const double reach = i < 8 ? kWallDepth / 2 : kWallDepth;
    if (stands_free(free, place + Vec2{direction.cos, direction.sin} * reach)) return true;
  }
  return false;
}

Result<void> check_fit(const learn::LoggedDrive& logged, const std::string& file, const predict::ReplicaModel& model) {
  std::size_t n = 0, misfits = 0;
  for (const learn::Stretch& rows : logged.stretches) {
    for (const learn::LogRow& row : rows) {
      if (!row.believed) continue;
      ++n;
      if (!fits(model.planning.free, row.believed->position())) ++misfits;
    }
  }
  if (2 * misfits <= n) return {};
  return Error{
      file + ": " + std::to_string(100 * misfits / n) +
      " % of the poses lie outside the world's plan or deep in its walls, but a drive and its world must share "
      "their coordinates"};
}

Result<std::vector<learn::LoggedDrive>> read_logs(const LogInputs& inputs, const predict::ReplicaModel& model) {
  std::vector<learn::LoggedDrive> logged_drives;
  for (const NamedLog& log : inputs.logs) {
    auto logged = learn::make_logged_drive(log.log, log.file, inputs.robot);
    if (!logged) return logged.error();
    if (auto fit = check_fit(*logged, log.file, model); !fit) return fit.error();
    logged_drives.push_back(std::move(*logged));
  }
  return logged_drives;
}

std::vector<robot::Report> arriving(const std::vector<robot::Report>& reports, double loss, std::uint64_t seed) {
  const std::vector<bool> arrived = learn::draw_arrivals(reports.size(), loss, seed);
  std::vector<robot::Report> messages;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (arrived[i]) messages.push_back(reports[i]);
  }
  return messages;
}

// By how many kBlockLengths after the log's first row its messages were sent.
using BlocksOfLog = std::map<std::int64_t, Block>;

// One run over one log.
struct LogPiece {
  BlocksOfLog blocks;
  double max_shown_step = 0;  // [m]
  ExpertTally experts;
};

LogPiece do_run(const learn::LoggedDrive& logged, const std::vector<CutDrive>& drives, const LogParams& params,
                const predict::ReplicaModel& model) {
  LogPiece piece;
  for (const auto& [drive, arrivals_seed] : drives) {
    const auto messages = arriving(drive.reports, params.loss, arrivals_seed);
    for (const Sample& sample : score(drive, messages, model, params.methods, {&piece.experts})) {
      const double since_start = to_seconds(messages[sample.message].time) - logged.start();
      piece.blocks[static_cast<std::int64_t>(std::floor(since_start / kBlockLength))].push_back(sample);
    }
    const double shown_step = follow(drive, model, params.loss, arrivals_seed).max_shown_step_m;
    piece.max_shown_step = std::max(piece.max_shown_step, shown_step);
  }
  return piece;
}

// The pieces are sorted by log, then by run; the blocks of all runs over a log fall together.
std::vector<Block> gather(const std::vector<LogPiece>& pieces, std::size_t n_runs) {
  std::vector<Block> all;
  for (std::size_t first = 0; first < pieces.size(); first += n_runs) {
    BlocksOfLog of_log;
    for (std::size_t i = first; i < first + n_runs; ++i) {
      for (const auto& [number, samples] : pieces[i].blocks) {
        of_log[number].insert(of_log[number].end(), samples.begin(), samples.end());
      }
    }
    for (auto& [number, samples] : of_log) all.push_back(std::move(samples));
  }
  return all;
}

void add_lengths(const std::vector<learn::LoggedDrive>& logged_drives, LogResult& result) {
  const auto n = static_cast<double>(logged_drives.size());
  for (const learn::LoggedDrive& logged : logged_drives) {
    result.breaks += logged.stretches.size() - 1;
    if (!logged.plans.empty()) result.plans += logged.plans.size() - 1;
    for (const learn::Stretch& rows : logged.stretches) {
      result.duration_s += (rows.back().time - rows.front().time) / n;
      for (std::size_t i = 1; i < rows.size(); ++i) {
        result.path_length_m += distance(rows[i - 1].truth.position(), rows[i].truth.position()) / n;
      }
    }
  }
}

}  // namespace

Result<std::vector<NamedLog>> load_logs(const std::vector<std::string>& files, Plans plans) {
  std::vector<NamedLog> logs;
  for (const std::string& file : files) {
    auto log = io::load_drive_log(file);
    if (!log) return log.error();
    if (plans == Plans::taken) {
      if (auto added = io::add_plans(file, *log); !added) return added.error();
    }
    logs.push_back({file, std::move(*log)});
  }
  return logs;
}

std::vector<CutDrive> cut_run(const learn::LoggedDrive& logged, const robot::Description& robot,
                              const LogParams& params, const LogRun& which) {
  Random random(params.seed + which.run, 0x109000 + which.log);
  const learn::ReportTimes times{params.interval_s, random.uniform(0, params.interval_s)};
  std::vector<CutDrive> drives;
  for (learn::Drive& drive : learn::cut_drives(logged, times, robot))
    drives.push_back({std::move(drive), random.bits()});
  return drives;
}

Result<LogResult> run_log_study(const LogInputs& inputs, const LogParams& params, const OnProgress& on_progress) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  const auto logged_drives = read_logs(inputs, *model);
  if (!logged_drives) return logged_drives.error();

  const auto n_runs = static_cast<std::size_t>(params.runs);
  std::vector<LogPiece> pieces(logged_drives->size() * n_runs);
  const auto work = [&](std::size_t i) {
    const std::size_t log = i / n_runs, run = i % n_runs;
    const learn::LoggedDrive& logged = (*logged_drives)[log];
    pieces[i] = do_run(logged, cut_run(logged, inputs.robot, params, {log, run}), params, *model);
  };
  if (!for_each_piece(pieces.size(), work, on_progress)) return Error{"the study was stopped", ErrorKind::impossible};

  LogResult result;
  const std::vector<Block> blocks = gather(pieces, n_runs);
  ExpertTally experts;
  for (const LogPiece& piece : pieces) experts.add(piece.experts);
  result.relative = summarize(blocks, Measure::relative, params.methods, &experts);
  result.absolute = summarize(blocks, Measure::absolute, params.methods, &experts);
  if (result.relative.gap_bins.empty()) {
    return Error{inputs.logs.front().file + ": no gap has " + std::to_string(kFewest) +
                 " samples; the drive must be longer, or more --runs be made, or its rows stand within " +
                 std::to_string(static_cast<int>(learn::kLongestGap)) + " s of each other"};
  }
  add_lengths(*logged_drives, result);
  for (const LogPiece& piece : pieces) {
    result.max_shown_step_m = std::max(result.max_shown_step_m, piece.max_shown_step);
  }
  return result;
}

}  // namespace forerun::study
