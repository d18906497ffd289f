// USARSim's side of a conversation, without sockets: lines of clients in, lines to them out, robots in the physics
// engine between (KEN-2, KEN-4). One client has one robot; when it goes, the robot goes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/bridge/usarsim_message.hpp"
#include "forerun/physics/camera.hpp"
#include "forerun/physics/crawler_shape.hpp"
#include "forerun/physics/scene.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::bridge {

struct StartPose {
  std::string name;
  Pose2 pose;
};

inline constexpr std::size_t kUsualMostRobots = 8;

class KenafSimulator {
 public:
  using Client = int;

  // `robot` has a crawler. Steps and memory grow with the square of the robots: more than `most_robots` are refused.
  [[nodiscard]] static Result<KenafSimulator> make(const world::World& world, const robot::Description& robot,
                                                   std::vector<StartPose> starts,
                                                   std::size_t most_robots = kUsualMostRobots);

  // A new client is greeted.
  void connect(Client client);
  // Its robot goes at once, or soon where several clients go.
  void disconnect(Client client);
  void receive(Client client, std::string_view bytes);
  // Moves on by this much [s]; sensors and status go out when they are due.
  void advance(double seconds);
  // What goes to the client since the last call.
  [[nodiscard]] std::string take_output(Client client);

  [[nodiscard]] double time() const noexcept { return scene_.time(); }
  [[nodiscard]] std::size_t n_robots() const noexcept { return scene_.size(); }
  // The robots that went since the last call, each as it was numbered before it: those after it move up by one.
  [[nodiscard]] std::vector<std::size_t> take_gone() { return std::exchange(gone_, {}); }
  // How often the engine has built its model anew, at most: for robots that came, had no room, or went.
  [[nodiscard]] std::size_t n_builds() const noexcept { return n_builds_; }
  // The client's robot, if it has one.
  [[nodiscard]] std::optional<physics::CrawlerState> state(Client client) const;
  // What the front or the upper camera of a robot sees, all robots in it.
  enum class View { front, above };
  void look(std::size_t robot, View view, int width, int height, physics::Picture& picture);

 private:
  struct Session {
    LineGatherer lines;
    std::string output;
    std::optional<std::size_t> robot;  // in the scene
    std::string name;
    physics::CrawlerCommand command;
    physics::Gaze gaze;
    double next_status = 0, next_sensors = 0;  // [s]
    double next_spawn = 0;                     // not before [s]
    double next_full = 0;                      // likewise, that no more robots are let in is said [s]
    physics::Standing standing = physics::Standing::upright;
    bool light = false;
  };
  KenafSimulator(physics::Scene scene, const world::World& world, const robot::Description& robot,
                 std::vector<StartPose> starts, std::size_t most_robots);
  void handle(Session& session, std::string_view line);
  void spawn(Session& session, const UsarsimMessage& message);
  void refuse_one_more(Session& session, const std::string& name);
  [[nodiscard]] Result<Pose2> read_pose(const UsarsimMessage& message) const;
  [[nodiscard]] Result<std::size_t> put_down(Session& session, const Pose2& pose);
  void drive(Session& session, const UsarsimMessage& message);
  void drive_many(Session& session, const UsarsimMessage& message);
  void set(Session& session, const UsarsimMessage& message);
  bool set_joint(Session& session, std::string_view name, double angle);
  void say_geometry(Session& session, const UsarsimMessage& message);
  void say_configuration(Session& session, const UsarsimMessage& message);
  void say_status(Session& session);
  void say_sensors(Session& session);
  void say_starts(Session& session);
  void take_away_next();

  physics::Scene scene_;
  physics::CameraView view_;
  robot::Description robot_;
  std::string world_name_;
  std::vector<StartPose> starts_;
  std::size_t most_robots_;
  std::map<Client, Session> sessions_;
  std::vector<std::size_t> leaving_;  // robots whose clients have gone
  std::vector<std::size_t> gone_;     // for take_gone()
  // since the last advance(): building takes so long that more of it would hold up everybody
  bool has_put_down_ = false, has_taken_away_ = false;
  std::size_t n_builds_ = 0;
  double owed_ = 0;  // time that no whole step has covered [s]
};

}  // namespace forerun::bridge
