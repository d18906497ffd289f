// On the robot's PC: carries out the orders of kenaf_operator. Linked with hrt_kenaf_can it drives the real robot, with
// hrt_kenaf_sim the simulated one.
#include <poll.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "examples/kenaf_operation.hpp"
#include "forerun/kenaf/hrt_kenaf.h"

namespace {

using namespace kenaf_operation;  // NOLINT: a program of its own

volatile std::sig_atomic_t ending = 0;
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Sender {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  [[nodiscard]] bool is(const Sender& other) const {
    return length == other.length && std::memcmp(&address, &other.address, length) == 0;
  }
};

// Who operates the robot, and the newest order of theirs.
struct Operator {
  Sender sender;
  Order order;
  double heard_s = -1e9;
  bool stands = true;
};

void carry_out(const Order& order) {
  hrt_set_track_speeds(order.left_mm, order.right_mm);
  const double angles[4] = {order.front_deg, order.front_deg, order.rear_deg, order.rear_deg};
  if (order.moves_flippers != 0) hrt_set_flipper_angles(angles);
}

void answer(int socket, const Operator& one) {
  hrt_status s;
  if (hrt_get_status(&s) != 0) return;
  Report report{one.order.sequence, s.left_mm, s.right_mm,  {},       s.roll_deg,
                s.pitch_deg,        s.yaw_deg, s.battery_s, s.fallen, s.age_s};
  for (std::size_t i = 0; i < 4; ++i) report.flipper_deg[i] = s.flipper_deg[i];
  const std::string text = to_text(report);
  sendto(socket, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&one.sender.address),
         one.sender.length);
}

// One datagram; false: there is none.
bool hear(int socket, Operator& one) {
  std::array<char, 300> buffer;
  Sender from;
  const ssize_t n =
      recvfrom(socket, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from.address), &from.length);
  if (n < 0) return false;
  const auto order = parse_order({buffer.data(), static_cast<std::size_t>(n)});
  if (!order) return true;
  const bool same = one.sender.is(from) && one.order.session == order->session;
  if (same && static_cast<int>(order->sequence - one.order.sequence) <= 0) return true;  // it was overtaken
  if (!same && now() - one.heard_s < 1) return true;                                     // somebody else operates it
  one = {from, *order, now(), false};
  carry_out(one.order);
  answer(socket, one);
  return true;
}

void work(int socket) {
  for (Operator one; ending == 0;) {
    pollfd watched{socket, POLLIN, 0};
    poll(&watched, 1, 20);
    for (int i = 0; i < 50 && hear(socket, one); ++i) {
    }
    if (one.stands || now() - one.heard_s < kOldest_s) continue;
    hrt_set_track_speeds(0, 0);
    one.stands = true;
    std::printf("no orders: the robot stands\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "", address = argc == 3 ? argv[2] : "127.0.0.1:7431";
  if (option == "--help" || (argc != 1 && (argc != 3 || option != "--listen"))) {
    std::printf(
        "Carries out the orders of kenaf_operator on the robot's PC.\n\n"
        "  kenaf_controller [--listen HOST:PORT]   where orders come to, 127.0.0.1:7431; :7431 is every address\n\n"
        "The robot is found as docs/kenaf.md says: HRT_KENAF_ADDRESS or HRT_KENAF_CAN.\n");
    return option == "--help" ? 0 : 2;
  }
  const int socket = open_socket(address, true);
  if (socket < 0) {
    std::fprintf(stderr, "kenaf_controller: cannot listen at %s\n", address.c_str());
    return 2;
  }
  if (hrt_kenaf_init() != 0) return 1;
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, [](int) { ending = 1; });
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  std::array<char, 16> port{};
  getsockname(socket, reinterpret_cast<sockaddr*>(&own), &length);
  getnameinfo(reinterpret_cast<sockaddr*>(&own), length, nullptr, 0, port.data(), port.size(),
              NI_NUMERICSERV | NI_DGRAM);
  std::printf("orders at port %s\n", port.data());
  std::fflush(stdout);
  work(socket);
  hrt_stop();
  return 0;
}
