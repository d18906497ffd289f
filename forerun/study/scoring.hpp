// How far predictions are from the truth (PSS-14 d and e): every message is scored at every gap, as if all later ones
// were lost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/learn/drive.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::study {

inline constexpr double kGapStep = 0.25;       // [s]
inline constexpr std::size_t kGaps = 72;       // up to 18 s
inline constexpr double kDistanceStep = 0.25;  // [m]
inline constexpr std::size_t kDistances = 24;  // up to 6 m
inline constexpr std::size_t kFewest = 30;     // samples of a bin that counts

// What is compared: positions, or the motion since the message. In the second the reported pose's own error at the
// message is taken out, of each method from where it started.
enum class Measure : std::uint8_t { absolute, relative };
inline constexpr std::size_t kMeasures = 2;

// One message at one gap. Small, because a study has millions of them.
struct Sample {
  struct Outcome {
    float extrapolation = 0;  // error [m]
    float prediction = 0;     // error [m]
    bool in50 = false;        // the truth lies in the region that holds it with this probability
    bool in95 = false;
    bool operator==(const Outcome&) const noexcept = default;
  };
  std::array<Outcome, kMeasures> by;  // Measure
  float radius95 = 0;                 // of the region [m]
  std::uint32_t message = 0;          // which of the drive's messages
  std::uint8_t gap = 0;               // (gap + 1) · kGapStep
  std::uint8_t distance = 0;          // whole kDistanceSteps travelled since the message; kDistances: more than count
  bool operator==(const Sample&) const noexcept = default;
};

// Every message at every gap within the drive. The predictor is given the messages up to the one scored, and nothing
// else; `messages` are those of the drive's reports that arrive.
[[nodiscard]] std::vector<Sample> score(const learn::Drive& drive, std::span<const robot::Report> messages,
                                        const predict::ReplicaModel& model);

// Errors of all samples with one gap, or one distance travelled since the message.
struct ErrorBin {
  double at = 0;  // gap [s], or the least distance [m]: distances up to one step more are in the bin
  std::size_t n = 0;
  double extrapolation = 0;  // mean [m]
  std::array<double, 2> extrapolation_ci95{};
  double extrapolation_median = 0;
  double prediction = 0;  // mean [m]
  std::array<double, 2> prediction_ci95{};
  double prediction_median = 0;
  double prediction_p95 = 0;  // what the radius of a perfect round region would be [m]
  double coverage50 = 0;      // share of samples whose truth lies in the region
  double coverage95 = 0;
  double radius95 = 0;  // mean [m]
};

struct Scores {
  std::vector<ErrorBin> gap_bins;       // of at least kFewest samples
  std::vector<ErrorBin> distance_bins;  // likewise
  // from here on prediction is better beyond both intervals; none: nowhere
  std::optional<double> significant_from_gap_s;
  std::optional<double> significant_from_distance_m;
  double coverage50 = 0;  // of all samples
  double coverage95 = 0;
};

// Samples that hang together, such as those of one run: the bootstrap draws whole blocks.
using Block = std::vector<Sample>;
[[nodiscard]] Scores summarize(std::span<const Block> blocks, Measure measure);

// None where no bin has that gap.
[[nodiscard]] const ErrorBin* bin_at(const Scores& scores, double gap_s) noexcept;
// Prediction error ÷ extrapolation error at a gap; none where there is no such bin.
[[nodiscard]] std::optional<double> ratio_at(const Scores& scores, double gap_s) noexcept;

}  // namespace forerun::study
