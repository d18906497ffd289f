// Figures of the studies of link and sending as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "forerun/study/link_study.hpp"
#include "forerun/study/sending_study.hpp"

namespace forerun::study {

[[nodiscard]] nlohmann::ordered_json to_json(const LinkStudyResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const SendingResult& result);

}  // namespace forerun::study
