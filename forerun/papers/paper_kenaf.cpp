// Paper 3: a tracked robot in an online simulation (KEN).
#include "forerun/papers/paper_exhibits.hpp"

namespace forerun::papers {
namespace {

// What the real robot did; 1: it passed.
constexpr PaperFigure trial(const char* what, const char* printed, const char* path, bool passed) {
  const double expected = passed ? 1 : 0;
  return {.what = what,
          .printed = printed,
          .run = "kenaf-test",
          .path = path,
          .decimals = 0,
          .unit = "✓",
          .judgement = Judgement::alike,
          .low = expected,
          .high = expected};
}

constexpr PaperFigure kTable[] = {
    {.what = "trials that end as with the real robot",
     .printed = "11 of 12",
     .run = "kenaf-test",
     .path = "agreement",
     .decimals = 0,
     .unit = "of 12",
     .judgement = Judgement::no_worse,
     .low = 11,
     .in_summary = true},
    trial("step of 50 mm, flippers unused", "✓", "tests/kind=step,size_mm=50/passed", true),
    trial("100 mm", "✓", "tests/kind=step,size_mm=100/passed", true),
    trial("150 mm", "✗", "tests/kind=step,size_mm=150/passed", false),
    trial("step of 100 mm, flippers used", "✓", "tests/kind=step_flippers,size_mm=100/passed", true),
    trial("200 mm", "✓", "tests/kind=step_flippers,size_mm=200/passed", true),
    trial("300 mm", "✓", "tests/kind=step_flippers,size_mm=300/passed", true),
    trial("350 mm", "✗", "tests/kind=step_flippers,size_mm=350/passed", false),
    trial("trench of 100 mm", "✓", "tests/kind=trench,size_mm=100/passed", true),
    trial("200 mm", "✓", "tests/kind=trench,size_mm=200/passed", true),
    trial("300 mm", "✓", "tests/kind=trench,size_mm=300/passed", true),
    trial("350 mm", "✗ (simulated ✓)", "tests/kind=trench,size_mm=350/passed", false),
    trial("400 mm", "✗", "tests/kind=trench,size_mm=400/passed", false),
};

constexpr PaperPicture kClimb[] = {{"kenaf", "climb"}};

constexpr PaperPicture kTrajectories[] = {{"kenaf", "trajectories-200"}};
constexpr PaperFigure kFrames[] = {
    {.what = "largest error of a frame, position",
     .printed = "83.8 mm in x, 38.4 mm in z",
     .run = "kenaf",
     .path = "runs/kind=step_flippers,size_mm=200/norm_error_max_mm",
     .unit = "mm"},
    {.what = "largest error of a frame, pitch",
     .printed = "11°",
     .run = "kenaf",
     .path = "runs/kind=step_flippers,size_mm=200/pitch_error_max_deg",
     .unit = "°"},
};

constexpr PaperPicture kErrors[] = {{"kenaf", "errors"}};
constexpr PaperFigure kMeans[] = {
    {.what = "largest mean error of a passed test, position",
     .printed = "132.2 mm",
     .run = "kenaf",
     .path = "runs/*/norm_error_mean_mm",
     .unit = "mm",
     .in_summary = true,
     .note = "another pair of robots"},
    {.what = "the same, pitch",
     .printed = "11.4°",
     .run = "kenaf",
     .path = "runs/*/pitch_error_mean_deg",
     .unit = "°",
     .in_summary = true,
     .note = "another pair of robots"},
};

constexpr PaperPicture kSquare[] = {{"kenaf", "square"}};
constexpr PaperFigure kSquareFigures[] = {
    {.what = "where it ends, from its start",
     .printed = "a picture",
     .run = "kenaf",
     .path = "square_closure_mm",
     .unit = "mm"},
    {.what = "turned by",
     .printed = "a picture",
     .run = "kenaf",
     .path = "square_heading_deg",
     .decimals = 2,
     .unit = "°"},
    {.what = "what the intermediate process adds to 99 % of the messages, at most",
     .printed = "",
     .run = "kenaf",
     .path = "bridge_delay_ms_p99",
     .decimals = 2,
     .unit = "ms"},
    {.what = "pictures of the camera meanwhile",
     .printed = "a picture",
     .run = "kenaf",
     .path = "camera_fps",
     .decimals = 0,
     .unit = "a second"},
};

constexpr Exhibit kExhibits[] = {
    {.id = "ken-5",
     .numbers = "KEN-5",
     .title = "Steps climbed, trenches crossed",
     .printed_as = "table I",
     .about = "What the real robot did, beside ours in physics. The paper's simulator agreed with it in all but the "
              "trench of 350 mm, which it crossed.",
     .differs = "Flippers that are not used point straight up; how those of the real robot stood is not printed. "
                "Masses, sizes and friction along the belts are the published ones, the rest is in "
                "<code>docs/kenaf.md</code>.",
     .pictures = {},
     .figures = kTable},
    {.id = "ken-5-climb",
     .numbers = "KEN-5",
     .title = "A climb of 200 mm",
     .printed_as = "figure 8",
     .about = "With flippers, by the programme that serves all heights.",
     .differs = "",
     .pictures = kClimb,
     .figures = {}},
    {.id = "ken-6-frames",
     .numbers = "KEN-6",
     .title = "Two trajectories, before and after matching",
     .printed_as = "figures 9 to 15",
     .about = "The climb of 200 mm by two robots, laid over each other by dynamic programming over √(x² + z²).",
     .differs = "The paper compares its simulator with the real robot. No recordings of that are published, so ours "
                "compares the simulated robot with one that is 5 % heavier, has 8 % less friction and is 5 % slower: "
                "the method is the paper's, the pair is not, and the figures say nothing of the real robot.",
     .pictures = kTrajectories,
     .figures = kFrames},
    {.id = "ken-6",
     .numbers = "KEN-6",
     .title = "How far apart, in all tests",
     .printed_as = "figure 16",
     .about = "Mean errors after matching, for every test that the real robot passed.",
     .differs = "The same pair as above, so no comparison of simulators.",
     .pictures = kErrors,
     .figures = kMeans},
    {.id = "ken-7",
     .numbers = "KEN-7",
     .title = "The square",
     .printed_as = "figures 17 to 19",
     .about = "Four times 100 mm ahead and a quarter turn, by the paper's own program, through the robot's library and "
              "the intermediate process.",
     .differs = "The paper shows both robots' squares without numbers. The cameras are on the page of <code>forerun "
                "serve scenarios/kenaf-course.yaml</code>.",
     .pictures = kSquare,
     .figures = kSquareFigures},
};

}  // namespace

Paper paper_kenaf() {
  return {.id = "paper-3",
          .title = "Paper 3: a tracked robot on rough terrain",
          .source =
              "K. Kurose, S. Saga, S. Okamoto, K. Ohno, S. Tadokoro: Designing of online simulation environment for "
              "development control algorithms for robots operating in rough terrains.",
          .about = "The robot's own programs drive a simulated one, in physics and in real time.",
          .left_out =
              "Not here: figures 1 to 7, photographs and drawings of the robot, its software, a step and a "
              "trench.",
          .exhibits = kExhibits};
}

}  // namespace forerun::papers
