// Papers 1 and 2: prediction by simulation (PSS).
#include "forerun/papers/paper_exhibits.hpp"

namespace forerun::papers {
namespace {

constexpr auto kNothingBelow = -std::numeric_limits<double>::infinity();

constexpr PaperPicture kPlan[] = {{"plan"}};
constexpr PaperFigure kPlanFigures[] = {
    {.what = "length of the path", .printed = "", .run = "plan", .path = "path_length_m", .unit = "m"},
    {.what = "cells that have a value", .printed = "", .run = "plan", .path = "expanded_cells", .decimals = 0},
    {.what = "value iteration",
     .printed = "",
     .run = "plan",
     .path = "value_iteration_ms",
     .decimals = 0,
     .unit = "ms"},
};

constexpr PaperPicture kDrive[] = {{"drive"}};
constexpr PaperFigure kDriveFigures[] = {
    {.what = "length of the drive",
     .printed = "80.8 m",
     .run = "drive",
     .path = "path_length_m",
     .unit = "m",
     .judgement = Judgement::alike,
     .low = 78.4,
     .high = 83.2,
     .in_summary = true},
    {.what = "time of the drive",
     .printed = "320 s",
     .run = "drive",
     .path = "duration_s",
     .decimals = 0,
     .unit = "s",
     .judgement = Judgement::alike,
     .low = 310,
     .high = 330,
     .in_summary = true},
    {.what = "mean speed while driving",
     .printed = "34.5 cm/s",
     .run = "drive",
     .path = "mean_driving_speed_mps",
     .scale = 100,
     .unit = "cm/s",
     .judgement = Judgement::alike,
     .low = 33.4,
     .high = 35.6,
     .in_summary = true},
};

constexpr PaperPicture kTrajectories[] = {{"office-noisy", "a"}};
constexpr PaperPicture kGap[] = {{"office-noisy", "b"}};
constexpr PaperFigure kGapFigures[] = {
    {.what = "mean displacement after 12.5 s, extrapolated",
     .printed = "a circle",
     .run = "office-noisy",
     .path = "gap_bins/gap_s=12.5/extrapolation_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "the same, predicted",
     .printed = "close to the robot",
     .run = "office-noisy",
     .path = "gap_bins/gap_s=12.5/prediction_m",
     .decimals = 2,
     .unit = "m"},
};
constexpr PaperPicture kSequence[] = {{"office-noisy", "c"}};

constexpr PaperPicture kByGap[] = {{"office-noisy", "d"}};
constexpr PaperFigure kByGapFigures[] = {
    {.what = "significantly better from gaps of",
     .printed = "2.5 s",
     .run = "office-noisy",
     .path = "significant_from_gap_s",
     .decimals = 2,
     .unit = "s",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 2.5,
     .in_summary = true},
    {.what = "the same, <code>mismatched</code>",
     .printed = "2.5 s",
     .run = "office-mismatched",
     .path = "significant_from_gap_s",
     .decimals = 2,
     .unit = "s",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 2.5},
    {.what = "the same, <code>crowded</code>",
     .printed = "2.5 s",
     .run = "office-crowded",
     .path = "significant_from_gap_s",
     .decimals = 2,
     .unit = "s",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 2.5},
    {.what = "mean displacement after 6 s, extrapolated",
     .printed = "a curve",
     .run = "office-noisy",
     .path = "gap_bins/gap_s=6/extrapolation_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "the same, predicted",
     .printed = "a curve",
     .run = "office-noisy",
     .path = "gap_bins/gap_s=6/prediction_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "predicted, <code>mismatched</code>",
     .printed = "a curve",
     .run = "office-mismatched",
     .path = "gap_bins/gap_s=6/prediction_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "predicted, <code>crowded</code>",
     .printed = "a curve",
     .run = "office-crowded",
     .path = "gap_bins/gap_s=6/prediction_m",
     .decimals = 2,
     .unit = "m"},
};

constexpr PaperPicture kByDistance[] = {{"office-noisy", "e"}};
constexpr PaperFigure kByDistanceFigures[] = {
    {.what = "significantly better from travels of",
     .printed = "1 m",
     .run = "office-noisy",
     .path = "significant_from_distance_m",
     .decimals = 2,
     .unit = "m",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 1,
     .in_summary = true},
    {.what = "the same, <code>mismatched</code>",
     .printed = "1 m",
     .run = "office-mismatched",
     .path = "significant_from_distance_m",
     .decimals = 2,
     .unit = "m",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 1},
    {.what = "the same, <code>crowded</code>",
     .printed = "1 m",
     .run = "office-crowded",
     .path = "significant_from_distance_m",
     .decimals = 2,
     .unit = "m",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 1},
};

constexpr Exhibit kExhibits[] = {
    {.id = "pss-5",
     .numbers = "PSS-5",
     .title = "Value function and path",
     .printed_as = "figure 2 of paper 1",
     .about = "Value iteration on the grid that follows from the 3D model, and the path from the start of the delivery "
              "to office 1.",
     .differs = "The building is another one: its plan is ours, after the papers' figure of the delivery. The paper "
                "paints high "
                "costs dark; here it is darkest at the goal.",
     .pictures = kPlan,
     .figures = kPlanFigures},
    {.id = "pss-14",
     .numbers = "PSS-14",
     .title = "The delivery to five offices",
     .printed_as = "figure 4 of paper 1, figure 3 of paper 2",
     .about = "The robot begins in the corridor and visits five offices in the numbered order.",
     .differs = "Theirs was a real robot in a real building. Ours is simulated, at the level of reality "
                "<code>noisy</code>, in a building of about this size: length, time and speed are alike because "
                "building and robot were made so.",
     .pictures = kDrive,
     .figures = kDriveFigures},
    {.id = "pss-14-a",
     .numbers = "PSS-14 a",
     .title = "Truth, extrapolation and prediction",
     .printed_as = "figures 4 to 6 of paper 1, 3 to 5 of paper 2",
     .about = "A message every 6 s, 30 % of them lost. Dotted lines are the jumps when one arrives.",
     .differs = "",
     .pictures = kTrajectories,
     .figures = {}},
    {.id = "pss-14-b",
     .numbers = "PSS-14 b",
     .title = "A gap of 12.5 s after leaving room 1",
     .printed_as = "figure 7 of paper 1, figure 6 of paper 2",
     .about = "Nothing arrives for 12.5 s. In the papers extrapolation goes round in a circle, and the replica turns "
              "into the corridor "
              "with the robot.",
     .differs = "The papers show this one gap and no figure; ours below are means over all gaps of this length.",
     .pictures = kGap,
     .figures = kGapFigures},
    {.id = "pss-14-c",
     .numbers = "PSS-14 c",
     .title = "The same gap, an image every 2 s",
     .printed_as = "figure 8 of paper 1, figure 7 of paper 2",
     .about = "Rows as in the papers; seen from above.",
     .differs = "The papers' images are views into the 3D model. The page of <code>forerun demo</code> has that view, "
                "live; a page on paper is clearer from above.",
     .pictures = kSequence,
     .figures = {}},
    {.id = "pss-14-d",
     .numbers = "PSS-14 d",
     .title = "Mean displacement against the gap",
     .printed_as = "figure 9 of paper 1, figure 8 of paper 2",
     .about = "Every message is scored at every gap up to 18 s as if the next ones were lost; intervals of 95 %.",
     .differs =
         "The papers' curves carry no printed numbers, so only what their text states is held to ours. They drove "
         "once and replayed it with random losses; ours are several drives, at three levels of reality.",
     .pictures = kByGap,
     .figures = kByGapFigures},
    {.id = "pss-14-e",
     .numbers = "PSS-14 e",
     .title = "Mean displacement against the distance travelled",
     .printed_as = "figure 10 of paper 1, figure 9 of paper 2",
     .about = "The same by the way since the last message.",
     .differs = "Bins are 0.25 m wide; 0 m is the first.",
     .pictures = kByDistance,
     .figures = kByDistanceFigures},
};

}  // namespace

Paper paper_prediction() {
  return {.id = "paper-1-2",
          .title = "Papers 1 and 2: predictive simulation",
          .source =
              "D. Schulz, W. Burgard, A. B. Cremers: Predictive Simulation of Autonomous Robots for Reliable "
              "Visualization over the Internet; Robust Visualization of Navigation Experiments with Mobile Robots "
              "over the Internet. The second reports the same experiment.",
          .about = "A copy of the robot, with its planner and collision avoidance, runs ahead of the link.",
          .left_out =
              "Not here: figure 1 of paper 1, a photograph; figure 3 of paper 1 (2 of paper 2), the plan with "
              "the simulated sonar, and figure 10 of paper 2, the applet: the page of <code>forerun demo</code> "
              "shows both live.",
          .exhibits = kExhibits};
}

}  // namespace forerun::papers
