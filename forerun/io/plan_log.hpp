// The plans of a recorded drive: CSV with a header, and a row for each new plan: its time, and its points as
// "x y;x y;…".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"

namespace forerun::io {

[[nodiscard]] Result<std::vector<LoggedPlan>> parse_plan_log(std::string_view text, const std::string& file);

// Takes the plans from NAME.plan.csv.gz or NAME.plan.csv beside the drive log NAME.csv or NAME.csv.gz. No such file: it
// has none.
[[nodiscard]] Result<void> add_plans(const std::string& drive_log, DriveLog& log);

}  // namespace forerun::io
