#include "forerun/bridge/kenaf_bridge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <utility>

#include "forerun/io/text.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::bridge {
namespace {

constexpr double kPatience_s = 0.05;      // between looks at whether it is to end
constexpr double kSimulatorSilent_s = 3;  // then it has gone, although nobody said so
constexpr double kSpawnAgain_s = 1;       // after a refusal; no more of them are said
constexpr double kWayStep = 0.003;        // [m]
constexpr std::size_t kMostPlaces = 2000;
// Longer than controllers bear silence: what they were about ends before encoders begin at 0 again.
constexpr double kConnectAgain_s = 1.2;

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 60 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
  });
}

std::optional<Pose2> parse_place(const std::string& text) {
  const auto message = UsarsimMessage::parse("AT {Place " + text + "}");
  const auto numbers = message ? message->vector("place") : std::nullopt;
  if (!numbers || std::fabs(numbers->x) > 1e5 || std::fabs(numbers->y) > 1e5) return std::nullopt;
  return Pose2{numbers->x, numbers->y, normalize_angle(numbers->z * kPi / 180)};
}

}  // namespace

Result<std::unique_ptr<KenafBridge>> KenafBridge::open(const KenafBridgeParams& params, net::OnComplaint on_complaint) {
  if (!is_name(params.name)) {
    return Error{"--name is " + io::quote(params.name) + ", but must be 1 to 60 letters, digits, _ and -"};
  }
  std::optional<Pose2> at;
  if (!params.at.empty() && !(at = parse_place(params.at))) {
    return Error{"--at is " + io::quote(params.at) + ", but must be x,y,degrees, within 100000 m"};
  }
  const auto simulator = net::resolve(params.simulator);
  if (!simulator) return simulator.error();
  if (params.simulator.starts_with(':')) {
    return Error{"--simulator is " + io::quote(params.simulator) + ", but must be host:port"};
  }
  const auto listen = net::resolve(params.listen);
  if (!listen) return listen.error();
  auto socket = ControllerSocket::open(*listen);
  if (!socket) return socket.error();
  return std::unique_ptr<KenafBridge>(new KenafBridge(SimulatedKenaf::spawn_lines(params.name, at), *simulator,
                                                      std::move(*socket), std::move(on_complaint)));
}

KenafBridge::KenafBridge(std::string spawn_lines, const net::Address& simulator, ControllerSocket socket,
                         net::OnComplaint on_complaint)
    : spawn_lines_(std::move(spawn_lines)),
      simulator_address_(simulator),
      controllers_socket_(std::move(socket)),
      on_complaint_(std::move(on_complaint)),
      session_(std::random_device{}()) {}

KenafBridge::Results KenafBridge::run(const std::function<bool()>& go_on) {
  std::thread controllers([this] { receive_from_controllers(); });
  std::thread simulator([this] { receive_from_simulator(); });
  std::thread sender([this] { send_what_was_made(); });
  while (go_on()) pause(0.01);
  ending_ = true;
  made_.notify_all();
  controllers.join();
  simulator.join();
  sender.join();
  // the robot goes with the connection; before that it stands
  static_cast<void>(simulator_.send(robot_.drive_line({})));
  simulator_.close();
  return results_;
}

void KenafBridge::pause(double seconds) {
  for (const double end = net::read_steady_seconds() + seconds; !ending_ && net::read_steady_seconds() < end;) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(kPatience_s, seconds)));
  }
}

// -- from controllers

void KenafBridge::receive_from_controllers() {
  while (!ending_) {
    if (const auto datagram = controllers_socket_.receive(kPatience_s)) take(*datagram);
  }
}

void KenafBridge::take(const ControllerSocket::Arrived& datagram) {
  const double now_s = net::read_steady_seconds(), came_s = now_s - datagram.waited_s;
  const std::lock_guard lock(mutex_);
  const auto heard = controllers_.hear(datagram.bytes, datagram.from, now_s);
  ++results_.datagrams[static_cast<std::size_t>(heard.verdict)];
  // one that has waited too long is not carried out: the robot would do what nobody wants any more
  const bool fresh = datagram.waited_s < kenaf::kWatchdog_s;
  if (heard.tracks && fresh) {
    pending_.command = newest_command_ = Command{*heard.tracks, came_s};
    timed_out_ = false;
  }
  if (heard.flippers && fresh && heard.flippers != flippers_) pending_.flippers = flippers_ = heard.flippers;
  if (heard.asks && pending_.askers.size() < KenafControllers::kMost) pending_.askers.push_back(datagram.from);
  if (pending_.command || pending_.flippers || !pending_.askers.empty()) made_.notify_all();
}

// -- from the simulator

void KenafBridge::receive_from_simulator() {
  const std::string where = net::to_string(simulator_address_);
  for (bool told = false; !ending_;) {
    if (!simulator_.connect(simulator_address_, kPatience_s * 10)) {
      if (!std::exchange(told, true)) on_complaint_("no simulator at " + where + "; trying again and again");
      pause(kConnectAgain_s);
      continue;
    }
    talk_to_simulator();
    simulator_.close();
    if (ending_) return;
    on_complaint_("the simulator at " + where + " has gone; trying again and again");
    told = true;
    pause(kConnectAgain_s);
  }
}

// Until it goes, or we do.
void KenafBridge::talk_to_simulator() {
  LineGatherer lines;
  SimulatedKenaf robot;
  std::string refusal;
  double heard_s = net::read_steady_seconds(), spawned_s = heard_s, told_s = heard_s - kSpawnAgain_s;
  {
    const std::lock_guard lock(mutex_);
    ++results_.connections;
    results_.begin = results_.end = std::nullopt;
    results_.way.clear();
  }
  spawn(spawned_s);
  while (!ending_) {
    const auto bytes = simulator_.receive(kPatience_s);
    if (!bytes || net::read_steady_seconds() - heard_s > kSimulatorSilent_s) return;
    if (!bytes->empty()) {
      heard_s = net::read_steady_seconds();
      take(*bytes, lines, robot);
    }
    const double now_s = net::read_steady_seconds();
    if (!robot.has_spoken() && robot.refusal() != refusal && now_s - told_s >= kSpawnAgain_s) {
      refusal = robot.refusal();
      told_s = now_s;
      on_complaint_("the simulator says: " + refusal);
    }
    if (!robot.has_spoken() && !robot.refusal().empty() && now_s - spawned_s > kSpawnAgain_s) spawn(spawned_s = now_s);
  }
}

void KenafBridge::spawn(double now_s) {
  const std::lock_guard lock(mutex_);
  pending_.spawn = spawn_lines_;
  // what was commanded lately goes to the new robot too
  pending_.flippers = flippers_;
  if (newest_command_ && now_s - newest_command_->came_s < kenaf::kWatchdog_s) pending_.command = newest_command_;
  made_.notify_all();
}

void KenafBridge::take(std::string_view bytes, LineGatherer& lines, SimulatedKenaf& robot) {
  const double came_s = net::read_steady_seconds();
  bool news = false;
  lines.add(bytes, [&](std::string_view line) { news = robot.read(line) || news; });
  const std::lock_guard lock(mutex_);
  robot_ = robot;
  if (robot.truth()) {
    if (!results_.begin) results_.begin = robot.truth();
    results_.end = robot.truth();
    const Vec2 place{robot.truth()->place.x, robot.truth()->place.y};
    const bool moved = results_.way.empty() || distance(results_.way.back(), place) > kWayStep;
    if (moved && results_.way.size() < kMostPlaces) results_.way.push_back(place);
  }
  if (!news) return;
  pending_.status_came_s = came_s;
  made_.notify_all();
}

// -- to both

void KenafBridge::send_what_was_made() {
  while (!ending_) {
    const Pending pending = take_pending();
    send_command(pending);
    send_status(pending);
    stop_when_silent();
  }
}

KenafBridge::Pending KenafBridge::take_pending() {
  std::unique_lock lock(mutex_);
  made_.wait_for(lock, std::chrono::duration<double>(kPatience_s), [&] {
    return ending_ || pending_.command || pending_.flippers || pending_.status_came_s || !pending_.askers.empty() ||
           !pending_.spawn.empty();
  });
  return std::exchange(pending_, {});
}

void KenafBridge::send_command(const Pending& pending) {
  std::string lines = pending.spawn;
  if (pending.flippers) lines += SimulatedKenaf::flipper_line(*pending.flippers);
  std::unique_lock lock(mutex_);
  if (pending.command) lines += robot_.drive_line(pending.command->tracks);
  lock.unlock();
  if (lines.empty()) return;
  if (!simulator_.send(lines)) {
    lock.lock();
    flippers_.reset();  // controllers repeat what they want, and then it is news again
    return;
  }
  if (!pending.command) return;
  const double delay_s = net::read_steady_seconds() - pending.command->came_s;
  lock.lock();
  ++results_.commands;
  results_.command_delays.add(delay_s * 1000);
}

void KenafBridge::send_status(const Pending& pending) {
  if (!pending.status_came_s && pending.askers.empty()) return;
  std::unique_lock lock(mutex_);
  if (!robot_.has_spoken()) return;  // nothing is known yet
  kenaf::Status status = robot_.status();
  status.timed_out = timed_out_;
  status.command = newest_command_ ? newest_command_->tracks.counter : std::uint8_t{0};
  const auto listeners = pending.status_came_s ? controllers_.listeners(net::read_steady_seconds()) : pending.askers;
  lock.unlock();
  if (pending.status_came_s) ++status_counter_;
  status.counter = status_counter_;
  const auto frames = kenaf::encode(status);
  const auto bytes = kenaf::encode(kenaf::Datagram{session_, ++sequence_, {frames.begin(), frames.end()}});
  for (const net::Address& listener : listeners) controllers_socket_.send(bytes, listener);
  if (!pending.status_came_s || listeners.empty()) return;
  const double delay_s = net::read_steady_seconds() - *pending.status_came_s;
  lock.lock();
  ++results_.statuses;
  results_.status_delays.add(delay_s * 1000);
}

// The watchdog of the real robot's motors.
void KenafBridge::stop_when_silent() {
  std::unique_lock lock(mutex_);
  const bool silent = newest_command_ && net::read_steady_seconds() - newest_command_->came_s >= kenaf::kWatchdog_s;
  stop_sent_ = stop_sent_ && silent;
  if (!silent || stop_sent_) return;
  if (!std::exchange(timed_out_, true)) ++results_.stops;
  const std::string line = robot_.drive_line({});
  lock.unlock();
  stop_sent_ = simulator_.send(line);  // else again, until it goes out
}

}  // namespace forerun::bridge
