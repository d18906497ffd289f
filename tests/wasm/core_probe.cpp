// Prepares the comparison of core.wasm with the native core: writes the model bundle of every golden scenario, and what
// the native predictor made of a drive, call by call. `core_probe FOLDER`
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/predict/outline.hpp"
#include "forerun/predict/shown.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/wasm/core_api.h"

namespace {

using namespace forerun;

// One line a call: its name, then numbers that read back to the same bits.
class Script {
 public:
  Script& word(const std::string& text) {
    text_ += text_.empty() || text_.back() == '\n' ? text : " " + text;
    return *this;
  }
  Script& number(double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    return word(digits);
  }
  Script& pose(const Pose2& p) { return number(p.x).number(p.y).number(p.theta); }
  void end_line() { text_ += '\n'; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void write_or_exit(const std::string& path, std::string_view content) {
  if (const auto written = io::write_file(path, content); !written) {
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    std::exit(1);
  }
}

struct Inputs {
  sim::Scenario scenario;
  world::World world;
  robot::Description robot;
};

Inputs load(const std::string& name) {
  auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, name));
  auto world = atlas::load_world(scenario->world);
  auto robot = io::load_robot(scenario->robot);
  return {std::move(*scenario), std::move(*world), std::move(*robot)};
}

// As forerun_simulation_create takes it.
void write_scenario(const Inputs& inputs, Script& script) {
  const sim::Scenario& s = inputs.scenario;
  script.word("scenario").number(s.time_limit).pose(s.start);
  script.number(static_cast<double>(s.goals.size())).number(static_cast<double>(s.doors.size()));
  for (const sim::Goal& goal : s.goals) script.number(goal.position.x).number(goal.position.y).number(goal.wait);
  for (const sim::DoorSchedule& door : s.doors) {
    std::size_t index = 0;
    while (inputs.world.doors[index].name != door.door) ++index;
    script.number(static_cast<double>(index)).number(door.close_at).number(door.open_at);
  }
  script.end_line();
}

// As core_api.h lays it out.
void write_region(const predict::Region& region, double margin, Script& script) {
  const predict::Outline outline = predict::outline_of(region, margin);
  script.number(region.radius());
  std::size_t begin = 0, n = 0;
  const auto point = [&](Vec2 p) {
    script.number(p.x).number(p.y);
    ++n;
  };
  for (const std::size_t end : outline.ends) {
    if (begin > 0) point({NAN, NAN});
    for (; begin < end; ++begin) point(outline.points[begin]);
  }
  while (n < FORERUN_OUTLINE_POINTS) point({NAN, NAN});
}

// What is predicted and shown from one report to the next, at ten frames a second.
class Watcher {
 public:
  Watcher(const Inputs& inputs, Script& script)
      : script_(script),
        model_(std::move(*predict::make_replica_model(inputs.world, inputs.robot))),
        live_(model_),
        shown_(model_.planning, inputs.robot.footprint.radius),
        radius_(inputs.robot.footprint.radius) {}

  void take(const sync::SyncBody& body) {
    const auto taken = live_.take(*sync::decode_report({body.data(), body.size()}).report);
    std::string hex;
    for (const std::uint8_t byte : body) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", byte);
      hex += digits;
    }
    script_.word("resync").word(hex).word(taken == predict::Taken::known ? "known" : "new").end_line();
  }
  void look(RobotTime now) {
    const predict::Prediction p = live_.at(now);
    const auto& v = p.state.velocity;
    script_.word("advance").word(std::to_string(now.ns)).pose(p.state.pose).number(v.vx).number(v.vy).number(v.w);
    script_.number(static_cast<double>(p.task)).number(p.target.x).number(p.target.y).number(to_seconds(p.gap));
    write_region(p.region50, radius_, script_);
    write_region(p.region95, radius_, script_);
    script_.pose(p.extrapolated.pose).number(p.speed_scale).number(static_cast<double>(p.status)).end_line();
    const predict::Shown shown = shown_.update(p.state, 0.1);
    script_.word("show 0.1").pose(shown.pose).number(shown.presence).number(shown.jumped ? 1 : 0);
    script_.number(shown.on_plan ? 1 : 0).number(shown.behind).end_line();
  }
  void look_ahead() {
    std::array<Pose2, 21> way;
    script_.word("look_ahead 10 0.5").number(static_cast<double>(live_.way_ahead(from_seconds(0.5), way)));
    for (const Pose2& pose : way) script_.pose(pose);
    script_.end_line();
  }
  void give(const ahead::OwnCommand& own) {
    live_.give(own);
    const robot::Command& command = own.command;
    const bool is_goal = command.kind == robot::CommandKind::goal;
    script_.word("give").word(std::to_string(own.number)).word(std::to_string(static_cast<int>(command.kind)));
    script_.word(std::to_string(own.given.ns)).word(std::to_string(own.takes_effect.ns));
    script_.number(is_goal ? command.goal.x : command.velocity.vx);
    script_.number(is_goal ? command.goal.y : command.velocity.vy);
    script_.number(command.velocity.w).number(own.uncertainty_s).number(own.chance_lost).end_line();
  }
  void settle(std::uint64_t number, ahead::Settled outcome) {
    live_.settle(number, outcome);
    script_.word("settle").word(std::to_string(number)).word(std::to_string(static_cast<int>(outcome))).end_line();
  }
  void land(RobotTime now) {
    const auto landing = live_.landing();
    script_.word("landing").number(landing ? static_cast<double>(landing->way.size()) : 0);
    if (landing) {
      script_.number(static_cast<double>(landing->number)).number(to_seconds(landing->lands - now));
      script_.pose(landing->state.pose).number(landing->goes_by_itself ? 1 : 0).pose(landing->rest);
      script_.number(landing->meets_wall ? 1 : 0).pose(landing->contact);
      for (const Pose2& pose : landing->way) script_.pose(pose);
    }
    script_.end_line();
  }

 private:
  Script& script_;
  predict::ReplicaModel model_;
  predict::LiveRobot live_;
  predict::ShownRobot shown_;
  double radius_;
};

// Somebody who watches drives, sends it home, and is refused: whatever the robot makes of that.
void command(Watcher& watcher, int frame, RobotTime now, const Inputs& inputs) {
  const auto give = [&](std::uint64_t number, const robot::Command& wish) {
    watcher.give({number, wish, now, now + from_seconds(0.8), 0.02, 0.1});
  };
  const int phase = frame % 300;
  if (phase >= 100 && phase < 130) give(1, {robot::CommandKind::drive, {}, {0.4, 0, 0.01 * (phase - 115)}});
  if (phase == 130) give(2, {.kind = robot::CommandKind::drive});
  if (phase == 160) give(3, {robot::CommandKind::goal, inputs.scenario.start.position(), {}});
  if (phase == 190) watcher.settle(3, ahead::Settled::refused);
  if (phase == 200) give(4, {.kind = robot::CommandKind::stop});
  if (phase == 220) watcher.settle(4, ahead::Settled::confirmed);
}

void write_drive(const Inputs& inputs, Script& script) {
  const auto model = sim::make_model({inputs.world, inputs.robot, inputs.scenario, sim::kMismatched}, 1);
  navigate::Navigator navigator(model->planning, model->robot);
  sim::Loop loop(*model, navigator);
  Watcher watcher(inputs, script);
  const double gaps[] = {0.5, 3, 12.5, 1, 6};  // between reports [s]
  std::vector<sync::SyncBody> reports;
  double next_report = 0;
  for (int frame = 0; frame < 900; ++frame) {
    const double now = 0.1 * frame;
    while (to_seconds(loop.time()) < now) loop.step();
    if (now >= next_report) {
      next_report = now + gaps[reports.size() % 5];
      const auto sequence = static_cast<std::uint32_t>(reports.size());
      reports.push_back(*sync::encode_report(sim::make_report(loop, {.robot = 1, .sequence = sequence})));
      watcher.take(reports.back());
    }
    command(watcher, frame, loop.time(), inputs);
    watcher.look(loop.time());
    if (frame % 10 == 0) watcher.land(loop.time());
    if (frame % 100 == 50) watcher.look_ahead();
  }
  // silence up to the horizon and beyond; the newest report once more; a robot side that was started anew
  for (const double later : {60.0, 119.0, 121.0, 1e6}) watcher.look(loop.time() + from_seconds(later));
  watcher.look_ahead();
  watcher.take(reports.back());
  watcher.look(loop.time());
  watcher.take(reports.front());
  for (const double later : {-1.0, 0.3, 3.0}) watcher.look(RobotTime{} + from_seconds(later));
  watcher.take(*sync::encode_report(sim::make_report(loop, {.robot = 1, .sequence = 1000})));
  watcher.look(loop.time() + from_seconds(2));
}

// A mission made through the C interface: each call with what it gave, and the file that came of it.
class Operator {
 public:
  Operator(const Inputs& inputs, Script& script) : script_(script) {
    const auto bundle = sim::pack_model(inputs.world, inputs.robot);
    model_ = forerun_model_create(bundle.data(), static_cast<std::uint32_t>(bundle.size()));
    const Pose2& start = inputs.scenario.start;
    rehearsal_ = forerun_rehearsal_create(model_, start.x, start.y, start.theta);
    script_.word("create").pose(start).end_line();
  }
  ~Operator() {
    forerun_rehearsal_free(rehearsal_);
    forerun_model_free(model_);
  }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  void drive(double v, double w, double step_s) {
    script_.word("drive").number(v).number(0).number(w).number(step_s);
    end_call(forerun_rehearsal_drive(rehearsal_, v, 0, w, step_s));
  }
  void go_to(const sim::Goal& goal) {
    script_.word("send").number(goal.position.x).number(goal.position.y).number(2);
    const std::uint8_t action[] = {'p', 'h', 'o', 't', 'o'};
    end_call(forerun_rehearsal_send(rehearsal_, goal.position.x, goal.position.y, 2, action, sizeof action));
    script_.word("run").number(300);
    end_call(forerun_rehearsal_run(rehearsal_, 300));
  }
  std::string make_mission() {
    const double usual[] = {3, 3, 3, 5};
    script_.word("trim").number(3).number(3).number(3).number(5);
    end_call(forerun_rehearsal_trim(rehearsal_, usual, 4));
    script_.word("compute");
    end_call(forerun_rehearsal_compute(rehearsal_));
    const std::uint8_t name[] = {'p', 'r', 'o', 'b', 'e'};
    const int size = forerun_rehearsal_write(rehearsal_, name, sizeof name);
    return size < 0 ? "" : std::string(forerun_bytes(), forerun_bytes() + size);
  }

 private:
  void end_call(int status) {
    forerun_rehearsal_state(rehearsal_);
    const double* state = forerun_numbers();
    script_.number(status);
    for (int i = 0; i < FORERUN_PHANTOM_SIZE; ++i) script_.number(state[i]);
    script_.end_line();
  }

  Script& script_;
  ForerunModel* model_ = nullptr;
  ForerunRehearsal* rehearsal_ = nullptr;
};

void write_rehearsal(const std::string& base, const Inputs& inputs) {
  Script script;
  Operator somebody(inputs, script);
  for (int i = 0; i < 20; ++i) somebody.drive(i < 12 ? 0.3 : -0.3, i % 5 == 0 ? 0.2 : 0, 0.25);
  while (script.text().find("drive 0 0 0 5 1 ") == std::string::npos) somebody.drive(0, 0, 5);
  somebody.go_to(inputs.scenario.goals[0]);
  write_or_exit(base + ".mission", somebody.make_mission());
  write_or_exit(base + ".rehearsal", script.text());
}

void write_model(const std::string& base, const world::World& world, const robot::Description& robot) {
  const auto bundle = sim::pack_model(world, robot);
  write_or_exit(base + ".model", {reinterpret_cast<const char*>(bundle.data()), bundle.size()});
}

world::World make_floor(double size) {
  world::World world{.name = "large", .materials = {{}}};
  world.triangles.push_back({{0, 0, 0}, {size, 0, 0}, {size, size, 0}, 0});
  world.triangles.push_back({{0, 0, 0}, {size, size, 0}, {0, size, 0}, 0});
  return world;
}

// Worlds that ask for more and more memory, each in a way of its own.
void write_large_worlds(const std::string& folder, const robot::Description& robot) {
  constexpr double kSize = 40;  // [m]
  for (const int size : {20, 60, 100, 200, 300}) {
    write_model(folder + "/large-floor-" + std::to_string(size), make_floor(size), robot);
  }
  for (const int n : {30, 200, 1000, 4000}) {
    world::World walls = make_floor(kSize), layers = walls, far = walls;
    for (int i = 0; i < n; ++i) {
      const double off = kSize * i / n / 8;
      walls.triangles.push_back({{off, 0, 0}, {kSize, kSize - off, 0}, {kSize, kSize - off, 2}, 0});
      layers.triangles.push_back({{0, 0, 0.3 + 0.1 * i / n}, {kSize, 0, 0.3}, {0, kSize, 0.5}, 0});
      far.triangles.push_back({{kSize * i, kSize * i, 0}, {kSize * i + 1, kSize * i, 0}, {kSize * i, kSize * i, 2}, 0});
    }
    write_model(folder + "/large-walls-" + std::to_string(n), walls, robot);
    write_model(folder + "/large-layers-" + std::to_string(n), layers, robot);
    write_model(folder + "/large-far-" + std::to_string(n), far, robot);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: core_probe FOLDER\n", stderr);
    return 2;
  }
  for (const char* name : {"office-delivery", "museum-tour"}) {
    const Inputs inputs = load(name);
    const std::string base = std::string(argv[1]) + "/" + name;
    write_model(base, inputs.world, inputs.robot);
    Script script;
    write_scenario(inputs, script);
    write_drive(inputs, script);
    write_or_exit(base + ".calls", script.text());
    write_rehearsal(base, inputs);
  }
  write_large_worlds(argv[1], load("office-delivery").robot);
  return 0;
}
