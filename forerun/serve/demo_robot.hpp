// The demo's robot: on its tour, and on the link, on a thread of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "forerun/net/shared.hpp"
#include "forerun/serve/robot_service.hpp"
#include "forerun/serve/touring_robot.hpp"
#include "forerun/sync/command_sender.hpp"

namespace forerun::serve {

// What may change while it drives.
struct DemoConditions {
  double interval_s = 3;  // between two reports [s]
  double delay_s = 0;     // of the link, each way [s]
  std::string reality = "noisy";
};

// How old a command may be when it arrives: as for every other robot. Where the link alone takes longer than a second,
// a second more than that: what was given in a silence is refused all the same when the silence ends.
// There the doubt that a long delay brings does not count: both ends run on one machine, and the network between them
// takes as long both ways, so clocks are known better than a viewer far away could know them.
[[nodiscard]] inline sync::GateParams demo_gate(double delay_s) noexcept {
  sync::GateParams gate;
  if (delay_s > 1) gate = {.max_command_age_s = delay_s + 1, .clock_doubt = 0};
  return gate;
}
// The demo's viewer asks until it is answered, so that the page says what became of a command given in a silence.
// Velocities are not repeated, and their answer comes by the same way back.
[[nodiscard]] inline sync::SenderParams demo_sender(double delay_s) noexcept {
  sync::SenderParams sender{.give_up_s = 3600};
  sender.drive_s = std::max(sender.drive_s, demo_gate(delay_s).max_command_age_s + delay_s);
  return sender;
}

class DemoRobot {
 public:
  struct Setup {
    const sim::Setting& setting;
    DemoConditions conditions;  // `setting` has the reality at first
    std::uint64_t seed = 1;
    std::uint32_t robot = 1;  // its number
    SimulatedSetup simulated;
    sync::KeyPair keys;
    sync::Key operator_key{};
    net::OnComplaint on_complaint = net::print_complaint;
  };
  using OnTruth = std::function<void(RobotTime, const Pose2&)>;

  // Listens when it is open, and drives once it is started. What `setup` refers to must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<DemoRobot>> open(const Setup& setup);
  ~DemoRobot();
  DemoRobot(const DemoRobot&) = delete;
  DemoRobot& operator=(const DemoRobot&) = delete;

  // `on_truth` hears where it truly is, ten times a second, from the robot's thread.
  void start(OnTruth on_truth);
  void set_conditions(const DemoConditions& conditions) { wanted_.put(conditions); }
  [[nodiscard]] net::Address local_address() const { return service_->server().local_address(); }

 private:
  DemoRobot(const Setup& setup, std::unique_ptr<TouringRobot> robot);
  void run(const OnTruth& on_truth);
  void apply(const DemoConditions& conditions);

  DemoConditions conditions_;
  net::OnComplaint on_complaint_;
  net::Shared<DemoConditions> wanted_;
  std::unique_ptr<TouringRobot> robot_;
  std::unique_ptr<RobotService> service_;
  std::atomic<bool> quit_{false};
  std::thread thread_;
};

}  // namespace forerun::serve
