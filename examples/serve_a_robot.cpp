// A control system of three lines, watched and commanded over the network: it drives as it is told by hand.
//   serve_a_robot FOLDER [SECONDS]    FOLDER: its keys, made on the first run
#include <cstdio>
#include <cstdlib>

#include "forerun/robot/motion.hpp"
#include "forerun/serve/serve_robot.hpp"

namespace {

// Obeys at once, and has no brakes to speak of.
struct ToyRobot {
  forerun::robot::State state{.pose = {0.6, 1.25, 0}, .velocity = {}};
  std::optional<forerun::RobotTime> moved;  // when it was looked at last
  bool hand_driven = false;

  forerun::robot::Report look(forerun::RobotTime now) {
    const double dt = moved ? forerun::to_seconds(now - *moved) : 0;
    state.pose = forerun::robot::move(state.pose, state.velocity, dt);
    moved = now;
    forerun::robot::Report report;
    report.time = now;
    report.state = state;
    report.hand_driven = hand_driven;
    report.limits = {0.5, 1.0};
    return report;
  }
  forerun::robot::Reply obey(const forerun::robot::Command& command) {
    using forerun::robot::CommandKind;
    // what is refused changes nothing
    if (command.kind == CommandKind::goal) {
      return forerun::robot::refuse(forerun::robot::Refusal::not_able, "a toy finds no way by itself");
    }
    come_to_rest();
    if (command.kind == CommandKind::drive) state.velocity = command.velocity, hand_driven = true;
    return forerun::robot::accept();
  }
  void come_to_rest() { state.velocity = {}, hand_driven = false; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: serve_a_robot FOLDER [SECONDS]\n"), 2;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 1e9;
  ToyRobot robot;
  std::optional<forerun::RobotTime> start;
  const auto served = forerun::serve::serve_robot(
      {.world = "bonn-office", .robot = "turtle", .listen = "127.0.0.1:0", .keys = argv[1], .anyone_may_watch = true},
      {.look =
           [&](forerun::RobotTime now) {
             if (!start) start = now;
             return robot.look(now);
           },
       .obey = [&](const auto& command) { return robot.obey(command); },
       .come_to_rest = [&] { robot.come_to_rest(); },
       .on_open =
           [](const auto& place) {
             std::printf("forerun view --connect %s --server-key %s\n", place.address.c_str(),
                         place.public_key.c_str());
             std::fflush(stdout);
           }},
      [&] { return !start || forerun::to_seconds(*robot.moved - *start) < seconds; });
  if (!served) return std::fprintf(stderr, "%s\n", served.error().message.c_str()), 2;
}
