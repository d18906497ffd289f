// Between one robot's viewer and the page: reports, clock and link go to the page, commands to the robot, and what
// became of them back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "forerun/net/complaint.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/watch/hand_driving.hpp"
#include "forerun/watch/mission_fetch.hpp"
#include "forerun/watch/model_fetch.hpp"
#include "forerun/web/page_sink.hpp"
#include "forerun/web/web_server.hpp"

namespace forerun::watch {

// Why the viewer did not pass it on: one sentence.
[[nodiscard]] const char* why_not_given(net::Viewer& viewer, const robot::Command& command);

class PageFeed {
 public:
  // `place` names the robot until it has a name. All must outlive the feed.
  PageFeed(net::Viewer& viewer, web::PageSink& hub, std::uint32_t robot, std::string place,
           net::OnComplaint on_complaint = net::print_complaint);

  // Passes on what is new; call it after every poll of the viewer.
  void look();
  // From one of the page's browsers. Velocities of who must let go first are left out.
  void give(const robot::Command& command, web::BrowserId browser);
  // Brings a mission to the robot, as `mission::to_bytes` writes it; an error where it is none.
  Result<void> bring(Bytes mission);
  // A command that was given to the viewer elsewhere, under this number: what becomes of it is told all the same.
  void follow(const robot::Command& command, std::optional<std::uint64_t> number);
  // Browsers can say that they want images: the page is told which cameras there are.
  void offer_images() { offers_images_ = true; }
  // Of which of the robot's cameras this browser wants images: they travel while one does.
  void look_through(web::BrowserId browser, image::Cameras wanted);
  // A browser is gone; the robot does not drive on without it.
  void leave(web::BrowserId browser);
  [[nodiscard]] const ModelFetch& model() const noexcept { return model_; }
  [[nodiscard]] const MissionFetch& mission() const noexcept { return mission_; }
  [[nodiscard]] sync::Role role() { return viewer_.client().role(); }

 private:
  // A command whose outcome the page does not know yet.
  struct Followed {
    std::uint64_t number = 0;       // by the link's count
    std::uint32_t page_number = 0;  // by the page's count
  };

  void start(robot::Command command);
  void drive(const robot::Command& command, web::BrowserId browser);
  void end_hand_driving();
  void take_model();
  void pass_report(OperatorTime now);
  void pass_link(OperatorTime now);
  void pass_images(OperatorTime now);
  [[nodiscard]] std::optional<web::PageUpload> upload() const;
  void follow_commands();
  // True when the page knows now all that it will.
  bool tell_outcome(const sync::CommandRecord& record, std::uint32_t page_number);
  void tell(std::uint32_t number, robot::CommandKind kind, const char* state, std::string text);
  [[nodiscard]] RobotTime robot_now(OperatorTime now);

  net::Viewer& viewer_;
  web::PageSink& hub_;
  std::uint32_t robot_;
  web::RobotCard card_;
  net::OnComplaint on_complaint_;
  ModelFetch model_;
  MissionFetch mission_;
  std::optional<std::uint64_t> brought_;  // the newest mission that the page brought
  std::optional<robot::Report> passed_;
  bool offers_images_ = false;
  struct Looker {
    web::BrowserId browser = 0;
    image::Cameras cameras = image::kNoCamera;
  };
  std::vector<Looker> lookers_;  // who want images
  struct PassedOn {
    robot::Eye eye;
    RobotTime taken;  // of the image that was passed on last
  };
  std::vector<PassedOn> cameras_;  // of the robot, once its description is known
  OperatorTime next_link_;
  OperatorTime next_time_;
  std::uint32_t n_commands_ = 0;
  std::vector<Followed> followed_;
  HandDriving hands_;
  web::BrowserId driver_ = 0;           // who drove last
  std::optional<OperatorTime> driven_;  // when the newest velocities came from the page
};

}  // namespace forerun::watch
