// The cameras of a robot whose images travel, as those who ask for images count them.
#pragma once

#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::robot {

struct NamedEye {
  const char* name = "";
  Eye eye;
};

// The one that looks ahead is the first.
[[nodiscard]] inline FixedVector<NamedEye, 2> cameras(const Description& d) noexcept {
  FixedVector<NamedEye, 2> all;
  if (const Eye* front = front_camera(d)) (void)all.push_back({"front", *front});
  if (d.crawler) (void)all.push_back({"above", d.crawler->above});
  return all;
}

}  // namespace forerun::robot
