// The C functions: one robot, checked arguments, sentences.
#include "forerun/kenaf/hrt_kenaf.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>

#include "forerun/kenaf/moves.hpp"

namespace forerun::kenaf {
namespace {

constexpr std::chrono::milliseconds kFirstStatus{3000};
constexpr double kMostWay_mm = 1e6, kMostTurn_deg = 36000;

std::mutex robot_mutex;  // for the pointer
std::shared_ptr<Driver> robot;
std::mutex move_mutex;               // one move at a time
std::atomic<unsigned> stops = 0;     // that have begun
std::atomic<unsigned> stopping = 0;  // that wait for a move to end
thread_local std::string last_error;

int fail(const std::string& sentence) {
  last_error = sentence;
  return -1;
}
constexpr const char* kNotInitialised = "hrt_kenaf_init() has not found the robot";
std::atomic<bool> complained = false;

// A program that goes on without a robot hears why once, not with every call.
int complain(const char* function, const std::string& sentence) {
  if (!complained.exchange(true) || sentence != kNotInitialised) {
    std::fprintf(stderr, "%s: %s\n", function, sentence.c_str());
  }
  return fail(sentence);
}

std::shared_ptr<Driver> find_robot() {
  const std::lock_guard lock(robot_mutex);
  return robot;
}

std::string initialise() {
  const std::lock_guard alone(move_mutex);
  if (find_robot()) return "";
  OpenedBus opened = open_bus();
  if (!opened.bus) return opened.error;
  auto driver = std::make_shared<Driver>(std::move(opened.bus), read_setting("HRT_KENAF_LOG", ""));
  if (!driver->await_newer(0, kFirstStatus)) return "no robot answers at " + driver->name() + " within three seconds";
  const std::lock_guard lock(robot_mutex);
  // the robot stands when the program ends, however it ends
  static const int registered = std::atexit([] { hrt_kenaf_close(); });
  static_cast<void>(registered);
  robot = std::move(driver);
  return "";
}

// Ends the move that is under way, and lets none begin while it lives.
struct Stopping {
  Stopping() {
    ++stopping;
    ++stops;  // the later of the two: who does not hear of this stop sees that it is going on, or comes after it
  }
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;
  ~Stopping() {
    --stopping;
    stopping.notify_all();
  }
};

// A move that began now could take the place of the one that a stop waits for. Whether there was such a stop.
bool await_stops() {
  bool any = false;
  for (unsigned n = stopping; n > 0; n = stopping) {
    any = true;
    stopping.wait(n);
  }
  return any;
}

template <class Move>
int carry_out(const char* function, double way, double most, Move&& move) {
  const StopSignal stop(stops);  // before all else: a stop from here on ends this move
  const auto driver = find_robot();
  if (!driver) return complain(function, kNotInitialised);
  if (!(std::fabs(way) <= most)) return complain(function, "such a way is not possible");
  if (await_stops()) return complain(function, "it was stopped");
  const std::unique_lock lock(move_mutex, std::try_to_lock);
  if (!lock) return complain(function, "another thread moves the robot already");
  const std::string trouble = move(*driver, way, stop);
  return trouble.empty() ? 0 : complain(function, trouble);
}

void fill(const KnownStatus& known, hrt_status& out) {
  const Status& s = known.status;
  out = {};
  out.left_ticks = s.left_ticks;
  out.right_ticks = s.right_ticks;
  out.left_mm = s.left_ticks * kMmPerTick;
  out.right_mm = s.right_ticks * kMmPerTick;
  for (std::size_t i = 0; i < 4; ++i) {
    out.flipper_ticks[i] = s.flipper_ticks[i];
    out.flipper_deg[i] = s.flipper_ticks[i] * kDegreesPerTick;
  }
  out.roll_deg = s.roll_deg;
  out.pitch_deg = s.pitch_deg;
  out.yaw_deg = s.yaw_deg;
  out.battery_s = s.battery_s;
  out.fallen = s.fallen ? 1 : 0;
  out.timed_out = s.timed_out ? 1 : 0;
  out.age_s = std::chrono::duration<double>(Clock::now() - known.arrived).count();
}

// Nothing may be thrown into a program in C.
template <class Work>
int guarded(const char* function, Work&& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", function, error.what());
    return -1;
  }
}

}  // namespace

std::string read_setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0 ? value : otherwise;
}

}  // namespace forerun::kenaf

using namespace forerun::kenaf;  // NOLINT: what follows is in no namespace, for C

int hrt_kenaf_init(void) {
  return guarded("hrt_kenaf_init", [] {
    const std::string trouble = initialise();
    return trouble.empty() ? 0 : complain("hrt_kenaf_init", trouble);
  });
}

int hrt_go_forward(double mm) {
  return guarded("hrt_go_forward", [&] { return carry_out("hrt_go_forward", mm, kMostWay_mm, go_forward); });
}

int hrt_turning(double deg) {
  return guarded("hrt_turning", [&] { return carry_out("hrt_turning", deg, kMostTurn_deg, turn); });
}

int hrt_show_status(void) {
  hrt_status s;
  if (hrt_get_status(&s) != 0) return complain("hrt_show_status", hrt_last_error());
  std::printf(
      "tracks %.1f %.1f mm  flippers %.1f %.1f %.1f %.1f deg  roll %.1f pitch %.1f yaw %.1f deg  battery %.0f s%s%s\n",
      s.left_mm, s.right_mm, s.flipper_deg[0], s.flipper_deg[1], s.flipper_deg[2], s.flipper_deg[3], s.roll_deg,
      s.pitch_deg, s.yaw_deg, s.battery_s, s.fallen != 0 ? "  FALLEN OVER" : "", s.age_s > 1 ? "  OLD" : "");
  std::fflush(stdout);
  return 0;
}

int hrt_stop(void) {
  return guarded("hrt_stop", [] {
    const auto driver = find_robot();
    if (!driver) return complain("hrt_stop", kNotInitialised);
    const Stopping no_moves;
    driver->set_tracks(0, 0);
    // a move that is under way ends first, else it would drive on
    const std::lock_guard lock(move_mutex);
    driver->set_tracks(0, 0);
    return 0;
  });
}

int hrt_kenaf_close(void) {
  return guarded("hrt_kenaf_close", [] {
    std::shared_ptr<Driver> last;
    {
      const std::lock_guard lock(robot_mutex);
      last.swap(robot);
    }
    ++stops;  // after that: a move that still finds the robot hears of it
    if (last) last->set_tracks(0, 0);
    return 0;
  });
}

int hrt_set_track_speeds(double left_mm_per_s, double right_mm_per_s) {
  return guarded("hrt_set_track_speeds", [&] {
    const auto driver = find_robot();
    if (!driver) return fail(kNotInitialised);
    if (!(std::fabs(left_mm_per_s) <= kMostSpeed_mm && std::fabs(right_mm_per_s) <= kMostSpeed_mm)) {
      return fail("tracks are not faster than 1000 mm/s");
    }
    driver->set_tracks(left_mm_per_s, right_mm_per_s);
    return 0;
  });
}

int hrt_set_flipper_angles(const double deg[4]) {
  return guarded("hrt_set_flipper_angles", [&] {
    const auto driver = find_robot();
    if (!driver) return fail(kNotInitialised);
    FlipperAngles angles;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      if (deg == nullptr || !(std::fabs(deg[i]) <= kMostAngle_deg))
        return fail("flippers go to four angles of -180 to 180 degrees");
      angles[i] = deg[i];
    }
    driver->set_flippers(angles);
    return 0;
  });
}

int hrt_get_status(hrt_status* status) {
  return guarded("hrt_get_status", [&] {
    const auto driver = find_robot();
    if (!driver) return fail(kNotInitialised);
    if (status == nullptr) return fail("there is no place for the status");
    fill(*driver->newest(), *status);
    return 0;
  });
}

const char* hrt_last_error(void) { return last_error.c_str(); }
