// The ways to say where a robot is that a study scores against each other, as a list.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/robot/timed_path.hpp"

namespace forerun::study {

// Where a method says that the robot is.
struct Answer {
  struct Regions {
    predict::Region with50, with95;  // the robot is within with 50 and 95 %
  };
  Vec2 position;
  std::optional<Regions> regions;  // none: the method does not say how sure it is
  predict::ExpertRow experts{};    // whose word it goes by, and how much; all 0: it has none
};

// A method at work on one drive.
class MethodRun {
 public:
  MethodRun() = default;
  MethodRun(const MethodRun&) = delete;
  MethodRun& operator=(const MethodRun&) = delete;
  virtual ~MethodRun() = default;

  // The mission of this number has this path; null: there is none. Methods that make nothing of it do not mind.
  virtual void know(std::uint64_t mission, std::shared_ptr<const robot::TimedPath> path) {
    static_cast<void>(mission);
    static_cast<void>(path);
  }
  // Reports come in the order of their times.
  virtual void take(const robot::Report& report) = 0;
  // At a time that is not before the newest report, nor before the last one asked for since it.
  [[nodiscard]] virtual Answer at(RobotTime time) = 0;
};

struct Method {
  const char* name = "";             // one word; names of its figures begin with it
  bool has_regions = false;          // whether its answers do
  std::vector<const char*> experts;  // whose word its answers go by, in the order of their weights
  // `model` outlives the run
  std::function<std::unique_ptr<MethodRun>(const predict::ReplicaModel& model)> start;
};

// The first two of every list: what all others are measured by, and what Forerun does.
inline constexpr std::size_t kExtrapolation = 0;
inline constexpr std::size_t kPrediction = 1;
[[nodiscard]] std::vector<Method> known_methods();

}  // namespace forerun::study
