// Leaves out of a recorded path what the user calls redundant, and says of every cut why (DEC-6).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/mission/pinch_points.hpp"
#include "forerun/mission/recorded_path.hpp"

namespace forerun::mission {

// What is redundant: sections of the path that come back to where they began, by what happens in them.
struct Redundancy {
  double bump_m = 3;            // touched something and came back: up to this length [m]; 0: never redundant
  double back_and_forth_m = 3;  // came back the way it went [m]
  double loop_m = 3;            // came back another way [m]
  double dwell_s = 5;           // stood longer than this: the rest of that time [s]; 0: never redundant
  PinchParams pinch;
};

template <class Visit>
void visit_fields(Redundancy& p, Visit&& visit) {
  visit("bump_m", p.bump_m, Field{0, 1000, "longest bump and back up that is cut [m]; 0: none is"});
  visit("back_and_forth_m", p.back_and_forth_m, Field{0, 1000, "longest there and back that is cut [m]; 0: none is"});
  visit("loop_m", p.loop_m, Field{0, 1000, "longest loop that is cut [m]; 0: none is"});
  visit("dwell_s", p.dwell_s, Field{0, 1e6, "standing longer than this is shortened to it [s]; 0: it is not"});
  visit_fields(p.pinch, visit);
}

// A place that the path must not lose, such as an inspection: no point in it is cut.
struct KeptRegion {
  Vec2 center;
  double radius = 0.5;  // [m]
};

enum class Redundant : std::uint8_t { bump, back_and_forth, loop, dwell };
[[nodiscard]] const char* to_string(Redundant kind) noexcept;

// The path goes from point `from` straight on to point `to`.
struct Cut {
  Redundant kind = Redundant::loop;
  std::size_t from = 0;   // point of the recorded path
  std::size_t to = 0;     // point of the recorded path
  double length_m = 0;    // way that is left out [m]
  double duration_s = 0;  // time that is left out [s]
  double gap_m = 0;       // between the two points [m]
  bool applied = true;    // taken back: false
};

// A section that comes back and is not cut: it is longer than what is redundant, or holds what must not be lost.
struct Uncut {
  enum class Why : std::uint8_t { too_long, kept_region, waypoint };
  Redundant kind = Redundant::loop;
  Why why = Why::too_long;
  std::size_t from = 0;
  std::size_t to = 0;
  double length_m = 0;  // [m]
};

// Where the path meets itself: two of its points.
struct Meeting {
  std::size_t from = 0;
  std::size_t to = 0;
};

[[nodiscard]] const char* to_string(Uncut::Why why) noexcept;

struct Trim {
  std::vector<Cut> cuts;  // in the order of the path; no two overlap
  std::vector<Uncut> uncut;
  std::vector<Meeting> pinches;  // of the whole path
};

// Finds the cuts; the path stays as it is.
[[nodiscard]] Trim find_cuts(std::span<const PathPoint> path, const Redundancy& redundancy,
                             std::span<const KeptRegion> keep = {});

// What is left of a path. Its times and lengths still are those of the recording.
struct TrimmedPath {
  std::vector<PathPoint> points;
  std::vector<std::size_t> joints;  // points after which something was left out
};
[[nodiscard]] TrimmedPath apply_cuts(std::span<const PathPoint> path, std::span<const Cut> cuts);

// One sentence for people: "bump and back up: 0.31 m and 2.4 s, from 12.3 s on".
[[nodiscard]] std::string describe(const Cut& cut, std::span<const PathPoint> path);

}  // namespace forerun::mission
