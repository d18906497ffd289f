// The figures of a prediction study as one page that needs nothing else (PSS-14).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/study/scoring.hpp"
#include "forerun/study/trajectories.hpp"

namespace forerun::study {

struct Place {
  std::string name;
  Vec2 at;
};

// Mean displacement against something: against the gap, or against the distance travelled since the message.
struct Displacement {
  std::vector<draw::Curve> curves;         // by method, named after it: with intervals, all at the same places
  std::optional<double> significant_from;  // from here on prediction is better beyond both intervals; none: nowhere

  [[nodiscard]] bool empty() const { return curves.size() <= kPrediction || curves[kPrediction].empty(); }
  [[nodiscard]] const draw::Curve& extrapolation() const { return curves[kExtrapolation]; }
  [[nodiscard]] const draw::Curve& prediction() const { return curves[kPrediction]; }
};

// How often the robot was where the predictor said, by gap. Empty curves: not measured.
struct CoverageCurves {
  draw::Curve share95;    // of samples within the 95 % region, 0 … 1
  draw::Curve share50;    // of samples within the 50 % region
  draw::Curve radius95;   // of the 95 % region [m]
  draw::Curve error95;    // 95th percentile of the prediction's error [m]
  double coverage95 = 0;  // over all gaps
  double coverage50 = 0;
  double score95 = 0;  // [m]
};

// Where the drives come from: of a recorded one nobody knows the control system, and messages say less.
enum class DriveSource : std::uint8_t { simulated, recorded };

struct StudyPage {
  std::string title;
  DriveSource source = DriveSource::simulated;
  Measure measure = Measure::absolute;                        // of the errors
  std::string shown = "One drive";                            // which drive the trajectories are of
  std::vector<std::pair<std::string, std::string>> settings;  // what, and its value: world, robot, reality, …
  draw::PlanDrawing plan;
  double robot_radius = 0.25;  // [m]
  Pose2 start;
  std::vector<Place> goals;
  Trajectories trajectories;  // of one drive
  double interval_s = 0;      // between two messages
  double loss = 0;            // share of them
  std::vector<Gap> gaps;      // replays in which nothing arrives for a while
  Displacement by_gap;
  Displacement by_distance;
  CoverageCurves coverage;
  std::vector<draw::Curve> experts;  // how much each is believed, by gap, 0 … 1; empty: not told
  double path_length_m = 0;          // mean of the runs
  double duration_s = 0;
};

// Fills in all that is measured: the displacements and the coverage.
void set_scores(const Scores& scores, Measure measure, StudyPage& input);

// The value at this place, or between its neighbours; NaN where the curve does not reach.
[[nodiscard]] double value_at(const draw::Curve& curve, double place);

// The whole page. Text that comes from files is never taken for markup.
[[nodiscard]] std::string write_study_page(const StudyPage& input);

}  // namespace forerun::study
