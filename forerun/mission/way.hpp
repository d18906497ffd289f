// From what is left of a recorded path to a way that a robot can drive: joints closed, corners found, knots evenly
// spaced, position and heading apart (DEC-8).
#pragma once

#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/timing.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::mission {

struct WayParams {
  double knot_m = 0.005;         // between knots, of way [m]
  double turn_m = 0.2;           // a radian of turning counts as this much way [m]
  int smoothing = 3;             // knots to either side over which positions and headings are averaged, twice
  double rounded_rad = 0.5;      // joints that turn by less are rounded, others are stopped at [rad]
  double shortest_wait_s = 1.0;  // standing for longer than this was meant [s]
};

template <class Visit>
void visit_fields(WayParams& p, Visit&& visit) {
  visit("knot_m", p.knot_m, Field{0.001, 0.1, "between knots of the way [m]"});
  visit("turn_m", p.turn_m, Field{0.01, 10, "a radian of turning counts as this much way [m]"});
  visit("smoothing", p.smoothing, Field{0, 50, "knots to either side over which positions and headings are averaged"});
  visit("rounded_rad", p.rounded_rad,
        Field{0, 1.5, "joints that turn by less are rounded, others are stopped at [rad]"});
  visit("shortest_wait_s", p.shortest_wait_s, Field{0.1, 1e6, "standing for longer than this was meant [s]"});
}

struct Way {
  std::vector<std::string> actions_before;  // where it begins
  std::vector<Piece> pieces;                // the robot comes to rest between two of them
};
// An error where the robot would have to turn on the spot and cannot.
[[nodiscard]] Result<Way> make_way(const TrimmedPath& path, const robot::Description& robot, const WayParams& params);

}  // namespace forerun::mission
