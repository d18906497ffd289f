// A camera on a robot.
#pragma once

#include "forerun/base/fields.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::robot {

struct Eye {
  Vec3 place;                  // of the lens, in the robot's frame; of planar robots above the floor [m]
  double tilt = 0;             // looks down by this [rad]
  double field_of_view = 0.8;  // from top to bottom [rad]
};

template <class Visit>
void visit_fields(Eye& e, Visit&& visit) {
  constexpr Field kPlaceOfEye{-5, 5, "place of the lens [m]"};
  visit("x_m", e.place.x, kPlaceOfEye);
  visit("y_m", e.place.y, kPlaceOfEye);
  visit("z_m", e.place.z, kPlaceOfEye);
  visit("tilt_rad", e.tilt, Field{-1.6, 1.6, "looks down by this [rad]"});
  visit("field_of_view_rad", e.field_of_view, Field{0.05, 2.5, "from top to bottom [rad]"});
}

}  // namespace forerun::robot
