// Limits, weights and lag of a robot from recorded drives, and how much better it is then predicted on drives that were
// not fitted to (BEY-5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/learn/fit.hpp"
#include "forerun/learn/fit_drives.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::study {

inline constexpr const char* kUsualFitWorld = "bonn-office";

struct FitInputs {
  std::vector<std::string> logs;   // drive logs to fit to
  std::vector<std::string> tests;  // others to test on; none: the last third of each drive is kept for that
  std::string world;               // a file or a bare name; empty: kUsualFitWorld, if the drives lie in it
  std::uint64_t seed = 1;          // of the moments at which reports are cut from the drives
};

// What is fitted to and what is tested on; nothing of one is in the other.
struct FitMaterial {
  std::vector<learn::Trial> training, testing;
  std::vector<learn::MotorLog> motors;
  std::vector<Vec2> places;  // where the robot went, row by row
};

// An error where there is too little of it.
[[nodiscard]] Result<FitMaterial> make_fit_material(const FitInputs& inputs, const robot::Description& robot);

// In the world of the drives; an error where they do not lie in it.
[[nodiscard]] Result<predict::ReplicaModel> make_fit_model(const FitInputs& inputs, const robot::Description& robot,
                                                           const FitMaterial& material);

struct FitResult {
  std::size_t n_trials = 0;
  double before = 0;  // mean error on what was not seen [m]
  double after = 0;
  learn::Fit fit;
};

// Nothing where `on_progress` ended it early.
[[nodiscard]] std::optional<FitResult> run_fit(const predict::ReplicaModel& model, const robot::Description& robot,
                                               const FitMaterial& material, const OnProgress& on_progress);

}  // namespace forerun::study
