// How well a recorded robot would have been predicted: messages are cut out of its drives, some are lost, and every one
// that arrives is scored at every gap as in the office study.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/learn/drive.hpp"
#include "forerun/learn/logged_drive.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/study/scoring.hpp"
#include "forerun/study/workers.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct NamedLog {
  std::string file;
  io::DriveLog log;
};

enum class Plans { taken, left_out };
// Plans are taken from files beside the logs, where there are any.
[[nodiscard]] Result<std::vector<NamedLog>> load_logs(const std::vector<std::string>& files, Plans plans);

struct LogInputs {
  const world::World& world;
  const robot::Description& robot;  // as the replica believes it to be
  std::span<const NamedLog> logs;
};

struct LogParams {
  double interval_s = 6;  // between two messages [s]
  double loss = 0.3;      // of the messages: the predictor never sees them
  int runs = 10;          // over the same logs, with other times and losses of the messages
  std::uint64_t seed = 1;
  std::vector<Method> methods = known_methods();  // that are scored
};

template <class Visit>
void visit_fields(LogParams& p, Visit&& visit) {
  visit("interval_s", p.interval_s, Field{0.1, 60, "between two messages [s]"});
  visit("loss", p.loss, Field{0, 0.99, "share of the messages that never arrive"});
  visit("runs", p.runs, Field{1, 10000, "times that the messages are cut out anew, at other moments"});
  visit("seed", p.seed, Field{.about = "of the messages' times and losses"});
}

struct LogResult {
  Scores relative;              // the motion since the message
  Scores absolute;              // positions, with whatever localization was off by
  double max_shown_step_m = 0;  // farthest that what is shown moves from one frame to the next
  double path_length_m = 0;     // mean of the logs
  double duration_s = 0;        // mean of the logs, without breaks
  std::size_t breaks = 0;       // of all logs: times at which nobody saw the robot for a while
  std::size_t plans = 0;        // of all logs: that the robots told
};

// A stretch of a log without breaks, with its messages; those that are lost follow from the seed (draw_arrivals).
struct CutDrive {
  learn::Drive drive;
  std::uint64_t arrivals_seed = 0;
};

// Which of the logs, and which run over it.
struct LogRun {
  std::size_t log = 0;
  std::size_t run = 0;
};
[[nodiscard]] std::vector<CutDrive> cut_run(const learn::LoggedDrive& logged, const robot::Description& robot,
                                            const LogParams& params, const LogRun& which);

// An error where the logs do not fit the world, or are too short for a single figure.
[[nodiscard]] Result<LogResult> run_log_study(const LogInputs& inputs, const LogParams& params,
                                              const OnProgress& on_progress = {});

}  // namespace forerun::study
