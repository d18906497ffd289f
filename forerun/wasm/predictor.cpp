// Reports and predictions behind the C interface.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/mission/mission_text.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/predict/outline.hpp"
#include "forerun/predict/shared_scans.hpp"
#include "forerun/predict/shown.hpp"
#include "forerun/robot/report_fields.hpp"
#include "forerun/sense/seen_world.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/model.hpp"
#include "forerun/wasm/results.hpp"
#include "forerun/world/mover.hpp"

struct ForerunPredictor {
  explicit ForerunPredictor(std::shared_ptr<const forerun::wasm::Model> its_model)
      : model(std::move(its_model)),
        live(std::shared_ptr<const forerun::predict::ReplicaModel>(model, &model->replica)),
        shown(model->replica.planning, model->bundle.robot.footprint.radius) {}

  std::shared_ptr<const forerun::wasm::Model> model;
  forerun::predict::LiveRobot live;
  forerun::predict::Prediction now;  // as last asked for
  forerun::predict::ShownRobot shown;
};

namespace forerun::wasm {
namespace {

using robot::ReportField;

static_assert(predict::LiveParams{}.horizon_s == static_cast<double>(FORERUN_HORIZON_S));

std::optional<robot::Report> decode(Bytes body) {
  const sync::DecodedReport decoded = sync::decode_report(body);
  if (!decoded.report) refuse(std::string("the report is refused: ") + sync::to_string(decoded.problem));
  return decoded.report;
}

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// As many numbers for every region: unused places are not numbers, and one such stands between two rings.
static_assert(FORERUN_OUTLINE_POINTS >= predict::Outline::kMostPoints + predict::Outline::kMostRings);

void give_region(const predict::Region& region, double margin) {
  const predict::Outline outline = predict::outline_of(region, margin);
  std::vector<double>& out = results().numbers;
  const std::size_t end = out.size() + std::size_t{FORERUN_REGION_SIZE};
  out.push_back(region.radius());
  std::size_t begin = 0;
  for (const std::size_t ring_end : outline.ends) {
    if (begin > 0) out.insert(out.end(), {kNothing, kNothing});
    for (std::size_t i = begin; i < ring_end; ++i) out.insert(out.end(), {outline.points[i].x, outline.points[i].y});
    begin = ring_end;
  }
  out.resize(end, kNothing);
}

// `margin`: the robot's radius.
void give_prediction(const predict::Prediction& p, double margin) {
  const robot::State& state = p.state;
  give({state.pose.x, state.pose.y, state.pose.theta, state.velocity.vx, state.velocity.vy, state.velocity.w,
        static_cast<double>(p.task), p.target.x, p.target.y, to_seconds(p.gap)});
  give_region(p.region50, margin);
  give_region(p.region95, margin);
  const Pose2& on = p.extrapolated.pose;
  for (const double number : {on.x, on.y, on.theta, p.speed_scale, static_cast<double>(p.status)}) {
    results().numbers.push_back(number);
  }
}

// All that the list of fields has, as numbers: FORERUN_REPORT_….
struct ReportNumbers {
  std::vector<double>& out;

  void operator()(const ReportField&, double value) const { out.push_back(value); }
  void operator()(const ReportField&, std::uint32_t number) const { out.push_back(number); }
  void operator()(const ReportField&, std::uint64_t number) const {
    out.push_back(static_cast<double>(number >> 32));
    out.push_back(static_cast<double>(number & 0xffffffffU));
  }
  void operator()(const ReportField&, RobotTime time) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    out.push_back(static_cast<double>(time.ns / kSecond));
    out.push_back(static_cast<double>(time.ns % kSecond));
  }
  void operator()(const ReportField&, Duration duration) const { out.push_back(to_seconds(duration)); }
  void operator()(const ReportField&, const std::optional<Vec2>& point) const {
    out.push_back(point ? 1 : 0);
    out.push_back(point ? point->x : 0);
    out.push_back(point ? point->y : 0);
  }
  void operator()(const ReportField&, const std::optional<Pose2>& pose) const {
    const Pose2 known = pose.value_or(Pose2{});
    for (const double number : {pose ? 1.0 : 0.0, known.x, known.y, known.theta}) out.push_back(number);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ReportField&, Enum state) const { out.push_back(static_cast<double>(state)); }
  void operator()(const ReportField&, bool on) const { out.push_back(on ? 1 : 0); }
};

void give_path(const robot::TimedPath& path) {
  give({});
  for (const robot::TimedPoint& p : path) {
    for (const double number :
         {p.time, p.pose.x, p.pose.y, p.pose.theta, p.velocity.vx, p.velocity.vy, p.velocity.w, kNothing}) {
      results().numbers.push_back(number);
    }
  }
}

Result<mission::Mission> read_mission(Bytes object) {
  constexpr double kBytesPerByte = 12;  // of 22 that a point has, it becomes a point and 8 numbers; vectors double
  if (auto room = check_room("the mission", kBytesPerByte * static_cast<double>(object.size())); !room) {
    return room.error();
  }
  const auto read = mission::unpack_signed(object);
  return read ? mission::mission_from_bytes(read->mission) : Error{"the mission is refused: it has no seal"};
}

// One that has plans of its own.
Result<void> room_for_replica(const Model& model, const char* what) {
  const auto& frame = model.replica.planning.grid.frame();
  return check_room(what, bytes_for_goal_plan(frame, predict::kPlannedGoals) + kBytesForControl);
}

struct SeenThing {
  int kind = FORERUN_THING_BOX;
  Pose2 pose;
  double half_length = 0;
  double half_width = 0;
  double trust = 1;
  double door = -1;
  double opening = 0;
};

void give_seen(const SeenThing& t) {
  for (const double number : {static_cast<double>(t.kind), t.pose.x, t.pose.y, t.pose.theta, t.half_length,
                              t.half_width, t.trust, t.door, t.opening}) {
    results().numbers.push_back(number);
  }
}

void give_seen(const sense::SeenWorld& seen, std::span<const world::Door> doors, RobotTime now) {
  for (const robot::Change& c : seen.changes()) {
    if (c.kind == robot::Change::Kind::box) {
      give_seen({FORERUN_THING_BOX, c.pose, c.half_length, c.half_width});
    } else if (c.door < doors.size()) {
      const world::Mover leaf = world::make_leaf(doors[c.door], c.opening);
      const auto door = static_cast<double>(c.door);
      give_seen({FORERUN_THING_DOOR, leaf.pose, leaf.half_length, leaf.half_width, 1, door, c.opening});
    }
  }
  const double trust = seen.trust_in_moving(now);
  if (trust <= 0) return;
  for (const robot::MovingThing& m : seen.moving()) {
    const Vec2 place = sense::expected_place(m, to_seconds(now - seen.seen_at()));
    const double heading = atan2(m.velocity.y, m.velocity.x);
    give_seen({FORERUN_THING_MOVING, {place.x, place.y, heading}, m.radius, m.radius, trust});
  }
}

// Nothing is known of the time before the newest report.
RobotTime time_for_seen(const ForerunPredictor& predictor, std::int64_t robot_time_ns) {
  return {std::max(robot_time_ns, predictor.live.newest()->time.ns)};
}

void give_report(const robot::Report& report) {
  give({});
  visit_report(report, ReportNumbers{results().numbers});
}

}  // namespace
}  // namespace forerun::wasm

using forerun::wasm::give;
using forerun::wasm::refuse;
using forerun::wasm::results;

int32_t forerun_decode_report(const uint8_t* body, uint32_t size) {
  const auto report = forerun::wasm::decode({body, size});
  if (!report) return FORERUN_REFUSED;
  forerun::wasm::give_report(*report);
  return FORERUN_OK;
}

ForerunPredictor* forerun_predictor_create(ForerunModel* model) {
  const auto& replica = model->model->replica;
  // a plan for each goal, and one that closes the way behind the robot, with a grid of its own
  constexpr double kPlans = forerun::predict::kPlannedGoals + 2;
  const double needed = forerun::wasm::bytes_for_goal_plan(replica.planning.grid.frame(), kPlans) +
                        forerun::predict::SharedScans::bytes_for(replica.robot) + forerun::wasm::kBytesForControl;
  if (auto room = forerun::wasm::check_room("a predictor", needed); !room) {
    refuse(room.error().message);
    return nullptr;
  }
  return new ForerunPredictor(model->model);
}

void forerun_predictor_free(ForerunPredictor* predictor) { delete predictor; }

int32_t forerun_predictor_resync(ForerunPredictor* p, const uint8_t* body, uint32_t size) {
  const auto report = forerun::wasm::decode({body, size});
  if (!report) return FORERUN_REFUSED;
  if (p->live.take(*report) == forerun::predict::Taken::known) return FORERUN_IGNORED;
  p->now = p->live.at(report->time);
  return FORERUN_OK;
}

int32_t forerun_predictor_advance(ForerunPredictor* p, int64_t robot_time_ns) {
  if (!p->live.newest()) return FORERUN_NOT_YET;
  p->now = p->live.at(forerun::RobotTime{robot_time_ns});
  forerun::wasm::give_prediction(p->now, p->model->bundle.robot.footprint.radius);
  return p->now.status == forerun::predict::Status::stale ? FORERUN_STALE : FORERUN_OK;
}

int32_t forerun_predictor_give(ForerunPredictor* p, uint32_t number, int32_t kind, int64_t given_ns, int64_t effect_ns,
                               const double* numbers) {
  using forerun::robot::CommandKind;
  constexpr double kMost = 1e6;  // no robot is so fast, and no world as large
  for (int i = 0; i < FORERUN_GIVEN_SIZE; ++i) {
    if (!(numbers[i] > -kMost && numbers[i] < kMost)) return refuse("a command's numbers must lie within ±1000000");
  }
  if (kind < FORERUN_COMMAND_GOAL || kind > FORERUN_COMMAND_START) return refuse("there is no such command");
  const bool is_goal = kind == FORERUN_COMMAND_GOAL;
  if (is_goal && !p->live.has_had_goal()) {
    if (auto room = forerun::wasm::room_for_replica(*p->model, "the way to a goal"); !room) {
      return refuse(room.error().message);
    }
  }
  const double *at = numbers, x = at[FORERUN_GIVEN_X_OR_V], y = at[FORERUN_GIVEN_Y_OR_VY];
  forerun::robot::Command command{.kind = static_cast<CommandKind>(kind)};
  if (is_goal) command.goal = {x, y};
  if (kind == FORERUN_COMMAND_DRIVE) command.velocity = {x, y, at[FORERUN_GIVEN_W]};
  p->live.give({number, command, forerun::RobotTime{given_ns}, forerun::RobotTime{effect_ns},
                std::max(0.0, at[FORERUN_GIVEN_UNCERTAINTY]), forerun::clamp(at[FORERUN_GIVEN_CHANCE_LOST], 0.0, 1.0)});
  return FORERUN_OK;
}

int32_t forerun_predictor_settle(ForerunPredictor* p, uint32_t number, int32_t outcome) {
  if (outcome < FORERUN_SETTLED_CONFIRMED || outcome > FORERUN_SETTLED_LOST) return refuse("there is no such outcome");
  p->live.settle(number, static_cast<forerun::ahead::Settled>(outcome));
  return FORERUN_OK;
}

int32_t forerun_predictor_landing(ForerunPredictor* p) {
  if (!p->live.newest()) return FORERUN_NOT_YET;
  if (!p->live.has_looked_ahead()) {
    if (auto room = forerun::wasm::room_for_replica(*p->model, "the way ahead"); !room) {
      return refuse(room.error().message);
    }
  }
  const auto landing = p->live.landing();
  give({});
  if (!landing) return 0;
  const forerun::Pose2 &then = landing->state.pose, &rest = landing->rest, &contact = landing->contact;
  give({static_cast<double>(landing->number), to_seconds(landing->lands - p->now.time), then.x, then.y, then.theta,
        landing->goes_by_itself ? 1.0 : 0.0, rest.x, rest.y, rest.theta, landing->meets_wall ? 1.0 : 0.0, contact.x,
        contact.y, contact.theta});
  for (const forerun::Pose2& pose : landing->way) {
    for (const double number : {pose.x, pose.y, pose.theta}) results().numbers.push_back(number);
  }
  return static_cast<int32_t>(landing->way.size());
}

int32_t forerun_predictor_show(ForerunPredictor* p, double frame_s) {
  if (!p->live.newest()) return FORERUN_NOT_YET;
  if (!(frame_s > 0 && frame_s < 1e6)) return refuse("the frame's time must be more than 0 s");
  const forerun::predict::Shown shown = p->shown.update(p->now.state, frame_s);
  give({shown.pose.x, shown.pose.y, shown.pose.theta, shown.presence, shown.jumped ? 1.0 : 0.0,
        shown.on_plan ? 1.0 : 0.0, shown.behind});
  return FORERUN_OK;
}

int32_t forerun_predictor_show_anew(ForerunPredictor* p) {
  p->shown.reset();
  return FORERUN_OK;
}

int32_t forerun_predictor_look_ahead(ForerunPredictor* p, double ahead_s, double step_s) {
  if (!p->live.newest()) return FORERUN_NOT_YET;
  if (!(ahead_s >= 0 && ahead_s <= 60 && step_s >= 0.05 && step_s <= 60)) {
    return refuse("the way ahead can be at most 60 s long, in steps of 0.05 s to 60 s");
  }
  if (!p->live.has_looked_ahead()) {
    if (auto room = forerun::wasm::room_for_replica(*p->model, "the way ahead"); !room) {
      return refuse(room.error().message);
    }
  }
  std::vector<forerun::Pose2> way(static_cast<std::size_t>(ahead_s / step_s) + 1);
  const std::size_t n = p->live.way_ahead(forerun::from_seconds(step_s), way);
  give({});
  for (const forerun::Pose2& pose : way) {
    for (const double number : {pose.x, pose.y, pose.theta}) results().numbers.push_back(number);
  }
  return static_cast<int32_t>(n);
}

int32_t forerun_predictor_seen(ForerunPredictor* p, int64_t robot_time_ns) {
  if (!p->live.newest()) return FORERUN_NOT_YET;
  give({});
  const auto* seen = p->live.seen();
  if (seen == nullptr) return 0;
  forerun::wasm::give_seen(*seen, p->model->bundle.world.doors, forerun::wasm::time_for_seen(*p, robot_time_ns));
  return static_cast<int32_t>(results().numbers.size() / std::size_t{FORERUN_SEEN_SIZE});
}

int32_t forerun_predictor_beams(ForerunPredictor* p, ForerunModel* model, int64_t robot_time_ns, double x, double y,
                                double heading) {
  if (p->model != model->model) return refuse("the predictor is that of another model");
  if (!p->live.newest()) return FORERUN_NOT_YET;
  return forerun::wasm::give_beams(*model, {x, y, heading}, p->live.seen(),
                                   forerun::wasm::time_for_seen(*p, robot_time_ns));
}

int32_t forerun_plan_as_told(ForerunModel* model, const ForerunPredictor* p) {
  if (auto ready = forerun::wasm::prepare_plan(*model); !ready) return refuse(ready.error().message);
  const auto* seen = p != nullptr ? p->live.seen() : nullptr;
  const auto changes = seen != nullptr ? seen->changes() : std::span<const forerun::robot::Change>();
  return model->plan->set_changes(changes) ? 1 : 0;
}

int32_t forerun_predictor_mission(ForerunPredictor* p, uint64_t number, const uint8_t* object, uint32_t size) {
  auto mission = forerun::wasm::read_mission({object, size});
  if (!mission) return refuse(mission.error().message);
  forerun::wasm::give_path(mission->path);
  results().text = mission->name + '\n' + forerun::mission::write_actions(mission->actions);
  const auto n = static_cast<int32_t>(mission->path.size());
  p->live.set_mission(number, std::make_shared<const forerun::robot::TimedPath>(std::move(mission->path)));
  return n;
}
