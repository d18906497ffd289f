#include "forerun/study/method.hpp"

#include <utility>

#include "forerun/predict/experiment.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/robot/extrapolation.hpp"

namespace forerun::study {
namespace {

// The robot goes on as it did when it reported.
class Extrapolation final : public MethodRun {
 public:
  void take(const robot::Report& report) override { newest_ = report; }
  [[nodiscard]] Answer at(RobotTime time) override {
    return {robot::extrapolate(newest_, time - newest_.time).pose.position(), std::nullopt, {}};
  }

 private:
  robot::Report newest_;
};

class LivePrediction final : public MethodRun {
 public:
  explicit LivePrediction(const predict::ReplicaModel& model) : live_(model) {}

  void know(std::uint64_t mission, std::shared_ptr<const robot::TimedPath> path) override {
    live_.set_mission(mission, std::move(path));
  }
  void take(const robot::Report& report) override { live_.take(report); }
  [[nodiscard]] Answer at(RobotTime time) override {
    const predict::Prediction now = live_.at(time);
    return {now.state.pose.position(), Answer::Regions{now.region50, now.region95}, now.experts};
  }

 private:
  predict::LiveRobot live_;
};

}  // namespace

std::vector<Method> known_methods() {
  return {
      {"extrapolation", false, {}, [](const auto&) { return std::make_unique<Extrapolation>(); }},
      {"prediction", true, predict::expert_names(predict::known_drivers()),
       [](const auto& model) { return std::make_unique<LivePrediction>(model); }},
  };
}

}  // namespace forerun::study
