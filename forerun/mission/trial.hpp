// A mission driven in simulated reality, with a fault planted where one is wanted: does the robot notice?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/mission/executor.hpp"
#include "forerun/mission/recorded_path.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::mission {

enum class FaultKind : std::uint8_t {
  none,
  obstacle,           // a box stands on the path
  localization_jump,  // the reported pose is off from a moment on
  slip,               // a wheel moves the robot less far than it turns
  blind_sensor,       // sees nothing any more
  stuck_sensor,       // repeats what it saw last
  silent_sensor,      // says nothing any more
};
inline constexpr int kFaultKinds = 7;
[[nodiscard]] const char* to_string(FaultKind kind) noexcept;

struct Fault {
  FaultKind kind = FaultKind::none;
  double at_s = 0;        // of the path: there, or from then on [s]
  std::size_t part = 0;   // which wheel or sensor
  double grip = 0.7;      // of a wheel that slips
  Pose2 jump{0.6, 0, 0};  // of the localization, in the world
};

// What a trial came to.
struct Trial {
  MissionState state = MissionState::ready;
  Departure departure = Departure::none;
  std::string why;                // it handed back
  bool fault_in_effect = false;   // it came to the place or the time of the fault, or saw it
  bool something_in_way = false;  // of the path ahead, in truth, when it handed back
  int collisions = 0;
  double min_clearance_m = 0;    // to what is on the map, on the way that was driven, at most kFarClearance [m]
  Vec2 nearest_at;               // where that was
  double cross_track_rms_m = 0;  // of the truth against the path, until it handed back [m]
  double cross_track_max_m = 0;  // [m]
  double duration_s = 0;         // [s]
  RecordedPath driven;
};

inline constexpr double kFarClearance = 2;  // more than this is not told apart [m]

// How far the footprint is from the nearest thing that it can bump into, at most kFarClearance [m].
[[nodiscard]] double clearance(const robot::Footprint& footprint, const Pose2& pose,
                               const world::Outline& outline) noexcept;

// How far a place is from a timed path, near the point where the path is at `time` [m].
[[nodiscard]] double cross_track(std::span<const TimedPoint> path, double time, Vec2 place) noexcept;

// The true robot in the true world: `model` as `sim::make_model` gives it for the robot of `known` (of `for_missions`);
// its tasks do not matter. Boxes that are planted are added to it.
[[nodiscard]] Trial run_trial(const Mission& mission, const RehearsedWorld& known, sim::Model model,
                              const ExecutorParams& params = {}, const Fault& fault = {});

}  // namespace forerun::mission
