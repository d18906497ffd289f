// The simulator on the network, as USARSim: lines on one TCP port, pictures on another.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forerun/bridge/kenaf_simulator.hpp"
#include "forerun/net/tcp_server.hpp"

namespace forerun::bridge {

struct UsarsimParams {
  std::string listen = "127.0.0.1:3000";
  std::string images = "127.0.0.1:5003";
  std::string view = "front";  // or above
  int width = 320;
  int height = 240;
  int quality = 3;  // 0: raw, 1 … 5: JPEG, better and better
  int robots = kUsualMostRobots;
};

template <class Visit>
void visit_fields(UsarsimParams& p, Visit&& visit) {
  visit("listen", p.listen, Field{0, 0, "where clients connect; :PORT is every address of this machine"});
  visit("images", p.images, Field{0, 0, "where they fetch pictures"});
  visit("view", p.view, Field{0, 0, "which camera: front or above"});
  visit("width", p.width, Field{16, 1920, "of a picture [pixels]"});
  visit("height", p.height, Field{16, 1080, "of a picture [pixels]"});
  visit("quality", p.quality, Field{0, 5, "of pictures: 0 raw, 1 to 5 JPEG, better and better"});
  visit("robots", p.robots, Field{1, 16, "at most, all clients together; time and memory grow with their square"});
}

class UsarsimServer {
 public:
  [[nodiscard]] static Result<std::unique_ptr<UsarsimServer>> open(KenafSimulator simulator,
                                                                   const UsarsimParams& params);
  UsarsimServer(const UsarsimServer&) = delete;
  UsarsimServer& operator=(const UsarsimServer&) = delete;

  [[nodiscard]] net::Address address() const noexcept { return lines_->local_address(); }
  [[nodiscard]] net::Address image_address() const noexcept { return images_->local_address(); }

  struct Counts {
    std::size_t clients = 0;   // that came, for lines
    std::size_t pictures = 0;  // that went out
    double behind = 0;         // real time that the physics could not keep up with [s]
  };
  // In real time, until `go_on` says false; it is asked several hundred times a second.
  Counts run(const std::function<bool()>& go_on);

 private:
  struct ImageClient {
    std::size_t robot = 0;   // no other's; beyond the last robot: sees the last one
    bool wants_one = true;   // a picture
    std::string unfinished;  // of what it says
  };

  UsarsimServer(KenafSimulator simulator, const UsarsimParams& params);
  [[nodiscard]] Result<void> listen();
  [[nodiscard]] std::size_t free_robot() const;
  void follow_robots();
  void hear(ImageClient& client, std::string_view bytes);
  void send_lines();
  void send_pictures();
  [[nodiscard]] Result<std::string> make_picture(std::size_t robot);

  KenafSimulator simulator_;
  UsarsimParams params_;
  std::optional<net::TcpServer> lines_, images_;
  std::vector<int> clients_;  // for lines, that are there
  std::map<int, ImageClient> image_clients_;
  physics::Picture picture_;
  Counts counts_;
};

}  // namespace forerun::bridge
