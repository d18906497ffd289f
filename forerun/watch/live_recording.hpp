// Records what the page is told, on its way there, and beside it what the native predictor says.
#pragma once

#include <optional>

#include "forerun/predict/live_robot.hpp"
#include "forerun/record/recording.hpp"
#include "forerun/web/page_sink.hpp"

namespace forerun::watch {

// Of one robot. `truth` may come from another thread than the rest.
class LiveRecording final : public web::PageSink {
 public:
  // `next` hears all of it too; may be null. Both must outlive it.
  LiveRecording(record::Recording& recording, web::PageSink* next) : recording_(recording), next_(next) {}

  // Adds a prediction when it is time for one; call it again and again.
  void look();

  void set_robot(std::uint32_t robot, const web::RobotCard& card) override;
  void set_demo(const web::DemoSettings& settings) override;
  void put_model(std::uint64_t model, Bytes bytes) override;
  void report(std::uint32_t robot, const web::PageReport& report, RobotTime robot_now) override;
  void time(std::uint32_t robot, RobotTime robot_now) override;
  void truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) override;
  void link(std::uint32_t robot, const web::PageLink& link) override;
  void command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) override;
  void outcome(std::uint32_t robot, const web::PageOutcome& outcome) override;

 private:
  void note_clock(RobotTime robot_now);

  record::Recording& recording_;
  web::PageSink* next_;
  predict::LiveRobot live_;
  std::optional<std::int64_t> clock_offset_;  // robot's clock − ours [ns]
  std::int64_t next_prediction_ = 0;          // our clock [ns]
};

}  // namespace forerun::watch
