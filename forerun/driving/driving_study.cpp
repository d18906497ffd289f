#include "forerun/driving/driving_study.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "forerun/navigate/hand_guard.hpp"

namespace forerun::driving {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDelays[] = {0, 0.25, 0.5, 1, 2.5};  // each way [s]
constexpr double kMostLate = 0.5;                     // up to this delay a robot's own latency matters [s]
constexpr double kLosses[] = {0, 0.1};
constexpr Display kDisplays[] = {Display::reported, Display::extrapolated, Display::predicted};

// A course with the robot at its start, and what the driver's side knows of both.
struct Ground {
  sim::Setting setting;
  predict::ReplicaModel replica;
};

Result<Ground> make_ground(const Course& course, const robot::Description& robot, const sim::Reality& reality) {
  sim::Setting setting{course.world, robot, {}, reality};
  setting.scenario.start = start_of(course);
  auto replica = predict::make_replica_model(course.world, robot);
  if (!replica) return replica.error();
  return Ground{std::move(setting), std::move(*replica)};
}

// One condition with all that its drives need.
struct Plan {
  std::size_t course = 0;
  DriveSetup setup;
  bool is_late = false;   // of the robot that answers late …
  bool is_known = false;  // … and is known to
};

std::vector<Plan> make_plans(std::size_t n_courses, const DrivingParams& params, bool can_guard) {
  std::vector<Plan> plans;
  DriveSetup usual;
  usual.interval_s = params.interval_s;
  usual.driver = params.driver;
  usual.guard = can_guard;
  for (std::size_t course = 0; course < n_courses; ++course) {
    for (const double delay : params.delays_s) {
      for (const Display display : kDisplays) {
        DriveSetup setup = usual;
        setup.delay_s = delay;
        setup.display = display;
        for (const double loss : kLosses) {
          setup.loss = loss;
          plans.push_back({course, setup});
        }
        if (!can_guard) continue;
        setup.guard = false;
        plans.push_back({course, setup});
      }
    }
    for (const double delay : params.delays_s) {
      if (delay > kMostLate) continue;
      for (const bool known : {false, true}) {
        DriveSetup setup = usual;
        setup.delay_s = delay;
        setup.dead_time_s = params.dead_time_s;
        plans.push_back({course, setup, true, known});
      }
    }
  }
  return plans;
}

// It is driven once beforehand, so that it can measure how it answers.
Result<DriveOutcome> drive_late_robot(const Course& course, const Ground& ground, const Plan& plan,
                                      const DrivingParams& params, std::uint64_t seed) {
  sim::Setting setting = ground.setting;
  setting.reality.motor_lag = params.lag_s;
  DriveSetup setup = plan.setup;
  if (plan.is_known) {
    setup.learns = true;
    const auto before = drive_course(course, setting, ground.replica, setup, seed + 1'000'000);
    if (!before) return before.error();
    setup.found = before->found;
  }
  return drive_course(course, setting, ground.replica, setup, seed);
}

void add(const DriveOutcome& outcome, Condition& condition, double& squares, int& n) {
  ++condition.runs;
  condition.time_s += outcome.time_s;
  condition.contacts += outcome.contacts;
  condition.failed += outcome.failed ? 1 : 0;
  squares += outcome.squares;
  n += outcome.n;
  if (condition.track.empty()) condition.track = outcome.track;
}

Condition summarize(const std::string& task, const Plan& plan, bool can_guard,
                    std::span<const Result<DriveOutcome>> drives) {
  Condition condition{.task = task,
                      .delay_s = plan.setup.delay_s,
                      .loss = plan.setup.loss,
                      .display = plan.setup.display,
                      .guard = plan.setup.guard,
                      .is_usual = plan.setup.guard == can_guard,
                      .track = {}};
  double squares = 0;
  int n = 0;
  for (const auto& outcome : drives) add(*outcome, condition, squares, n);
  condition.time_s /= std::max(condition.runs, 1);
  condition.deviation_rms_m = std::sqrt(squares / std::max(n, 1));
  return condition;
}

struct Maker {
  const char* name;
  Course (*make)(const robot::Description&);
};
constexpr Maker kMakers[] = {{"slalom", make_slalom}, {"doorway", make_doorway}, {"docking", make_docking}};

std::vector<Course> make_courses(const robot::Description& robot, const std::vector<std::string>& tasks) {
  std::vector<Course> courses;
  for (const Maker& maker : kMakers) {
    const bool wanted = tasks.empty() || std::find(tasks.begin(), tasks.end(), maker.name) != tasks.end();
    if (wanted) courses.push_back(maker.make(robot));
  }
  return courses;
}

Result<void> check(const robot::Description& robot) {
  if (!robot.drive.can_turn_on_the_spot()) {
    return Error{robot.name + " cannot turn on the spot, which the driver of this study does where he must"};
  }
  if (robot.crawler) {
    return Error{robot.name + " climbs on rough ground, but the courses are level: take a robot on wheels"};
  }
  return {};
}

DrivingParams with_delays(DrivingParams params) {
  auto& delays = params.delays_s;
  if (delays.empty()) delays.assign(std::begin(kDelays), std::end(kDelays));
  std::sort(delays.begin(), delays.end());
  delays.erase(std::unique(delays.begin(), delays.end()), delays.end());
  return params;
}

Result<DriveOutcome> drive(const Course& course, const Ground& ground, const Plan& plan, const DrivingParams& params,
                           std::uint64_t seed) {
  return plan.is_late ? drive_late_robot(course, ground, plan, params, seed)
                      : drive_course(course, ground.setting, ground.replica, plan.setup, seed);
}

// Where it belongs; plans of a late robot come in twos, the one that is not known first.
void add(const Plan& plan, Condition condition, DrivingResult& result) {
  if (!plan.is_late) {
    result.conditions.push_back(std::move(condition));
  } else if (!plan.is_known) {
    const std::string task = condition.task;
    result.late_answers.push_back({task, condition.delay_s, std::move(condition), {}});
  } else {
    result.late_answers.back().learned = std::move(condition);
  }
}

Json to_json(const Condition& c) {
  return {{"task", c.task},
          {"delay_s", c.delay_s},
          {"loss", c.loss},
          {"display", to_string(c.display)},
          {"guard", c.guard},
          {"time_s", c.time_s},
          {"deviation_rms_m", c.deviation_rms_m},
          {"contacts", c.contacts},
          {"failed", c.failed},
          {"runs", c.runs}};
}

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Maker& maker : kMakers) names.emplace_back(maker.name);
  return names;
}

Result<DrivingResult> run_driving_study(const robot::Description& robot, const sim::Reality& reality,
                                        const DrivingParams& wanted, const study::OnProgress& on_progress) {
  if (auto suits = check(robot); !suits) return suits.error();
  DrivingResult result{.robot = robot.name, .reality = reality.name, .params = with_delays(wanted), .courses = {}};
  const DrivingParams& params = result.params;
  result.courses = make_courses(robot, params.tasks);
  std::vector<Ground> grounds;
  for (const Course& course : result.courses) {
    auto ground = make_ground(course, robot, reality);
    if (!ground) return ground.error();
    grounds.push_back(std::move(*ground));
  }
  const bool can_guard = navigate::can_guard_hand(robot);
  const std::vector<Plan> plans = make_plans(result.courses.size(), params, can_guard);
  const auto runs = static_cast<std::size_t>(params.runs);
  std::vector<Result<DriveOutcome>> drives(plans.size() * runs, DriveOutcome{});
  const auto work = [&](std::size_t i) {
    const Plan& plan = plans[i / runs];
    const std::uint64_t seed = params.seed * 10'000 + i % runs;  // the same drivers and robots in each condition
    drives[i] = drive(result.courses[plan.course], grounds[plan.course], plan, params, seed);
  };
  if (!study::for_each_piece(drives.size(), work, on_progress)) {
    return Error{"the study was stopped", ErrorKind::impossible};
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto of_plan = std::span(drives).subspan(i * runs, runs);
    for (const auto& one : of_plan) {
      if (!one) return one.error();
    }
    add(plans[i], summarize(result.courses[plans[i].course].name, plans[i], can_guard, of_plan), result);
  }
  return result;
}

const Condition* find(const DrivingResult& result, const std::string& task, double delay_s, double loss,
                      Display display) {
  for (const Condition& c : result.conditions) {
    if (c.is_usual && c.task == task && c.delay_s == delay_s && c.loss == loss && c.display == display) return &c;
  }
  return nullptr;
}

Json to_json(const DrivingResult& result) {
  Json conditions = Json::array(), late = Json::array();
  for (const Condition& condition : result.conditions) conditions.push_back(to_json(condition));
  for (const LateAnswer& answer : result.late_answers) {
    late.push_back({{"task", answer.task},
                    {"delay_s", answer.delay_s},
                    {"deviation_rms_unknown_m", answer.unknown.deviation_rms_m},
                    {"deviation_rms_learned_m", answer.learned.deviation_rms_m},
                    {"failed_unknown", answer.unknown.failed},
                    {"failed_learned", answer.learned.failed}});
  }
  Json driver;
  DriverParams figures = result.params.driver;
  visit_fields(figures, [&](const char* name, double& value, const Field&) { driver[name] = value; });
  return {{"conditions", std::move(conditions)},
          {"late_answers", std::move(late)},
          {"robot", result.robot},
          {"reality", result.reality},
          {"seed", result.params.seed},
          {"interval_s", result.params.interval_s},
          {"driver", std::move(driver)}};
}

}  // namespace forerun::driving
