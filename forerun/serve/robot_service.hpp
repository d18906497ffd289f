// A robot on the link: looks at it, sends what is worth sending, and lets commands through to it.
//
//   auto robot = serve::make_simulated_robot(…);            // or any other ServedRobot
//   auto service = serve::RobotService::open(setup, setting, **robot);
//   while (running) (*service)->turn(0.1);
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/net/complaint.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/robot/planned_path.hpp"
#include "forerun/robot/wheel_pair.hpp"
#include "forerun/serve/allowed_file.hpp"
#include "forerun/serve/obedience.hpp"
#include "forerun/serve/send_when_off.hpp"
#include "forerun/serve/served_robot.hpp"

namespace forerun::serve {

class RobotService {
 public:
  struct Setup {
    net::RobotServer::Setup link;
    std::string key_folder;                       // its list of allowed keys is kept up with; empty: `link` has all
    std::uint32_t robot = 0;                      // its number; 0: from its public key
    Duration look_interval = from_seconds(0.1);   // between two looks at the robot
    std::optional<predict::SendRuleParams> when;  // which of them are sent; none: all
    double images_per_s = 2;                      // of all its cameras together, while somebody looks; 0: none
    net::OnComplaint on_complaint = net::print_complaint;  // hears at most one sentence a second about states
  };

  // Listens at once. `setting` has the world and the robot that viewers fetch. `robot` must outlive the service; one
  // thread uses both.
  [[nodiscard]] static Result<std::unique_ptr<RobotService>> open(const Setup& setup, const sim::Setting& setting,
                                                                  ServedRobot& robot);

  // Sends the robot's state where it is due, then deals with what comes in until the next is due, at most for
  // `longest_s`, or until the robot has something to say.
  void turn(double longest_s);
  // From now on it looks at the robot so often.
  void set_look_interval(Duration interval) noexcept { look_interval_ = interval; }

  [[nodiscard]] net::RobotServer& server() noexcept { return server_; }
  [[nodiscard]] const net::RobotServer& server() const noexcept { return server_; }
  [[nodiscard]] const ServedRobot& robot() const noexcept { return robot_; }
  // What was found so far of how the robot answers its commands.
  [[nodiscard]] const robot::FoundResponse& response() const noexcept { return response_; }
  [[nodiscard]] std::uint32_t n_reports() const noexcept { return stamp_.sequence; }

 private:
  RobotService(net::RobotServer server, ServedRobot& robot, Duration look_interval);
  void keep_up_with_allowed(RobotTime now);
  void publish(bool obeyed);
  void send_image();
  bool send_image(std::uint8_t camera, RobotTime now);
  void offer_mission();

  net::RobotServer server_;
  ServedRobot& robot_;
  std::optional<AllowedFile> allowed_;
  robot::Report stamp_;  // what the robot itself does not know
  Duration look_interval_;
  std::unique_ptr<SendWhenOff> when_;
  Obedience obedience_;
  robot::PlanRepeats plans_;
  robot::FindingRepeats findings_;
  robot::FoundResponse response_;
  double images_per_s_ = 0;
  RobotTime next_image_;
  std::uint8_t camera_ = image::kMostCameras - 1;  // whose image was the last
  std::uint64_t mission_ = 0;                      // that viewers may fetch; 0: none
  RobotTime looked_;                               // when it looked last, or should have
  RobotTime next_allowed_;                         // when it looks at the list of keys
  net::OnComplaint on_complaint_;
  RobotTime next_complaint_;  // about states
};

}  // namespace forerun::serve
