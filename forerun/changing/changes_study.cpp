#include "forerun/changing/changes_study.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "forerun/changing/changing_drive.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::changing {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kOfAllWork = 0.3;  // the planted and the still drives, where there are others

std::optional<Error> add_drives(const std::vector<Result<ChangingDrive>>& drives, ChangesResult& result) {
  for (std::size_t i = 0; i < drives.size(); ++i) {
    if (!drives[i]) return drives[i].error();
    (i % 2 == 0 ? result.planted : result.still).add(drives[i]->score);
    if (i % 2 != 0) continue;
    result.bytes_told += drives[i]->bytes_told;
    result.things_told += drives[i]->things_told;
  }
  return std::nullopt;
}

Result<study::OfficeResult> drive_among_people(sim::Setting setting, const ChangesParams& params, bool told,
                                               const study::OnProgress& on_progress) {
  setting.reality = sim::kCrowded;
  study::OfficeParams office;
  office.runs = params.crowded_runs;
  office.seed = params.seed;
  office.changes = told;
  return study::run_office_study(setting, office, on_progress);
}

Json ratios(const std::optional<study::OfficeResult>& office) {
  if (!office) return nullptr;
  Json json;
  for (const auto& [name, gap_s] : {std::pair{"2.5", 2.5}, std::pair{"6", 6.0}, std::pair{"12.5", 12.5}}) {
    const auto ratio = study::ratio_at(office->absolute, gap_s);
    json[name] = ratio ? Json(*ratio) : Json(nullptr);
  }
  json["coverage50"] = office->absolute.prediction().coverage50;
  json["coverage95"] = office->absolute.prediction().coverage95;
  return json;
}

}  // namespace

Result<ChangesResult> run_changes_study(const sim::Setting& setting, const ChangesParams& params,
                                        const study::OnProgress& on_progress) {
  const double share = params.crowded_runs > 0 ? kOfAllWork : 1.0;
  const auto part = [&](double from, double size) {
    return [&on_progress, from, size](double done) { return !on_progress || on_progress(from + size * done); };
  };
  std::vector<Result<ChangingDrive>> drives(static_cast<std::size_t>(2 * params.runs), ChangingDrive{});
  const auto work = [&](std::size_t i) {
    drives[i] = drive_through_changes(setting, params.seed * 100000 + i, i % 2 == 0);
  };
  const Error stopped{"the study was stopped", ErrorKind::impossible};
  if (!study::for_each_piece(drives.size(), work, part(0, share))) return stopped;
  ChangesResult result;
  if (const auto error = add_drives(drives, result)) return *error;
  if (params.crowded_runs == 0) return result;
  for (const bool told : {false, true}) {
    auto office =
        drive_among_people(setting, params, told, part(share + (told ? 0.5 : 0) * (1 - share), 0.5 * (1 - share)));
    if (!office) return office.error();
    (told ? result.with : result.without) = std::move(*office);
  }
  return result;
}

Json to_json(const ChangesResult& r) {
  const auto per_hour = [](const ChangeScore& score) {
    return score.driven_s > 0 ? Json(3600 * score.strange / score.driven_s) : Json(nullptr);
  };
  return {{"new_detected", r.planted.new_detected},
          {"new_missed", r.planted.new_missed},
          {"gone_detected", r.planted.gone_detected},
          {"gone_missed", r.planted.gone_missed},
          {"false_changes_per_hour", per_hour(r.still)},
          {"delay_s_p95", study::percentile(r.planted.delays_s, 95)},
          {"bytes_per_change", r.things_told > 0 ? Json(r.bytes_told / r.things_told) : Json(nullptr)},
          {"crowded_ratio_without", ratios(r.without)},
          {"crowded_ratio_with", ratios(r.with)},
          {"strange_among_changes_per_hour", per_hour(r.planted)},
          {"hours_still", r.still.driven_s / 3600},
          {"hours_with_changes", r.planted.driven_s / 3600}};
}

}  // namespace forerun::changing
