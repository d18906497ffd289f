// What travels between the operator's program and the one on the robot's PC: a line of text a datagram. Orders go to
// the robot 20 times a second, each is answered with the robot's status.
#pragma once

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace kenaf_operation {

inline constexpr double kOldest_s = 0.5;  // without a newer order the robot stops
inline constexpr double kMostSpeed_mm = 600, kMostAngle_deg = 170;

struct Order {
  unsigned session = 0, sequence = 0;  // of the operator's program; older ones are dropped
  double left_mm = 0, right_mm = 0;    // of the tracks [mm/s]
  int moves_flippers = 0;              // 0: they stay as they are
  double front_deg = 0, rear_deg = 0;  // of the flippers
};

struct Report {
  unsigned sequence = 0;  // of the order that it answers
  double left_mm = 0, right_mm = 0;
  std::array<double, 4> flipper_deg{};
  double roll_deg = 0, pitch_deg = 0, yaw_deg = 0, battery_s = 0;
  int fallen = 0;
  double age_s = 0;  // since the robot said so
};

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 300> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

inline std::string to_text(const Order& o) {
  return print("KENAF-ORDER 1 %u %u %.1f %.1f %d %.1f %.1f\n", o.session, o.sequence, o.left_mm, o.right_mm,
               o.moves_flippers, o.front_deg, o.rear_deg);
}

// Nothing where it is no order, or asks for what no robot can do.
inline std::optional<Order> parse_order(const std::string& text) {
  Order o;
  int end = 0;
  if (std::sscanf(text.c_str(), "KENAF-ORDER 1 %u %u %lf %lf %d %lf %lf%n", &o.session, &o.sequence, &o.left_mm,
                  &o.right_mm, &o.moves_flippers, &o.front_deg, &o.rear_deg, &end) != 7) {
    return std::nullopt;
  }
  const auto within = [](double value, double most) { return std::fabs(value) <= most; };  // never what is no number
  if (text.substr(static_cast<std::size_t>(end)) != "\n" || !within(o.left_mm, kMostSpeed_mm) ||
      !within(o.right_mm, kMostSpeed_mm) || !within(o.front_deg, kMostAngle_deg) ||
      !within(o.rear_deg, kMostAngle_deg)) {
    return std::nullopt;
  }
  return o;
}

inline std::string to_text(const Report& r) {
  return print("KENAF-REPORT 1 %u %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.0f %d %.2f\n", r.sequence, r.left_mm,
               r.right_mm, r.flipper_deg[0], r.flipper_deg[1], r.flipper_deg[2], r.flipper_deg[3], r.roll_deg,
               r.pitch_deg, r.yaw_deg, r.battery_s, r.fallen, r.age_s);
}

inline std::optional<Report> parse_report(const std::string& text) {
  Report r;
  auto& f = r.flipper_deg;
  if (std::sscanf(text.c_str(), "KENAF-REPORT 1 %u %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %lf", &r.sequence,
                  &r.left_mm, &r.right_mm, &f[0], &f[1], &f[2], &f[3], &r.roll_deg, &r.pitch_deg, &r.yaw_deg,
                  &r.battery_s, &r.fallen, &r.age_s) != 13) {
    return std::nullopt;
  }
  return r;
}

// A socket that listens at "host:port", or sends to it; -1: there is no such address.
inline int open_socket(const std::string& address, bool listens) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return -1;
  const std::string host = address.substr(0, colon), port = address.substr(colon + 1);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICSERV | (listens ? AI_PASSIVE : 0);
  if (getaddrinfo(host.empty() ? nullptr : host.c_str(), port.c_str(), &hints, &found) != 0) return -1;
  int made = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto attach = listens ? &bind : &connect;
  if (made >= 0 && attach(made, found->ai_addr, found->ai_addrlen) != 0) {
    close(made);
    made = -1;
  }
  freeaddrinfo(found);
  return made;
}

}  // namespace kenaf_operation
