// Paper 5: planned in simulation, executed alone (DEC).
#include "forerun/papers/paper_exhibits.hpp"

namespace forerun::papers {
namespace {

constexpr auto kNothingBelow = -std::numeric_limits<double>::infinity();

constexpr PaperFigure centimetres(const char* what, const char* printed, const char* path) {
  return {
      .what = what, .printed = printed, .run = "calibration", .path = path, .scale = 100, .decimals = 3, .unit = "cm"};
}

constexpr PaperFigure square_centimetres(const char* what, const char* printed, const char* path) {
  return {
      .what = what, .printed = printed, .run = "calibration", .path = path, .scale = 1e4, .decimals = 0, .unit = "cm²"};
}

constexpr PaperPicture kCircles[] = {{"calibration", "circles"}};
constexpr PaperFigure kEllipses[] = {
    square_centimetres("tracked, area", "9089.235 cm²", "runs/0/tracked/area_m2"),
    square_centimetres("measured by hand, area", "9409.337 cm²", "runs/0/nominal/area_m2"),
    square_centimetres("calibrated, area", "8948.930 cm²", "runs/0/calibrated/area_m2"),
    centimetres("tracked, major axis", "107.714 cm", "runs/0/tracked/major_m"),
    centimetres("minor axis", "107.44 cm", "runs/0/tracked/minor_m"),
    centimetres("measured by hand, major axis", "109.875 cm", "runs/0/nominal/major_m"),
    centimetres("minor axis", "109.036 cm", "runs/0/nominal/minor_m"),
    centimetres("calibrated, major axis", "107.101 cm", "runs/0/calibrated/major_m"),
    centimetres("minor axis", "106.387 cm", "runs/0/calibrated/minor_m"),
    {.what = "major axis off by, measured by hand",
     .printed = "2.161 cm",
     .run = "calibration",
     .path = "nominal_error_m",
     .scale = 100,
     .decimals = 3,
     .unit = "cm",
     .in_summary = true,
     .note = "drawn by chance"},
    {.what = "major axis off by, calibrated",
     .printed = "0.613 cm",
     .run = "calibration",
     .path = "calibrated_error_m",
     .scale = 100,
     .decimals = 3,
     .unit = "cm",
     .judgement = Judgement::no_worse,
     .low = kNothingBelow,
     .high = 0.613,
     .in_summary = true},
};

constexpr PaperPicture kSetup[] = {{"mission", "setup"}};
constexpr PaperPicture kWheels[] = {{"mission", "wheels"}};
constexpr PaperPicture kBumps[] = {{"mission", "bumps"}};
constexpr PaperPicture kPinches[] = {{"mission", "pinch-points"}};
constexpr PaperPicture kSpikes[] = {{"mission", "spikes"}};
constexpr PaperPicture kControl[] = {{"mission", "control"}};
constexpr PaperFigure kBumpFigures[] = {
    {.what = "bumps of the try-out", .printed = "a picture", .run = "mission", .path = "bumps_before", .decimals = 0},
    {.what = "length of the try-out", .printed = "a picture", .run = "mission", .path = "length_before_m", .unit = "m"},
};
constexpr PaperFigure kPinchFigures[] = {
    {.what = "pinch points", .printed = "a picture", .run = "mission", .path = "pinch_points", .decimals = 0},
};
constexpr PaperFigure kSpikeFigures[] = {
    {.what = "bumps of the uploaded path",
     .printed = "no collisions",
     .run = "mission",
     .path = "bumps_after",
     .decimals = 0,
     .judgement = Judgement::alike,
     .low = 0,
     .high = 0,
     .in_summary = true},
    {.what = "its length", .printed = "a picture", .run = "mission", .path = "length_after_m", .unit = "m"},
    {.what = "nearest to a wall",
     .printed = "a picture",
     .run = "mission",
     .path = "min_clearance_m",
     .decimals = 2,
     .unit = "m"},
};
constexpr PaperFigure kControlFigures[] = {
    {.what = "largest wheel acceleration ÷ the wheel's limit",
     .printed = "no spikes left",
     .run = "mission",
     .path = "max_wheel_accel_over_limit",
     .decimals = 2,
     .judgement = Judgement::alike,
     .low = 0,
     .high = 1.0001,
     .in_summary = true},
};

constexpr PaperFigure kExecution[] = {
    {.what = "missions", .printed = "", .run = "execution", .path = "missions", .decimals = 0},
    {.what = "driven to the end", .printed = "", .run = "execution", .path = "completed", .decimals = 0},
    {.what = "with something planted that the robot came to",
     .printed = "",
     .run = "execution",
     .path = "planted",
     .decimals = 0},
    {.what = "of these, not noticed", .printed = "", .run = "execution", .path = "missed", .decimals = 0},
    {.what = "handed back for nothing", .printed = "", .run = "execution", .path = "false_alarms", .decimals = 0},
    {.what = "collisions", .printed = "", .run = "execution", .path = "collisions", .decimals = 0},
    {.what = "off the path, root mean square",
     .printed = "",
     .run = "execution",
     .path = "cross_track_rms_m",
     .scale = 1000,
     .decimals = 0,
     .unit = "mm"},
};

constexpr PaperPicture kWays[] = {{"sensitivity", "ways"}};
constexpr PaperFigure kWrongBase[] = {
    {.what = "mean squared error, base 4 % too small",
     .printed = "0.1043",
     .run = "sensitivity",
     .path = "wrong/0/mean_squared_error_m2",
     .decimals = 4,
     .unit = "m²",
     .in_summary = true,
     .note = "another length"},
    {.what = "mean squared error, base 4 % too large",
     .printed = "0.1033",
     .run = "sensitivity",
     .path = "wrong/1/mean_squared_error_m2",
     .decimals = 4,
     .unit = "m²",
     .in_summary = true,
     .note = "another length"},
    {.what = "at the end, base 4 % too small",
     .printed = "a picture",
     .run = "sensitivity",
     .path = "wrong/0/final_error_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "base 4 % too large",
     .printed = "a picture",
     .run = "sensitivity",
     .path = "wrong/1/final_error_m",
     .decimals = 2,
     .unit = "m"},
    {.what = "length of the way", .printed = "not said", .run = "sensitivity", .path = "length_m", .unit = "m"},
};

constexpr Exhibit kExhibits[] = {
    {.id = "dec-2",
     .numbers = "DEC-2",
     .title = "Circles, by hand-measured and by calibrated wheels",
     .printed_as = "table 1",
     .about = "Ellipses fitted to circles: as tracked, and dead reckoned with wheels as measured and as calibrated. "
              "Black is the truth, orange by hand, blue calibrated.",
     .differs = "Robots of ours are simulated, their wheels drawn by chance, and the first one's circle is beside the "
                "paper's; off by is the mean of all. The paper's is one robot, and its difference of major axes is "
                "worked out from its table.",
     .pictures = kCircles,
     .figures = kEllipses},
    {.id = "dec-9-setup",
     .numbers = "DEC-9",
     .title = "The setup",
     .printed_as = "figure 4",
     .about = "A right-angled wall, one infrared sensor, one bumper, a loosely tuned wall follower.",
     .differs = "",
     .pictures = kSetup,
     .figures = {}},
    {.id = "dec-9-wheels",
     .numbers = "DEC-9",
     .title = "Wall distance and wheel velocities",
     .printed_as = "figure 5",
     .about = "The controller's swing, and the bumps.",
     .differs = "",
     .pictures = kWheels,
     .figures = {}},
    {.id = "dec-9-bumps",
     .numbers = "DEC-9",
     .title = "Bump and back up",
     .printed_as = "figure 6",
     .about = "The way, and a redundant part of it enlarged.",
     .differs = "",
     .pictures = kBumps,
     .figures = kBumpFigures},
    {.id = "dec-9-pinches",
     .numbers = "DEC-9",
     .title = "Pinch points",
     .printed_as = "figure 7",
     .about = "Where the way meets itself, and what is cut in between.",
     .differs = "",
     .pictures = kPinches,
     .figures = kPinchFigures},
    {.id = "dec-9-spikes",
     .numbers = "DEC-9",
     .title = "Spikes, and the path without them",
     .printed_as = "figure 8",
     .about = "Where a cut asks for a jump, and the path that is uploaded; driven again in the simulator.",
     .differs = "",
     .pictures = kSpikes,
     .figures = kSpikeFigures},
    {.id = "dec-9-control",
     .numbers = "DEC-9",
     .title = "Wheel velocities before and after",
     .printed_as = "figure 9",
     .about = "Within all limits of the wheels afterwards.",
     .differs = "",
     .pictures = kControl,
     .figures = kControlFigures},
    {.id = "dec-10",
     .numbers = "DEC-10",
     .title = "Uploaded and executed",
     .printed_as = "described, not measured",
     .about = "Missions that the robot drives alone, at the level <code>mismatched</code>; in every second one "
              "something is planted that it must notice.",
     .differs = "The paper leaves the execution by a real robot to later work.",
     .pictures = {},
     .figures = kExecution},
    {.id = "dec-11",
     .numbers = "DEC-11",
     .title = "A wheel base that is 4 % wrong",
     .printed_as = "figure 10",
     .about = "The same wheel speeds, with a base too small and too large.",
     .differs = "A squared error grows with the length of the way, and the paper does not say its own; ours is below. "
                "So the shapes "
                "can be compared, but not the sizes. The paper's sums of absolute differences, 198.68 and 196.70 m, "
                "also depend on how "
                "often the way is sampled, and are not worked out here.",
     .pictures = kWays,
     .figures = kWrongBase},
};

}  // namespace

Paper paper_decoupled() {
  return {.id = "paper-5",
          .title = "Paper 5: decoupled operation",
          .source = "On a control paradigm that decouples operator and robot by a simulation.",
          .about = "Tried out in simulation, trimmed, uploaded, and executed by the robot itself.",
          .left_out = "Not here: figures 1 to 3, drawings of the architecture, the drive and the modules.",
          .exhibits = kExhibits};
}

}  // namespace forerun::papers
