// Beyond the papers: what none of them has.
#include "forerun/papers/paper_exhibits.hpp"

namespace forerun::papers {
namespace {

constexpr PaperPicture kSure[] = {{"office-noisy", "f"}};
constexpr PaperFigure kSureFigures[] = {
    {.what = "regions of 95 % hold the robot, <code>noisy</code>",
     .printed = "",
     .run = "office-noisy",
     .path = "coverage95",
     .scale = 100,
     .unit = "%"},
    {.what = "<code>mismatched</code>",
     .printed = "",
     .run = "office-mismatched",
     .path = "coverage95",
     .scale = 100,
     .unit = "%"},
    {.what = "<code>crowded</code>",
     .printed = "",
     .run = "office-crowded",
     .path = "coverage95",
     .scale = 100,
     .unit = "%"},
    {.what = "largest step of what is shown, <code>noisy</code>",
     .printed = "",
     .run = "office-noisy",
     .path = "max_shown_step_m",
     .decimals = 3,
     .unit = "m"},
};
constexpr PaperFigure kLink[] = {
    {.what = "lost, like the papers' network",
     .printed = "up to 30 %",
     .run = "link-paper",
     .path = "lost_fraction",
     .scale = 100,
     .unit = "%"},
    {.what = "lost, <code>severe</code>",
     .printed = "",
     .run = "link-severe",
     .path = "lost_fraction",
     .scale = 100,
     .unit = "%"},
    {.what = "forgeries tried", .printed = "", .run = "link-severe", .path = "forgeries_tried", .decimals = 0},
    {.what = "forgeries accepted", .printed = "", .run = "link-severe", .path = "forgeries_accepted", .decimals = 0},
    {.what = "99 % of stops within",
     .printed = "",
     .run = "link-severe",
     .path = "stop_latency_ms_p99",
     .decimals = 0,
     .unit = "ms"},
};
constexpr PaperFigure kSending[] = {
    {.what = "bytes for the same mean error, sent when it matters ÷ by the clock",
     .printed = "",
     .run = "sending",
     .path = "bytes_ratio_at_same_error",
     .decimals = 2},
};
constexpr PaperPicture kRough[] = {{"kenaf", "prediction"}};
constexpr Exhibit kExhibits[] = {
    {.id = "bey-2",
     .numbers = "BEY-2, BEY-4",
     .title = "How sure it says it is",
     .printed_as = "",
     .about = "Regions of 50 and 95 %, and how often the robot was inside.",
     .differs = "",
     .pictures = kSure,
     .figures = kSureFigures},
    {.id = "bey-7",
     .numbers = "PSS-9, BEY-7",
     .title = "The link",
     .printed_as = "",
     .about = "In virtual time, with somebody hostile on the line.",
     .differs = "",
     .pictures = {},
     .figures = kLink},
    {.id = "sending",
     .numbers = "PSS-9",
     .title = "Sending when it matters",
     .printed_as = "",
     .about = "A report is sent when the operator's prediction has become wrong.",
     .differs = "",
     .pictures = {},
     .figures = kSending},
    {.id = "rough",
     .numbers = "KEN",
     .title = "Prediction on rough ground",
     .printed_as = "",
     .about = "Physics ahead of the link, on the training course.",
     .differs = "",
     .pictures = kRough,
     .figures = {}},
};

}  // namespace

Paper beyond_the_papers() {
  return {.id = "beyond",
          .title = "Beyond the papers",
          .source = "",
          .about = "What none of them has, from the same runs.",
          .left_out = "",
          .exhibits = kExhibits};
}

}  // namespace forerun::papers
