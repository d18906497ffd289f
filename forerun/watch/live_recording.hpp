// Records what the page is told, on its way there, and beside it what the native predictor says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "forerun/predict/live_robot.hpp"
#include "forerun/record/recording.hpp"
#include "forerun/web/page_sink.hpp"

namespace forerun::watch {

// Of any number of robots. `truth` may come from another thread than the rest; who has a thread for each robot takes
// one for each of them, with the same recording.
class LiveRecording final : public web::PageSink {
 public:
  // `next` hears all of it too; may be null. Both must outlive it.
  LiveRecording(record::Recording& recording, web::PageSink* next) : recording_(recording), next_(next) {}

  // Adds a prediction when it is time for one; call it again and again.
  void look();

  void set_robot(std::uint32_t robot, const web::RobotCard& card) override;
  void set_demo(const web::DemoSettings& settings) override;
  void put_model(std::uint64_t model, Bytes bytes) override;
  void put_mission(std::uint32_t robot, std::uint64_t mission, Bytes bytes) override;
  void report(std::uint32_t robot, const web::PageReport& report, RobotTime robot_now) override;
  void time(std::uint32_t robot, RobotTime robot_now) override;
  void truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) override;
  void link(std::uint32_t robot, const web::PageLink& link) override;
  // Not recorded, only passed on.
  void image(std::uint32_t robot, const web::PageImage& image, RobotTime robot_now) override;
  void command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) override;
  void outcome(std::uint32_t robot, const web::PageOutcome& outcome) override;

 private:
  struct Robot {
    predict::LiveRobot live;
    std::optional<robot::Report> newest;  // a model that comes after it begins with it
    std::uint64_t model = 0;              // that is recorded
    std::uint64_t mission = 0;            // whose path is known; 0: none
    std::shared_ptr<const robot::TimedPath> mission_path;
    std::optional<std::int64_t> clock_offset;  // robot's clock − ours [ns]
    double round_trip_s = 0, clock_sigma_s = 0, loss = 0;
    std::uint32_t newest_command = 0;
    std::int64_t newest_given = 0;  // our clock [ns]
  };
  void record_model(std::uint32_t robot, const web::RobotCard& card);

  record::Recording& recording_;
  web::PageSink* next_;
  std::map<std::uint32_t, Robot> robots_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> models_;  // bundles that robots are of, or soon will be
  std::int64_t next_prediction_ = 0;                           // our clock [ns]
};

}  // namespace forerun::watch
