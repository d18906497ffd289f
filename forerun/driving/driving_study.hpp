// `forerun study driving`: how well a robot is driven by hand over a late link, by what is shown (BEY-10).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/driving/remote_drive.hpp"
#include "forerun/sim/reality.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::driving {

struct DrivingParams {
  int runs = 20;  // of each condition
  std::uint64_t seed = 1;
  double interval_s = 0.1;    // of reports [s]
  double dead_time_s = 0.12;  // of the robot that answers late …
  double lag_s = 0.2;         // … and its motors' lag [s]
  DriverParams driver;
  std::vector<std::string> tasks{};  // empty: all
  std::vector<double> delays_s{};    // each way; empty: 0, 0.25, 0.5, 1 and 2.5 [s]
};

// Names of all tasks.
[[nodiscard]] std::vector<std::string> task_names();

template <class Visit>
void visit_fields(DrivingParams& p, Visit&& visit) {
  visit("runs", p.runs, Field{1, 1000, "drives of each condition"});
  visit("seed", p.seed, Field{.about = "of drivers, robots and links"});
  visit("interval_s", p.interval_s, Field{0.02, 10, "between two reports of the robot; in steps of 10 ms [s]"});
  visit("dead_time_s", p.dead_time_s, Field{0, 1, "of the robot that answers late, which nobody was told of [s]"});
  visit("lag_s", p.lag_s, Field{0, 1, "of its motors [s]"});
}

// What was the same in several drives, and how they went.
struct Condition {
  std::string task;
  double delay_s = 0, loss = 0;
  Display display = Display::predicted;
  bool guard = true;
  bool is_usual = true;  // with the guard, where there is one
  int runs = 0;
  double time_s = 0;  // on average
  double deviation_rms_m = 0;
  int contacts = 0;
  int failed = 0;
  std::vector<Vec2> track;  // of the first drive
};

// A robot that answers late, with and without knowing that.
struct LateAnswer {
  std::string task;
  double delay_s = 0;
  Condition unknown, learned;
};

struct DrivingResult {
  std::string robot, reality;
  DrivingParams params;
  std::vector<Course> courses;
  std::vector<Condition> conditions;
  std::vector<LateAnswer> late_answers;
};

// Of robots that can turn on the spot, on level floor. Without anything to look with there is no guard.
[[nodiscard]] Result<DrivingResult> run_driving_study(const robot::Description& robot, const sim::Reality& reality,
                                                      const DrivingParams& params,
                                                      const study::OnProgress& on_progress = {});

// The usual condition; null: there is none.
[[nodiscard]] const Condition* find(const DrivingResult& result, const std::string& task, double delay_s, double loss,
                                    Display display);
[[nodiscard]] nlohmann::ordered_json to_json(const DrivingResult& result);
[[nodiscard]] std::string driving_page(const DrivingResult& result);

}  // namespace forerun::driving
