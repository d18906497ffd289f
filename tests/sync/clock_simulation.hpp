// Two sides with clocks of their own that talk over a bad network, in virtual time.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "forerun/clocks/lateness.hpp"
#include "forerun/impair/link.hpp"
#include "forerun/sync/clock_map.hpp"

namespace forerun::sync {

// A clock that runs at its own rate and is set now and then.
struct TestClock {
  struct Setting {
    std::int64_t at = 0;  // true time [ns]
    std::int64_t by = 0;  // [ns]
  };
  std::int64_t zero = 0;
  double drift = 0;
  std::vector<Setting> settings{};

  [[nodiscard]] std::int64_t at(std::int64_t time) const {
    std::int64_t shown = zero + time + static_cast<std::int64_t>(drift * static_cast<double>(time));
    for (const Setting& setting : settings) shown += time >= setting.at ? setting.by : 0;
    return shown;
  }
};

// The operator sends every second; the robot sends as often as the profile says and answers every datagram. Each
// datagram echoes the newest one of the other side.
class ClockSimulation {
 public:
  TestClock operators{.zero = 1'700'000'000'000'000'000};
  TestClock robots{.zero = 5'000'000'000};
  OperatorsClockMap operators_map;
  RobotsClockMap robots_map;

  ClockSimulation(const impair::LinkProfile& profile, std::uint64_t seed)
      : profile_(profile), up_(profile, impair::Way::up, seed), down_(profile, impair::Way::down, seed) {
    events_.push({0, Kind::operator_sends, {}});
    events_.push({0, Kind::robot_sends, {}});
  }

  // Calls on_packet(true time, datagram's transit) for every datagram that the operator side receives, after its clock
  // map has taken it.
  template <class OnPacket>
  void run_until(std::int64_t end, OnPacket&& on_packet) {
    while (!events_.empty() && events_.top().time <= end) {
      const Event event = events_.top();
      events_.pop();
      handle(event, on_packet);
    }
  }
  void run_until(std::int64_t end) {
    run_until(end, [](std::int64_t, std::int64_t, std::int64_t) {});
  }
  // Mean one-way delay so far [ns].
  [[nodiscard]] double mean_delay() const { return carried_ > 0 ? total_delay_ / carried_ : 0; }
  // Robot minus operator clock [ns].
  [[nodiscard]] std::int64_t true_offset(std::int64_t time) const { return robots.at(time) - operators.at(time); }

 private:
  struct Datagram {
    std::int64_t true_sent = 0;
    std::int64_t sent = 0;
    bool echoes = false;
    std::int64_t echo_sent = 0;
    std::int64_t echo_received = 0;
  };
  struct Newest {
    bool any = false;
    std::int64_t sent = 0;
    std::int64_t received = 0;
  };
  enum class Kind { operator_sends, robot_sends, at_robot, at_operator };
  struct Event {
    std::int64_t time = 0;
    Kind kind{};
    Datagram datagram{};
    bool operator<(const Event& other) const { return time > other.time; }
  };

  void send(bool to_robot, std::int64_t time) {
    const Newest& newest = to_robot ? at_operator_ : at_robot_;
    const std::int64_t stamp = to_robot ? operators.at(time) : robots.at(time);
    const Datagram datagram{time, stamp, newest.any, newest.sent, newest.received};
    for (const Duration delay : (to_robot ? up_ : down_).carry({time}, 110)) {
      events_.push({time + delay.ns, to_robot ? Kind::at_robot : Kind::at_operator, datagram});
      total_delay_ += static_cast<double>(delay.ns);
      carried_ += 1;
    }
  }

  template <class OnPacket>
  void handle(const Event& event, OnPacket& on_packet) {
    const Datagram& d = event.datagram;
    switch (event.kind) {
      case Kind::operator_sends:
        send(true, event.time);
        events_.push({event.time + 1'000'000'000, Kind::operator_sends, {}});
        break;
      case Kind::robot_sends:
        send(false, event.time);
        events_.push({event.time + from_seconds(profile_.sync_interval).ns, Kind::robot_sends, {}});
        break;
      case Kind::at_robot:
        at_robot_ = {true, d.sent, robots.at(event.time)};
        if (d.echoes) robots_map.add({{d.echo_sent}, {d.echo_received}, {d.sent}, {at_robot_.received}});
        send(false, event.time);
        break;
      case Kind::at_operator:
        at_operator_ = {true, d.sent, operators.at(event.time)};
        if (d.echoes) operators_map.add({{d.echo_sent}, {d.echo_received}, {d.sent}, {at_operator_.received}});
        on_packet(event.time, d.sent, event.time - d.true_sent);
        break;
    }
  }

  const impair::LinkProfile& profile_;
  impair::Link up_;
  impair::Link down_;
  std::priority_queue<Event> events_;
  Newest at_robot_;
  Newest at_operator_;
  double total_delay_ = 0;
  double carried_ = 0;
};

}  // namespace forerun::sync
