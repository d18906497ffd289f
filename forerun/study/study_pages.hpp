// The pages of the prediction studies: what was scored, and one of the drives to look at, on one page each.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/study/log_study.hpp"
#include "forerun/study/office_study.hpp"

namespace forerun::study {

// Shows the first run, as it was scored.
[[nodiscard]] Result<std::string> office_page(const sim::Setting& inputs, const OfficeParams& params,
                                              const OfficeResult& result);

// Shows the longest stretch of the first log, with the messages of the first run. `robot` says how the robot is
// described, for the reader.
[[nodiscard]] Result<std::string> log_page(const LogInputs& inputs, const LogParams& params, const LogResult& result,
                                           const std::string& robot);

}  // namespace forerun::study
