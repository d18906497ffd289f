// What a wrong wheel base does to the way that wheel speeds make (DEC-11).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::study {

struct SensitivityParams {
  std::uint64_t seed = 1;
  double base_off = 0.04;  // as a share, either way
};

template <class Visit>
void visit_fields(SensitivityParams& p, Visit&& visit) {
  visit("seed", p.seed, Field{.about = "of the wall follower's sensor"});
  visit("base_off", p.base_off, Field{0.0001, 0.5, "how far the base is off, as a share, either way"});
}

// The way with a base that is off.
struct WrongWay {
  double base_off = 0;  // as a share
  std::vector<Vec2> way;
  double mean_squared_m2 = 0;  // of the distance between the true and the wrong way, moment by moment
  double mean_m = 0;
  double final_error_m = 0;
};

struct SensitivityResult {
  double base_m = 0;
  double length_m = 0;
  double duration_s = 0;
  std::vector<Vec2> wall;  // corners
  std::vector<Vec2> way;   // as it was driven
  std::vector<WrongWay> wrong;
};

// A robot follows a right-angled wall from outside; its wheel speeds are then integrated with other bases.
[[nodiscard]] SensitivityResult run_sensitivity_study(const SensitivityParams& params);
[[nodiscard]] nlohmann::ordered_json to_json(const SensitivityResult& result);
[[nodiscard]] std::string sensitivity_page(const SensitivityResult& result);

}  // namespace forerun::study
