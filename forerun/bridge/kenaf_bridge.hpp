// Kenaf's intermediate process (KEN-4): controllers by UDP on one side, the simulator by TCP on the other. Three
// threads as in the paper: one receives from controllers, one from the simulator, and one sends what they have made.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/bridge/delays.hpp"
#include "forerun/bridge/kenaf_controllers.hpp"
#include "forerun/bridge/kenaf_sockets.hpp"
#include "forerun/bridge/kenaf_translation.hpp"
#include "forerun/net/complaint.hpp"

namespace forerun::bridge {

struct KenafBridgeParams {
  std::string simulator = "127.0.0.1:3000";
  std::string listen = "127.0.0.1:7430";
  std::string name = "Kenaf";
  std::string at;  // x,y,degrees where the robot is put down; empty: where the simulator likes
};

template <class Visit>
void visit_fields(KenafBridgeParams& p, Visit&& visit) {
  visit("simulator", p.simulator, Field{0, 0, "where the simulator is: host:port"});
  visit("listen", p.listen, Field{0, 0, "where controllers send their commands, by UDP"});
  visit("name", p.name, Field{0, 0, "the robot's name in the simulator"});
  visit("at", p.at, Field{0, 0, "x,y,degrees where the robot is put down; empty: where the simulator likes"});
}

class KenafBridge {
 public:
  [[nodiscard]] static Result<std::unique_ptr<KenafBridge>> open(const KenafBridgeParams& params,
                                                                 net::OnComplaint on_complaint = net::print_complaint);
  KenafBridge(const KenafBridge&) = delete;
  KenafBridge& operator=(const KenafBridge&) = delete;

  [[nodiscard]] net::Address address() const noexcept { return controllers_socket_.local_address(); }

  struct Results {
    std::uint64_t connections = 0;             // to the simulator
    std::array<std::uint64_t, 5> datagrams{};  // of controllers, by verdict
    std::uint64_t commands = 0, statuses = 0;  // that went on
    std::uint64_t stops = 0;                   // because no command came
    Delays command_delays, status_delays;      // from the socket that it came from to the one that it left by
    std::optional<GroundTruth> begin, end;     // of the robot, by the simulator's word, since the last connection
    std::vector<Vec2> way;                     // between the two, a place each few millimetres; the first metres of it
  };
  // Until `go_on` says false; it is asked a hundred times a second. Once.
  [[nodiscard]] Results run(const std::function<bool()>& go_on);

 private:
  // What waits to be sent, with the time when it came in [s].
  struct Command {
    kenaf::TrackSpeeds tracks;
    double came_s = 0;
  };
  struct Pending {
    std::optional<Command> command;
    std::optional<kenaf::FlipperAngles> flippers;
    std::optional<double> status_came_s;
    std::vector<net::Address> askers;
    std::string spawn;
  };

  KenafBridge(std::string spawn_lines, const net::Address& simulator, ControllerSocket socket,
              net::OnComplaint on_complaint);
  // the three threads
  void receive_from_controllers();
  void receive_from_simulator();
  void send_what_was_made();

  void take(const ControllerSocket::Arrived& datagram);
  void talk_to_simulator();
  void take(std::string_view bytes, LineGatherer& lines, SimulatedKenaf& robot);
  void spawn(double now_s);
  void pause(double seconds);
  [[nodiscard]] Pending take_pending();
  void send_command(const Pending& pending);
  void send_status(const Pending& pending);
  void stop_when_silent();

  std::string spawn_lines_;
  net::Address simulator_address_;
  ControllerSocket controllers_socket_;
  SimulatorConnection simulator_;
  net::OnComplaint on_complaint_;
  std::atomic<bool> ending_ = false;

  std::mutex mutex_;  // for all that follows
  std::condition_variable made_;
  Pending pending_;
  KenafControllers controllers_;
  SimulatedKenaf robot_;  // as last heard
  std::optional<Command> newest_command_;
  std::optional<kenaf::FlipperAngles> flippers_;  // as last told
  bool timed_out_ = true;
  Results results_;

  std::uint32_t session_, sequence_ = 0;  // of the sender alone
  std::uint16_t status_counter_ = 0;
  bool stop_sent_ = false;
};

}  // namespace forerun::bridge
