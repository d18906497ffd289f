// A drive through a world in which boxes come and go and doors move, all of it drawn from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/changing/change_judge.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::changing {

struct ChangingDrive {
  ChangeScore score;
  double bytes_told = 0;  // in sections of reports
  int things_told = 0;
};

// `with_changes` false: nothing changes.
[[nodiscard]] Result<ChangingDrive> drive_through_changes(const sim::Setting& setting, std::uint64_t seed,
                                                          bool with_changes);

}  // namespace forerun::changing
