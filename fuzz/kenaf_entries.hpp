// Kenaf's readers of foreign bytes: lines of USARSim's clients, lines of the simulator, and controllers' datagrams.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "forerun/atlas/world_yaml.hpp"
#include "forerun/bridge/kenaf_controllers.hpp"
#include "forerun/bridge/kenaf_simulator.hpp"
#include "forerun/bridge/kenaf_translation.hpp"
#include "forerun/kenaf/candump.hpp"
#include "fuzz/checks.hpp"

namespace forerun::fuzz {

inline bridge::KenafSimulator make_simulator() {
  static const auto kWorld = atlas::parse_world_yaml("name: hall\nrooms: [{from: [-2, -2], to: [2, 2]}]\n", "hall");
  robot::Description robot;
  robot.name = "kenaf";
  robot.crawler.emplace();
  auto simulator = bridge::KenafSimulator::make(*kWorld, robot, {{"start", {}}});
  FORERUN_CHECK(simulator.ok());
  return std::move(*simulator);
}

// A client says this, in one piece and then once more in two. Whatever it says, the answers are lines of text, and the
// robot is somewhere. Taken: it brought a robot into the world.
inline bool run_usarsim_client(std::string_view bytes) {
  bridge::KenafSimulator simulator = make_simulator();
  simulator.connect(1);
  simulator.connect(2);
  simulator.receive(1, bytes);
  simulator.advance(0.02);
  simulator.receive(2, bytes.substr(0, bytes.size() / 2));
  simulator.receive(2, bytes.substr(bytes.size() / 2));
  simulator.advance(0.02);
  const std::string out = simulator.take_output(1);
  FORERUN_CHECK(out.size() >= 2 && out.substr(out.size() - 2) == "\r\n");
  for (const char c : out) FORERUN_CHECK(c == '\r' || c == '\n' || (c >= ' ' && c < 127));
  const auto state = simulator.state(1);
  if (state) FORERUN_CHECK(std::isfinite(state->position.x + state->position.y + state->position.z));
  simulator.disconnect(1);
  simulator.disconnect(2);
  FORERUN_CHECK(simulator.n_robots() == 0);
  return state.has_value();
}

// The simulator says this to the intermediate process: what it makes of it can be said in frames, and comes back.
inline bool run_usarsim_server(std::string_view bytes) {
  bridge::SimulatedKenaf robot;
  bridge::LineGatherer lines;
  lines.add(bytes, [&](std::string_view line) { robot.read(line); });
  kenaf::StatusGatherer gatherer;
  std::optional<kenaf::Status> back;
  const auto frames = kenaf::encode(robot.status());
  for (const kenaf::CanFrame& frame : frames) back = gatherer.take(frame);
  FORERUN_CHECK(back.has_value() && kenaf::encode(*back) == frames);
  const std::string line = robot.drive_line({600, -600, 0});
  FORERUN_CHECK(bridge::UsarsimMessage::parse(line.substr(0, line.size() - 2))->number("left").has_value());
  return robot.has_spoken();
}

// A controller's datagram: written again as it was; its frames say what they said, also in a log.
inline bool run_kenaf_datagram(std::string_view bytes) {
  const auto datagram = kenaf::decode(as_bytes(bytes));
  bridge::KenafControllers controllers;
  const auto heard = controllers.hear(as_bytes(bytes), {}, 0);
  FORERUN_CHECK((heard.verdict == bridge::KenafControllers::Verdict::nonsense) == !datagram);
  if (!datagram) return false;
  FORERUN_CHECK(is_same(kenaf::encode(*datagram), as_bytes(bytes)));
  for (const kenaf::CanFrame& frame : datagram->frames) {
    FORERUN_CHECK(kenaf::parse_candump(kenaf::to_candump({1, "can0", frame}))->frame == frame);
  }
  if (heard.tracks) FORERUN_CHECK(std::isfinite(heard.tracks->left_mm + heard.tracks->right_mm));
  return true;
}

}  // namespace forerun::fuzz
