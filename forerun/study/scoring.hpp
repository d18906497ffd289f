// How far predictions are from the truth (PSS-14 d and e): every message is scored at every gap, as if all later ones
// were lost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "forerun/learn/drive.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/study/method.hpp"

namespace forerun::study {

inline constexpr double kGapStep = 0.25;       // [s]
inline constexpr std::size_t kUsualGaps = 72;  // up to 18 s
inline constexpr std::size_t kMostGaps = 240;  // up to a minute, for missions
inline constexpr double kDistanceStep = 0.25;  // [m]
inline constexpr std::size_t kDistances = 24;  // up to 6 m
inline constexpr std::size_t kFewest = 30;     // samples of a bin that counts

// What is compared: positions, or the motion since the message. In the second the reported pose's own error at the
// message is taken out, of each method from where it started.
enum class Measure : std::uint8_t { absolute, relative };
inline constexpr std::size_t kMeasures = 2;

// One message at one gap, as one method has it. Small, because a study has millions of them.
struct Sample {
  std::array<float, kMeasures> error{};      // [m]
  std::array<float, kMeasures> outside95{};  // from the truth to the region of 95 % [m]; 0: it is inside
  float radius95 = 0;                        // of the stated region [m]; 0: none is stated
  std::uint32_t message = 0;                 // which of the drive's messages
  std::uint8_t method = 0;                   // which of the methods
  std::uint8_t gap = 0;                      // (gap + 1) · kGapStep
  std::uint8_t distance = 0;                 // whole kDistanceSteps travelled since the message; kDistances: too many
  std::uint8_t in50 : 4 = 0;  // the truth lies in the region that holds it with this probability: a bit a measure
  std::uint8_t in95 : 4 = 0;
  bool operator==(const Sample&) const noexcept = default;
};
static_assert(sizeof(Sample) == 28);

// Whose word prediction goes by, summed up by gap.
struct ExpertTally {
  struct AtGap {
    predict::ExpertRow weights{};
    double n = 0;
  };
  std::array<AtGap, kMostGaps> gaps{};

  void add(std::size_t gap, const predict::ExpertRow& weights) noexcept;
  void add(const ExpertTally& other) noexcept;
};

// What is scored beside the samples, and up to which gap.
struct ScoreExtent {
  ExpertTally* tally = nullptr;
  std::size_t n_gaps = kUsualGaps;  // at most kMostGaps
};

// Every message at every gap within the drive, by every method. The methods are given the messages up to the one
// scored, and nothing else; `messages` are those of the drive's reports that arrive.
[[nodiscard]] std::vector<Sample> score(const learn::Drive& drive, std::span<const robot::Report> messages,
                                        const predict::ReplicaModel& model, std::span<const Method> methods,
                                        const ScoreExtent& params = {});

// Errors of one method.
struct MethodErrors {
  double mean = 0;  // [m]
  std::array<double, 2> ci95{};
  double median = 0;
  double p95 = 0;         // what the radius of a perfect round region would be [m]
  double coverage50 = 0;  // share of samples whose truth lies in the region
  double coverage95 = 0;
  double radius95 = 0;  // mean [m]
  double score95 = 0;   // mean of 0.05 · radius + distance to the region [m]: least for regions that are honest
};

// All samples with one gap, or one distance travelled since the message.
struct ErrorBin {
  double at = 0;      // gap [s], or the least distance [m]: distances up to one step more are in the bin
  std::size_t n = 0;  // of each method
  std::vector<MethodErrors> by_method;
  std::vector<double> experts;  // mean weight of each that prediction goes by; empty: not told

  [[nodiscard]] const MethodErrors& extrapolation() const { return by_method[kExtrapolation]; }
  [[nodiscard]] const MethodErrors& prediction() const { return by_method[kPrediction]; }
};

// One method over all bins.
struct MethodScores {
  std::string name;
  bool has_regions = false;
  // from here on it is better than extrapolation beyond both intervals; none: nowhere
  std::optional<double> significant_from_gap_s;
  std::optional<double> significant_from_distance_m;
  double coverage50 = 0;  // of all samples
  double coverage95 = 0;
  double score95 = 0;  // [m]
};

struct Scores {
  std::vector<MethodScores> methods;
  std::vector<std::string> experts;     // that prediction goes by
  std::vector<ErrorBin> gap_bins;       // of at least kFewest samples
  std::vector<ErrorBin> distance_bins;  // likewise

  [[nodiscard]] const MethodScores& prediction() const { return methods[kPrediction]; }
};

// Samples that hang together, such as those of one run: the bootstrap draws whole blocks.
using Block = std::vector<Sample>;
[[nodiscard]] Scores summarize(std::span<const Block> blocks, Measure measure, std::span<const Method> methods,
                               const ExpertTally* tally = nullptr);

// None where no bin has that gap.
[[nodiscard]] const ErrorBin* bin_at(const Scores& scores, double gap_s) noexcept;
// Prediction error ÷ extrapolation error at a gap; none where there is no such bin.
[[nodiscard]] std::optional<double> ratio_at(const Scores& scores, double gap_s) noexcept;

}  // namespace forerun::study
