// Paper 4: control latency predicted away (LAT).
#include "forerun/papers/paper_exhibits.hpp"

namespace forerun::papers {
namespace {

constexpr auto kNothingBelow = -std::numeric_limits<double>::infinity();

constexpr PaperPicture kSine[] = {{"dead-time", "curves"}};
constexpr PaperFigure kDelays[] = {
    {.what = "delay of driving",
     .printed = "about 120 ms",
     .run = "dead-time",
     .path = "delay_v_s",
     .scale = 1000,
     .decimals = 0,
     .unit = "ms",
     .judgement = Judgement::alike,
     .low = 115,
     .high = 125,
     .in_summary = true},
    {.what = "delay of turning",
     .printed = "",
     .run = "dead-time",
     .path = "delay_w_s",
     .scale = 1000,
     .decimals = 0,
     .unit = "ms"},
    {.what = "delay that was simulated",
     .printed = "",
     .run = "dead-time",
     .path = "true_delay_s",
     .scale = 1000,
     .decimals = 0,
     .unit = "ms"},
    {.what = "shift between the curves: delay and lag",
     .printed = "about 120 ms",
     .run = "dead-time",
     .path = "shift_v_s",
     .scale = 1000,
     .decimals = 0,
     .unit = "ms"},
    {.what = "lag of the motors that was simulated",
     .printed = "",
     .run = "dead-time",
     .path = "true_lag_s",
     .scale = 1000,
     .decimals = 0,
     .unit = "ms"},
};

constexpr PaperFigure error(const char* what, const char* printed, const char* path, double most) {
  return {.what = what,
          .printed = printed,
          .run = "latency",
          .path = path,
          .decimals = most < 1 ? 3 : 2,
          .unit = most < 1 ? "rad" : "cm",
          .judgement = Judgement::no_worse,
          .low = kNothingBelow,
          .high = most,
          .in_summary = true};
}

constexpr PaperPicture kErrors[] = {{"latency", "errors"}};
constexpr PaperFigure kErrorFigures[] = {
    error("position four frames ahead, by velocity", "3.48 cm", "velocity/position_cm", 3.48),
    error("position, by linear regression", "2.13 cm", "linear/position_cm", 2.13),
    error("position, by the 42-10-4 network", "2.65 cm", "network/position_cm", 2.65),
    {.what = "by our model", .printed = "", .run = "latency", .path = "best/position_cm", .decimals = 2, .unit = "cm"},
    error("heading four frames ahead, by velocity", "0.17 rad", "velocity/heading_rad", 0.17),
    error("heading, by linear regression", "0.113 rad", "linear/heading_rad", 0.113),
    error("heading, by the 42-10-4 network", "0.08 rad", "network/heading_rad", 0.08),
    {.what = "by our model", .printed = "", .run = "latency", .path = "best/heading_rad", .decimals = 3, .unit = "rad"},
};

constexpr PaperPicture kLoop[] = {{"latency", "loop"}};
constexpr PaperFigure kLoopFigures[] = {
    {.what = "off the line, without prediction",
     .printed = "a picture",
     .run = "latency",
     .path = "loop_error_without_m",
     .scale = 100,
     .unit = "cm"},
    {.what = "with prediction",
     .printed = "a picture",
     .run = "latency",
     .path = "loop_error_with_m",
     .scale = 100,
     .unit = "cm"},
};
constexpr PaperPicture kTarget[] = {{"latency", "target"}};
constexpr PaperFigure kTargetFigures[] = {
    {.what = "beyond its targets, without prediction",
     .printed = "a picture",
     .run = "latency",
     .path = "target_overshoot_without_m",
     .scale = 100,
     .unit = "cm"},
    {.what = "with prediction",
     .printed = "a picture",
     .run = "latency",
     .path = "target_overshoot_with_m",
     .scale = 100,
     .unit = "cm"},
};

constexpr Exhibit kExhibits[] = {
    {.id = "lat-1",
     .numbers = "LAT-1",
     .title = "The delay, measured",
     .printed_as = "the curves of the sinusoidal drive",
     .about = "The robot drives to and fro with sinusoidal speed; how late the seen speed is, is the delay.",
     .differs = "Our robot is simulated with a delay of 120 ms, and then a lag of its motors: what is shown is that "
                "measuring finds the delay, and tells it from the lag. The paper's shift has both in one.",
     .pictures = kSine,
     .figures = kDelays},
    {.id = "lat-3",
     .numbers = "LAT-2, LAT-3",
     .title = "Errors four frames ahead",
     .printed_as = "the histograms of position and heading",
     .about = "The same 42 numbers of the last six frames, the same three predictors, learned from recorded play and "
              "judged on other drives; and ours.",
     .differs = "Another robot, simulated, which drives and turns in its own way, and is seen with noise of 2 mm and "
                "0.01 rad: sizes "
                "of errors compare only roughly.",
     .pictures = kErrors,
     .figures = kErrorFigures},
    {.id = "lat-4-loop",
     .numbers = "LAT-4",
     .title = "A loop round the free-kick points",
     .printed_as = "the picture of the loop",
     .about = "The same controller by what the camera saw last, and by where the robot will be.",
     .differs = "The paper prints a picture and no number.",
     .pictures = kLoop,
     .figures = kLoopFigures},
    {.id = "lat-4-target",
     .numbers = "LAT-4",
     .title = "To a target",
     .printed_as = "the picture of the target",
     .about = "From start to target with and without prediction.",
     .differs = "The paper prints a picture and no number.",
     .pictures = kTarget,
     .figures = kTargetFigures},
};

}  // namespace

Paper paper_latency() {
  return {.id = "paper-4",
          .title = "Paper 4: control latency",
          .source = "A. Gloye, M. Simon, A. Egorova, S. Behnke, R. Rojas: Predicting Away Robot Control Latency.",
          .about = "A fast robot under a camera does what it is told 120 ms late.",
          .left_out = "Not here: the picture of a path predicted four frames ahead; its errors are the histograms'.",
          .exhibits = kExhibits};
}

}  // namespace forerun::papers
