// Whom all is told that an operator may see and do: the page, a recording, or both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/image/wire.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/eye.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/web/demo_settings.hpp"

namespace forerun::web {

struct RobotCard {
  std::string name;                  // of the robot; where it is not known yet, of the place that is asked
  std::string world;                 // empty while it is not known
  std::uint64_t model = 0;           // zero while it is not known
  std::vector<std::string> cameras;  // whose images can be asked for, in the order of robot::cameras
  bool operator==(const RobotCard&) const = default;
};

// What the robot said, and the bytes of a sync frame that it came in: who passes a report on passes on these.
struct PageReport {
  const robot::Report& said;
  Bytes body;
};

// An image of one of the robot's cameras, as JPEG, and how the camera is mounted.
struct PageImage {
  const image::Info& info;
  Bytes jpeg;
  robot::Eye eye;
};

struct PageWarning {
  const char* kind = "";  // "late", "stale", "down"
  std::string text;
};

// What has become of a mission that the page brought.
struct PageUpload {
  std::uint64_t mission = 0;        // its number
  const char* state = "under_way";  // "taken", "refused"
  double share = 0;                 // that the robot has asked for, 0 … 1
  std::string why;                  // where it is refused: one sentence
};

// What is not known is left empty.
struct PageLink {
  std::optional<double> age;           // of the newest report [s]
  double loss = 0;                     // share
  std::optional<double> round_trip;    // [s]
  std::optional<double> clock_offset;  // robot's clock − ours [s]
  std::optional<double> clock_sigma;   // [s]
  std::string state;                   // of the session, as sync::LinkState says it
  bool may_operate = false;
  std::vector<PageWarning> warnings;
  std::optional<PageUpload> upload;  // the newest
};

struct PageOutcome {
  std::uint32_t number = 0;  // counts the commands of this page
  robot::CommandKind kind = robot::CommandKind::stop;
  const char* state = "sent";  // "confirmed", "refused", "failed"
  std::string text;
};

// Robots are numbered from 1. `truth` may come from another thread than the rest.
class PageSink {
 public:
  virtual ~PageSink() = default;

  virtual void set_robot(std::uint32_t robot, const RobotCard& card) = 0;
  virtual void set_demo(const DemoSettings& settings) = 0;
  // The model that reports name.
  virtual void put_model(std::uint64_t model, Bytes bytes) = 0;
  // The mission that a robot's reports name, signed, as the robot has it.
  virtual void put_mission(std::uint32_t robot, std::uint64_t mission, Bytes bytes) = 0;

  // `robot_now`: what the robot's clock says at this moment.
  virtual void report(std::uint32_t robot, const PageReport& report, RobotTime robot_now) = 0;
  virtual void time(std::uint32_t robot, RobotTime robot_now) = 0;
  virtual void truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) = 0;
  virtual void link(std::uint32_t robot, const PageLink& link) = 0;
  // The newest image; who has no use for images leaves them.
  virtual void image(std::uint32_t, const PageImage&, RobotTime) {}
  // What was given under this number, and what became of it.
  virtual void command(std::uint32_t robot, std::uint32_t number, const robot::Command& command) = 0;
  virtual void outcome(std::uint32_t robot, const PageOutcome& outcome) = 0;
};

}  // namespace forerun::web
