// A robot that drives in a circle and obeys: example_robot_client PATH [SECONDS]
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

double clock_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

bool say(int link, const nlohmann::json& line) {
  const std::string text = line.dump() + "\n";
  return send(link, text.data(), text.size(), MSG_NOSIGNAL) >= 0;
}

nlohmann::json refusal(const nlohmann::json& command) {
  return {{"refused", command["number"]}, {"reason", "my circle is not that large"}, {"kind", "cannot_get_there"}};
}

bool is_far(const nlohmann::json& goal) {
  return std::max(std::fabs(goal.value("x_m", 0.0)), std::fabs(goal.value("y_m", 0.0))) > 100;
}

struct Motion {
  double x = 0, y = 0, theta = 0, v = 0.3, w = 0.3;
  bool stopped = false, by_hand = false;
};

nlohmann::json state_of(const Motion& m, double now, const nlohmann::json& plan) {
  return {{"t_s", now},
          {"x_m", m.x},
          {"y_m", m.y},
          {"theta_rad", m.theta},
          {"v_mps", m.v},
          {"w_radps", m.w},
          {"motors", m.stopped ? "stopped" : "on"},
          {"hand_driven", m.by_hand},
          {"plan", plan}};
}

// The way it means to take from here on: once round, or nowhere.
nlohmann::json circle(const Motion& m) {
  nlohmann::json plan = nlohmann::json::array();
  if (m.v == 0 || m.w == 0 || m.by_hand) return plan;
  const double r = m.v / m.w, turn = std::copysign(3.14159265 / 6, m.w);
  for (int i = 0; i <= 12; ++i) {
    const double to = m.theta + i * turn;
    plan.push_back({m.x + r * (std::sin(to) - std::sin(m.theta)), m.y - r * (std::cos(to) - std::cos(m.theta))});
  }
  return plan;
}

int main(int argc, char** argv) {
  const int link = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(address.sun_path, argc > 1 ? argv[1] : "", sizeof address.sun_path - 1);
  if (connect(link, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 1;
  say(link, {{"answers", true}});  // every command gets an answer

  Motion motion;
  auto& [x, y, theta, v, w, stopped, by_hand] = motion;
  nlohmann::json plan = circle(motion);
  double last = clock_s();
  const double end = last + (argc > 2 ? std::atof(argv[2]) : 1e9);
  for (std::string heard; clock_s() < end; usleep(50'000)) {
    const double now = clock_s(), dt = now - std::exchange(last, now);
    x += v * dt * std::cos(theta), y += v * dt * std::sin(theta), theta = std::remainder(theta + w * dt, 6.283185307);
    if (!say(link, state_of(motion, now, plan))) return 1;

    char piece[4096];
    for (ssize_t n; (n = recv(link, piece, sizeof piece, MSG_DONTWAIT)) > 0;) heard.append(piece, n);
    for (std::size_t at; (at = heard.find('\n')) != std::string::npos; heard.erase(0, at + 1)) {
      const auto said = nlohmann::json::parse(heard.substr(0, at));
      std::cout << said << std::endl;
      const std::string command = said.value("command", "");
      if (command.empty()) continue;  // an error
      if (command == "action") {      // of a mission, where it stands: here nothing takes time
        say(link, {{"done", said["number"]}});
        continue;
      }
      const bool refused = command == "goal" && is_far(said);
      say(link, refused ? refusal(said) : nlohmann::json{{"accepted", said["number"]}});
      if (refused) continue;
      v = command == "drive" ? said.value("v_mps", 0.0) : command == "goal" ? 0.3 : 0;
      w = command == "drive" ? said.value("w_radps", 0.0) : command == "goal" ? 0.3 : 0;
      stopped = command == "stop";
      by_hand = command == "drive" && !said.contains("reason");
      plan = circle(motion);
    }
  }
}
