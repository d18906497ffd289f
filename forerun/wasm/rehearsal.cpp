// A mission tried out, trimmed and rehearsed with the phantom, behind the C interface.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "forerun/base/utf8.hpp"
#include "forerun/mission/make_mission.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/mission/mission_text.hpp"
#include "forerun/mission/try_out.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/model.hpp"
#include "forerun/wasm/results.hpp"

struct ForerunRehearsal {
  std::shared_ptr<const forerun::wasm::Model> model;
  std::unique_ptr<forerun::mission::TryOut> phantom;
  std::optional<forerun::mission::Trim> trim;                // of the path as it is now
  std::optional<forerun::mission::RehearsedMission> driven;  // of the cuts as they are now
  std::size_t n_measured = 0;                                // points of the path that `length` knows
  double length = 0;                                         // of the path [m]
};

namespace forerun::wasm {
namespace {

// Of a point of the recorded path, and a step of a knot of the way, with all copies that are made; vectors double.
constexpr double kBytesPerPoint = 1500;
constexpr double kBytesPerStep = 500;
constexpr double kBytesPerWrittenPoint = 400;
constexpr std::size_t kLongestName = 100;  // [bytes]

double bytes_to_make(const Model& model) {
  const auto& [world, robot] = model.bundle;
  return bytes_for_plan(world, robot.control.cell_size) + bytes_for_sensors(world, robot);
}

Result<std::unique_ptr<mission::TryOut>> make_phantom(const Model& model, const Pose2& start) {
  if (!is_place(start.x, start.y) || !std::isfinite(start.theta)) {
    return Error{"the start is none: its coordinates must be numbers within 1000 km"};
  }
  const double path = kBytesPerPoint * mission::kLongestTryOut / mission::kTryOutPeriod;
  const double needed =
      bytes_to_make(model) + bytes_for_goal_plan(model.replica.planning.grid.frame(), 2) + kBytesForControl + path;
  if (auto room = check_room("a rehearsal", needed); !room) return room.error();
  return mission::TryOut::make(model.bundle.world, model.bundle.robot,
                               {start.x, start.y, normalize_angle(start.theta)});
}

// Another path: what was found out about the one before does not hold.
void forget(ForerunRehearsal& r) {
  r.trim.reset();
  r.driven.reset();
}

int give_progress(ForerunRehearsal& r, const Result<bool>& done) {
  forget(r);
  if (!done) return refuse(done.error().message);
  return *done ? 1 : 0;
}

double length_of(ForerunRehearsal& r) {
  const mission::RecordedPath& path = r.phantom->path();
  if (r.n_measured > path.size()) r.n_measured = 0;
  if (r.n_measured == 0) r.length = 0;
  for (std::size_t i = std::max<std::size_t>(1, r.n_measured); i < path.size(); ++i) {
    r.length += distance(path[i - 1].pose.position(), path[i].pose.position());
  }
  r.n_measured = path.size();
  return r.length;
}

Result<mission::Redundancy> read_redundancy(std::span<const double> numbers) {
  mission::Redundancy redundancy;
  constexpr std::size_t kNumbers = 4;
  std::size_t at = 0;
  std::string wrong;
  visit_fields(redundancy, [&](const char* name, double& value, const Field& field) {
    if (at >= kNumbers) return;
    value = numbers[at++];
    if (value >= field.low && value <= field.high) return;
    wrong = std::string(name) + " must be from " + std::to_string(field.low) + " to " + std::to_string(field.high);
  });
  if (!wrong.empty()) return Error{wrong};
  return redundancy;
}

Result<mission::Trim> find_cuts(const mission::RecordedPath& path, std::span<const double> numbers) {
  constexpr std::size_t kHead = 4, kEach = 3, kMostKept = 200;
  if (numbers.size() < kHead || (numbers.size() - kHead) % kEach != 0 || numbers.size() > kHead + kEach * kMostKept) {
    return Error{"trimming takes 4 numbers, and 3 for each of up to 200 places that are kept"};
  }
  const auto redundancy = read_redundancy(numbers.first(kHead));
  if (!redundancy) return redundancy.error();
  std::vector<mission::KeptRegion> keep;
  for (std::size_t i = kHead; i < numbers.size(); i += kEach) {
    const double radius = numbers[i + 2];
    if (!is_place(numbers[i], numbers[i + 1]) || !(radius > 0 && radius <= 1000)) {
      return Error{"a place that is kept must have coordinates and a radius of up to 1000 m"};
    }
    keep.push_back({{numbers[i], numbers[i + 1]}, radius});
  }
  return mission::find_cuts(path, *redundancy, keep);
}

// Knots of the way lie evenly over what is driven and turned.
double steps_of(const mission::TrimmedPath& path) {
  const mission::WayParams way;
  double steps = 0;
  for (std::size_t i = 1; i < path.points.size(); ++i) {
    const Pose2 &a = path.points[i - 1].pose, &b = path.points[i].pose;
    steps += distance(a.position(), b.position()) + way.turn_m * std::fabs(normalize_angle(b.theta - a.theta));
  }
  return steps / way.knot_m;
}

Result<mission::RehearsedMission> drive_what_is_left(const ForerunRehearsal& r) {
  const mission::RecordedPath& path = r.phantom->path();
  if (path.size() < 2) return Error{"there is nothing to drive: the phantom has not moved yet"};
  const mission::TrimmedPath left = mission::apply_cuts(path, r.trim->cuts);
  const double needed = 2 * bytes_to_make(*r.model) + kBytesForControl + kBytesPerStep * steps_of(left) +
                        kBytesPerPoint * static_cast<double>(path.size());
  if (auto room = check_room("the mission", needed); !room) return room.error();
  return mission::make_mission("mission", left, r.model->bundle.world, r.model->bundle.robot);
}

void add(std::initializer_list<double> numbers) {
  results().numbers.insert(results().numbers.end(), numbers.begin(), numbers.end());
}

bool is_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > kLongestName) return false;
  while (!name.empty()) {
    const std::size_t n = first_character(name);
    if (n == 0 || static_cast<unsigned char>(name[0]) < 0x20) return false;
    name.remove_prefix(n);
  }
  return true;
}

constexpr const char* kNoCuts = "the path has not been trimmed as it is now";
constexpr const char* kNoMission = "there is no mission yet: nothing has been computed for the path as it is now";

// Before it is written down: whether it can be.
int name_mission(ForerunRehearsal& r, Bytes name) {
  if (!r.driven) return refuse(kNoMission);
  const std::string_view words(reinterpret_cast<const char*>(name.data()), name.size());
  if (!is_name(words)) return refuse("the name must have 1 to 100 bytes of UTF-8 and no control characters");
  mission::Mission& mission = r.driven->mission;
  const double needed = 3 * kBytesPerWrittenPoint * static_cast<double>(mission.path.size());
  if (auto room = check_room("the mission file", needed); !room) return refuse(room.error().message);
  mission.name = words;
  return FORERUN_OK;
}

}  // namespace
}  // namespace forerun::wasm

using forerun::wasm::add;
using forerun::wasm::give;
using forerun::wasm::refuse;
using forerun::wasm::results;

ForerunRehearsal* forerun_rehearsal_create(ForerunModel* model, double x, double y, double heading) {
  auto phantom = forerun::wasm::make_phantom(*model->model, {x, y, heading});
  if (!phantom) {
    refuse(phantom.error().message);
    return nullptr;
  }
  return new ForerunRehearsal{.model = model->model, .phantom = std::move(*phantom)};
}

void forerun_rehearsal_free(ForerunRehearsal* rehearsal) { delete rehearsal; }

int32_t forerun_rehearsal_drive(ForerunRehearsal* r, double v, double vy, double w, double step_s) {
  return forerun::wasm::give_progress(*r, r->phantom->drive({v, vy, w}, step_s));
}

int32_t forerun_rehearsal_send(ForerunRehearsal* r, double x, double y, double wait_s, const uint8_t* action,
                               uint32_t size) {
  forerun::wasm::forget(*r);
  const auto sent = r->phantom->send_to({{x, y}, wait_s}, std::string(action, action + size));
  return sent ? FORERUN_OK : refuse(sent.error().message);
}

int32_t forerun_rehearsal_run(ForerunRehearsal* r, double step_s) {
  return forerun::wasm::give_progress(*r, r->phantom->run(step_s));
}

int32_t forerun_rehearsal_keep(ForerunRehearsal* r, int32_t n_stretches) {
  if (n_stretches < 0) return refuse("the number of stretches must not be negative");
  forerun::wasm::forget(*r);
  r->phantom->keep(static_cast<std::size_t>(n_stretches));
  r->n_measured = 0;
  return FORERUN_OK;
}

int32_t forerun_rehearsal_state(ForerunRehearsal* r) {
  const forerun::mission::TryOut& phantom = *r->phantom;
  const forerun::robot::State state = phantom.state();
  give({phantom.path().back().time, state.pose.x, state.pose.y, state.pose.theta, state.velocity.vx, state.velocity.w,
        forerun::wasm::length_of(*r), static_cast<double>(phantom.collisions()),
        static_cast<double>(phantom.path().size()), static_cast<double>(phantom.n_stretches())});
  return FORERUN_OK;
}

int32_t forerun_rehearsal_path(ForerunRehearsal* r, int32_t from) {
  const auto& path = r->phantom->path();
  const auto& contacts = r->phantom->contacts();
  if (from < 0 || static_cast<std::size_t>(from) > path.size()) {
    return refuse("the path has only " + std::to_string(path.size()) + " points");
  }
  give({});
  for (std::size_t i = static_cast<std::size_t>(from); i < path.size(); ++i) {
    const auto& point = path[i];
    const bool touched = std::binary_search(contacts.begin(), contacts.end(), i);
    add({point.time, point.pose.x, point.pose.y, point.pose.theta, point.bumped ? 1.0 : 0.0, touched ? 1.0 : 0.0});
  }
  return static_cast<int32_t>(path.size()) - from;
}

int32_t forerun_rehearsal_trim(ForerunRehearsal* r, const double* redundancy, uint32_t n_numbers) {
  forerun::wasm::forget(*r);
  auto trim = forerun::wasm::find_cuts(r->phantom->path(), {redundancy, n_numbers});
  if (!trim) return refuse(trim.error().message);
  r->trim = std::move(*trim);
  return static_cast<int32_t>(r->trim->cuts.size());
}

int32_t forerun_rehearsal_cuts(ForerunRehearsal* r) {
  if (!r->trim) return refuse(forerun::wasm::kNoCuts);
  give({});
  for (const auto& c : r->trim->cuts) {
    add({static_cast<double>(c.kind), static_cast<double>(c.from), static_cast<double>(c.to),
         r->phantom->path()[c.from].time, c.length_m, c.duration_s, c.gap_m, c.applied ? 1.0 : 0.0});
  }
  return static_cast<int32_t>(r->trim->cuts.size());
}

int32_t forerun_rehearsal_uncut(ForerunRehearsal* r) {
  if (!r->trim) return refuse(forerun::wasm::kNoCuts);
  give({});
  for (const auto& u : r->trim->uncut) {
    add({static_cast<double>(u.kind), static_cast<double>(u.why), static_cast<double>(u.from),
         static_cast<double>(u.to), u.length_m});
  }
  return static_cast<int32_t>(r->trim->uncut.size());
}

int32_t forerun_rehearsal_apply(ForerunRehearsal* r, int32_t cut, int32_t applied) {
  if (!r->trim) return refuse(forerun::wasm::kNoCuts);
  if (cut < 0 || static_cast<std::size_t>(cut) >= r->trim->cuts.size()) {
    return refuse("there are only " + std::to_string(r->trim->cuts.size()) + " cuts");
  }
  r->trim->cuts[static_cast<std::size_t>(cut)].applied = applied != 0;
  r->driven.reset();
  return FORERUN_OK;
}

int32_t forerun_rehearsal_compute(ForerunRehearsal* r) {
  r->driven.reset();
  if (!r->trim) return refuse(forerun::wasm::kNoCuts);
  auto driven = forerun::wasm::drive_what_is_left(*r);
  if (!driven) return refuse(driven.error().message);
  r->driven = std::move(*driven);
  return static_cast<int32_t>(r->driven->mission.path.size());
}

int32_t forerun_rehearsal_mission_path(ForerunRehearsal* r) {
  if (!r->driven) return refuse(forerun::wasm::kNoMission);
  give({});
  const forerun::sim::Model& model = r->phantom->model();
  for (const auto& p : r->driven->mission.path) {
    add({p.time, p.pose.x, p.pose.y, p.pose.theta, p.velocity.vx, p.velocity.vy, p.velocity.w,
         forerun::mission::clearance(model.robot.footprint, p.pose, model.outline)});
  }
  return static_cast<int32_t>(r->driven->mission.path.size());
}

int32_t forerun_rehearsal_trial(ForerunRehearsal* r) {
  if (!r->driven) return refuse(forerun::wasm::kNoMission);
  const auto& [mission, trial] = *r->driven;
  give({mission.path.back().time, forerun::mission::length_of(mission.path), trial.min_clearance_m, trial.nearest_at.x,
        trial.nearest_at.y, trial.cross_track_rms_m, trial.cross_track_max_m});
  return FORERUN_OK;
}

int32_t forerun_rehearsal_actions(ForerunRehearsal* r) {
  if (!r->driven) return refuse(forerun::wasm::kNoMission);
  const auto& actions = r->driven->mission.actions;
  results().text = forerun::mission::write_actions(actions);
  return static_cast<int32_t>(actions.size());
}

int32_t forerun_rehearsal_write(ForerunRehearsal* r, const uint8_t* name, uint32_t size) {
  if (const int32_t status = forerun::wasm::name_mission(*r, {name, size}); status < 0) return status;
  const forerun::mission::Mission& mission = r->driven->mission;
  const std::string text =
      forerun::mission::write_document(forerun::mission::version_of(mission), forerun::mission::write_content(mission));
  results().bytes.assign(text.begin(), text.end());
  return static_cast<int32_t>(text.size());
}

int32_t forerun_rehearsal_pack(ForerunRehearsal* r, const uint8_t* name, uint32_t size) {
  if (const int32_t status = forerun::wasm::name_mission(*r, {name, size}); status < 0) return status;
  auto bytes = forerun::mission::to_bytes(r->driven->mission);
  if (!bytes) return refuse(bytes.error().message);
  results().bytes = std::move(*bytes);
  return static_cast<int32_t>(results().bytes.size());
}
