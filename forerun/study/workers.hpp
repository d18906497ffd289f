// Independent pieces of a study, done on all cores of the machine.
#pragma once

#include <cstddef>
#include <functional>

namespace forerun::study {

// Is told the share done, and ends the work early by giving false.
using OnProgress = std::function<bool(double)>;

// Calls `work(i)` for i from 0 to n − 1, several at a time on threads of their own. Each piece writes to a place of its
// own, so the result does not depend on how many there are. `on_progress` is called on the calling thread only.
// False when it ended the work: then some pieces were not done.
[[nodiscard]] bool for_each_piece(std::size_t n, const std::function<void(std::size_t)>& work,
                                  const OnProgress& on_progress = {});

}  // namespace forerun::study
