// The robot as predicted now: reports in, one Prediction out. Native viewers, recordings, studies and the browser all
// ask this class, so the same reports at the same times give all of them the same answer, to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forerun/ahead/own_future.hpp"
#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/predict/way_ahead.hpp"
#include "forerun/respond/hand_prediction.hpp"

namespace forerun::predict {

struct LiveParams {
  PredictorParams predictor;
  double fresh_s = 0.4;    // up to this age a report still says where the robot is (PSS-9: later ones are late) [s]
  double horizon_s = 120;  // beyond this gap the prediction stands still, and says that it is stale [s]
};

template <class Visit>
void visit_fields(LiveParams& p, Visit&& visit) {
  visit("fresh_s", p.fresh_s, Field{0, 60, "up to this age a report still says where the robot is [s]"});
  visit("horizon_s", p.horizon_s,
        Field{1, 3600, "beyond this gap the prediction stands still, and says that it is stale [s]"});
}

enum class Status : std::uint8_t {
  none,       // no model or no report: nothing is known
  fresh,      // as just reported
  predicted,  // the report is older: this is the replica
  stale,      // beyond the horizon: where the replica was then
};
[[nodiscard]] const char* to_string(Status status) noexcept;

// Where the robot is at one time, and how sure that is.
struct Prediction {
  Status status = Status::none;
  RobotTime time;  // for which all of this holds: the one asked for, or the end of the horizon
  Duration gap;    // since the newest report
  robot::State state;
  robot::State extrapolated;  // had it simply gone on
  Region region50, region95;  // the robot is within with 50 and 95 %
  robot::TaskState task = robot::TaskState::idle;
  Vec2 target;                   // where it is heading
  std::size_t driver = 0;        // who is believed to drive it: which of the drivers …
  const char* driver_name = "";  // … and its name
  double speed_scale = 1;        // of its limits, as learned
  ExpertRow experts{};           // how much each of them is believed (predict/experiment.hpp); 1 together
};

// What a report was, and what became of it.
enum class Taken : std::uint8_t {
  newer,      // the prediction goes on from it
  known,      // the newest one once more: ignored
  restarted,  // from an earlier time, so of a robot side that was started again: what was learned is forgotten
  no_model,   // nothing to predict with yet: ignored
};

class LiveRobot {
 public:
  LiveRobot() = default;  // of which no model is known yet
  explicit LiveRobot(std::shared_ptr<const ReplicaModel> model, const LiveParams& params = {},
                     std::vector<Driver> drivers = known_drivers());
  // `model` must outlive it.
  explicit LiveRobot(const ReplicaModel& model, const LiveParams& params = {},
                     std::vector<Driver> drivers = known_drivers());

  // Takes a report in. The link passes on nothing old: a time before the newest report's is that of another clock.
  Taken take(const robot::Report& report);
  // The path of the mission of this number, for reports that name it; null: of none.
  void set_mission(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path);
  // A command of whoever watches: it counts from the time of its effect on, whether a report shows it or not (BEY-10).
  // With a learned response of the robot it is predicted by that while it is driven by hand. The first goal takes
  // memory of its own.
  void give(const ahead::OwnCommand& command);
  // What became of it: what was lost or refused counts no more.
  void settle(std::uint64_t number, ahead::Settled outcome) noexcept;
  // At this time of the robot's clock; one before the newest report, or before the last call, counts as that. Allocates
  // nothing.
  [[nodiscard]] Prediction at(RobotTime now) noexcept;
  // Where it goes from the time of the last prediction, each `step` later than the one before; the first place is where
  // it is predicted to be. Gives how many were filled in: all, or none where nothing is known.
  [[nodiscard]] std::size_t way_ahead(Duration step, std::span<Pose2> places);

  // Where it will be when the newest command lands, from the time of the last prediction on; nothing: none is under
  // way. The first one of a robot that is on its way takes memory of its own.
  [[nodiscard]] std::optional<ahead::Landing> landing();

  [[nodiscard]] const std::optional<robot::Report>& newest() const noexcept { return newest_; }
  // Where the world is not as its model says, as the robot has told; null: no model, or no report yet.
  [[nodiscard]] const sense::SeenWorld* seen() const noexcept { return predictor_ ? &predictor_->seen() : nullptr; }
  // The first way ahead takes memory of its own.
  [[nodiscard]] bool has_looked_ahead() const noexcept { return way_ahead_ != nullptr; }
  // So does the first goal of ours.
  [[nodiscard]] bool has_had_goal() const noexcept { return way_to_goal_ != nullptr; }

 private:
  void begin_own(RobotTime time) noexcept;
  void follow_own() noexcept;
  void follow_response() noexcept;
  void start_way_ahead();

  std::shared_ptr<const ReplicaModel> model_;
  LiveParams params_;
  std::vector<Driver> drivers_;
  std::unique_ptr<Predictor> predictor_;
  std::unique_ptr<WayAhead> way_ahead_;
  std::optional<robot::Report> newest_;
  std::uint64_t mission_ = 0;
  std::shared_ptr<const robot::TimedPath> mission_path_;
  std::unique_ptr<const respond::Model> response_;  // learned of it; null: nothing
  std::unique_ptr<respond::HandPrediction> hand_;
  std::unique_ptr<ahead::OwnFuture> own_;
  std::unique_ptr<WayToGoal> way_to_goal_;  // from the first goal of ours on
  Prediction last_;
};

// With a model of its own; an error where no replica can be made of this world and this robot.
[[nodiscard]] Result<LiveRobot> make_live_robot(const world::World& world, const robot::Description& robot,
                                                const LiveParams& params = {});

}  // namespace forerun::predict
