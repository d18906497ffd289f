// What the page is told: the messages between program and page, and what a browser that comes later must know first.
// May be used from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/net/web_server.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::net {

enum class PageMode : std::uint8_t { demo, operate, watch };

struct RobotCard {
  std::string name;         // of the robot; where it is not known yet, of the place that is asked
  std::string world;        // empty while it is not known
  std::uint64_t model = 0;  // likewise zero
  bool operator==(const RobotCard&) const = default;
};

struct PageWarning {
  const char* kind = "";  // "late", "stale", "down"
  std::string text;
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
};

struct PageOutcome {
  std::uint32_t number = 0;  // counts the commands of this page
  robot::CommandKind kind = robot::CommandKind::stop;
  const char* state = "sent";  // "confirmed", "refused", "failed"
  std::string text;
};

struct DemoSettings {
  double loss = 0.3;      // share, each way
  double delay_s = 0.09;  // each way [s]
  double interval_s = 3;  // between two reports [s]
  bool blackout = false;  // nothing passes
  std::string reality = "noisy";
  bool operator==(const DemoSettings&) const = default;
};

// What the page asks for.
struct PageWish {
  std::uint32_t robot = 1;
  std::optional<robot::Command> command;
  std::optional<DemoSettings> demo;  // what the message leaves out is as it was
};
// One sentence where it is none.
[[nodiscard]] Result<PageWish> parse_page_wish(std::string_view text, const DemoSettings& now);

class PageHub {
 public:
  // Robots are numbered from 1. `web` must outlive the hub.
  PageHub(WebServer& web, PageMode mode, std::string version, std::size_t n_robots);

  void set_mode(PageMode mode);
  // The page is told anew when something has changed.
  void set_robot(std::uint32_t robot, const RobotCard& card);
  void set_demo(const DemoSettings& settings);
  // The model that reports name, for whoever asks.
  void put_model(std::uint64_t model, Bytes bytes);

  // `robot_now`: what the robot's clock says at this moment.
  void report(std::uint32_t robot, const robot::Report& report, RobotTime robot_now);
  void time(std::uint32_t robot, RobotTime robot_now);
  void truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose);
  void link(std::uint32_t robot, const PageLink& link);
  void outcome(std::uint32_t robot, const PageOutcome& outcome);

  // Says to one browser why its message was not understood.
  void refuse(BrowserId browser, const std::string& text);
  // Tells a browser that has joined all that it must know.
  void welcome(BrowserId browser);

 private:
  struct Robot {
    RobotCard card;
    std::string report_body;        // of the newest one; empty before it came
    std::int64_t clock_offset = 0;  // robot's clock − ours [ns], when it came
    WebMessage link;
  };
  [[nodiscard]] WebMessage hello() const;
  [[nodiscard]] Robot* find(std::uint32_t robot);

  WebServer& web_;
  std::mutex mutex_;
  PageMode mode_;
  std::string version_;
  std::vector<Robot> robots_;
  WebMessage demo_;
};

}  // namespace forerun::net
