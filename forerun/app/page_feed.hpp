// Between one robot's viewer and the page: reports, clock and link go to the page, commands to the robot, and what
// became of them back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/net/page_sink.hpp"
#include "forerun/net/viewer.hpp"

namespace forerun::app {

class PageFeed {
 public:
  // `place` names the robot until it has a name. All must outlive the feed.
  PageFeed(net::Viewer& viewer, net::PageSink& hub, std::uint32_t robot, std::string place);

  // Passes on what is new; call it after every poll of the viewer.
  void look();
  void give(const robot::Command& command);
  // A command that was given to the viewer elsewhere, under this number: what becomes of it is told all the same.
  void follow(const robot::Command& command, std::optional<std::uint64_t> number);
  // Whoever drove by hand is gone.
  void end_hand_driving();
  [[nodiscard]] sync::Role role() { return viewer_.client().role(); }

 private:
  // A command of which the page has not heard the last.
  struct Followed {
    std::uint64_t number = 0;       // by the link's count
    std::uint32_t page_number = 0;  // by the page's count
  };

  void look_at_model();
  void take_model(std::uint64_t wanted);
  void pass_report(OperatorTime now);
  void pass_link(OperatorTime now);
  void follow_commands();
  // True when the page knows now all that it will.
  bool tell_outcome(const sync::CommandRecord& record, std::uint32_t page_number);
  void tell(std::uint32_t number, robot::CommandKind kind, const char* state, std::string text);
  [[nodiscard]] RobotTime robot_now(OperatorTime now);
  [[nodiscard]] std::vector<net::PageWarning> warnings(OperatorTime now, std::optional<double> age);

  net::Viewer& viewer_;
  net::PageSink& hub_;
  std::uint32_t robot_;
  net::RobotCard card_;
  std::uint64_t model_ = 0;  // that was looked into
  std::optional<robot::Report> passed_;
  OperatorTime next_link_;
  OperatorTime next_time_;
  std::uint32_t n_commands_ = 0;
  std::vector<Followed> followed_;
  std::optional<OperatorTime> driven_;  // when the newest velocities came from the page
  OperatorTime next_drive_complaint_;
};

}  // namespace forerun::app
