#include "forerun/bridge/kenaf_simulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forerun/bridge/usarsim_text.hpp"
#include "forerun/physics/scene_text.hpp"

namespace forerun::bridge {
namespace {

using physics::CrawlerState;
using robot::Crawler;

constexpr double kStatusEvery = 0.2, kSensorsEvery = 0.05;  // [s]
constexpr double kSpawnEvery = 0.5;                         // at most, a client [s]
constexpr double kFullEvery = 1;                            // likewise, hears that it is one too many [s]
constexpr std::size_t kMostOutput = std::size_t{1} << 20;   // a client that does not read loses what is older
constexpr double kBattery = 1200;                           // of every robot [s]
// In the order of robot::Flipper, as USARSim calls them.
constexpr std::array<const char*, robot::kFlippers> kFlippers{"FLFlipper", "FRFlipper", "RLFlipper", "RRFlipper"};

// As USARSim writes classes: USARBot.Kenaf.
std::string class_name(const robot::Description& robot) {
  std::string name = clean(robot.name);
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return "USARBot." + name;
}

bool asks_for_robot(const UsarsimMessage& message) {
  return message.is("type", "robot") || message.is("type", "groundvehicle") || !message.has("type");
}

struct Sensor {
  const char *type, *name;
};
// What robots have; the first of a type is meant where no name is given.
constexpr std::array<Sensor, 9> kSensors{{{"Camera", "Camera"},
                                          {"GroundTruth", "GroundTruth"},
                                          {"INS", "INS"},
                                          {"Encoder", "ECLeft"},
                                          {"Encoder", "ECRight"},
                                          {"Encoder", "ECFLFlipper"},
                                          {"Encoder", "ECFRFlipper"},
                                          {"Encoder", "ECRLFlipper"},
                                          {"Encoder", "ECRRFlipper"}}};

const Sensor* find_sensor(const UsarsimMessage& message) {
  const auto found = std::find_if(kSensors.begin(), kSensors.end(), [&](const Sensor& sensor) {
    return message.is("type", sensor.type) && (message.text("name").empty() || message.is("name", sensor.name));
  });
  return found == kSensors.end() ? nullptr : &*found;
}

std::string head(const char* keyword, const Sensor& sensor) {
  return std::string(keyword) + " {Type " + sensor.type + "} {Name " + sensor.name + "}";
}

std::string no_such_sensor(const std::string& robot, const UsarsimMessage& message) {
  const std::string name = clean(message.text("name"));
  return "NFO {Error " + robot + " has no sensor of type " + clean(message.text("type")) +
         (name.empty() ? "" : " and name " + name) + "}\r\n";
}

long long ticks(double angle, const Crawler& c) { return std::llround(angle / (2 * kPi) * c.ticks_per_turn); }

std::string encoders(const CrawlerState& s, const Crawler& c) {
  std::string made =
      print(" {Name ECLeft} {Tick %lld} {Name ECRight} {Tick %lld}", ticks(s.left_angle, c), ticks(s.right_angle, c));
  for (std::size_t i = 0; i < robot::kFlippers; ++i) {
    made += print(" {Name EC%s} {Tick %lld}", kFlippers[i], ticks(s.flippers[i], c));
  }
  return made;
}

}  // namespace

Result<KenafSimulator> KenafSimulator::make(const world::World& world, const robot::Description& robot,
                                            std::vector<StartPose> starts, std::size_t most_robots) {
  FORERUN_CHECK(robot.crawler.has_value());
  auto scene = physics::Scene::make(world.terrain);
  if (!scene) return scene.error();
  return KenafSimulator(std::move(*scene), world, robot, std::move(starts), most_robots);
}

KenafSimulator::KenafSimulator(physics::Scene scene, const world::World& world, const robot::Description& robot,
                               std::vector<StartPose> starts, std::size_t most_robots)
    : scene_(std::move(scene)),
      view_(world),
      robot_(robot),
      world_name_(clean(world.name)),
      starts_(std::move(starts)),
      most_robots_(most_robots) {}

void KenafSimulator::connect(Client client) {
  sessions_[client] = {};
  sessions_[client].output = "NFO {Gametype USARDeathMatch} {Level " + world_name_ + "} {TimeLimit 0}\r\n";
}

void KenafSimulator::disconnect(Client client) {
  const auto found = sessions_.find(client);
  if (found == sessions_.end()) return;
  const Session gone = std::move(found->second);
  sessions_.erase(found);
  if (!gone.robot) return;
  scene_.command(*gone.robot, {0, 0, gone.command.flippers});
  leaving_.push_back(*gone.robot);
  if (!has_taken_away_) take_away_next();
}

void KenafSimulator::take_away_next() {
  const std::size_t robot = leaving_.front();
  leaving_.erase(leaving_.begin());
  scene_.remove(robot);
  gone_.push_back(robot);
  has_taken_away_ = true;
  ++n_builds_;
  for (std::size_t& other : leaving_) other -= other > robot ? 1 : 0;
  for (auto& [client, session] : sessions_) {
    if (session.robot && *session.robot > robot) --*session.robot;
  }
}

void KenafSimulator::receive(Client client, std::string_view bytes) {
  const auto found = sessions_.find(client);
  if (found == sessions_.end()) return;
  found->second.lines.add(bytes, [&](std::string_view line) { handle(found->second, line); });
}

void KenafSimulator::handle(Session& session, std::string_view line) {
  const auto message = UsarsimMessage::parse(line);
  if (!message) {
    if (same_word(line.substr(std::min(line.find_first_not_of(" \t"), line.size()), 4), "INIT")) {
      session.output += "NFO {Error INIT cannot be read, it must be segments in braces that match, 64 at most}\r\n";
    }
    return;
  }
  const std::string& keyword = message->keyword();
  if (keyword == "GETSTARTPOSES") return say_starts(session);
  if (keyword == "INIT") return spawn(session, *message);
  if (!session.robot) return;
  if (keyword == "DRIVE") return drive(session, *message);
  if (keyword == "MULTIDRIVE") return drive_many(session, *message);
  if (keyword == "SET") return set(session, *message);
  if (keyword == "GETGEO") return say_geometry(session, *message);
  if (keyword == "GETCONF") return say_configuration(session, *message);
}

void KenafSimulator::spawn(Session& session, const UsarsimMessage& message) {
  const std::string name = message.text("name").empty() ? "Robot" : clean(message.text("name"));
  if (session.robot) {
    session.output += "NFO {Error the robot is there already}\r\n";
    return;
  }
  const std::string_view kind = message.text("classname");
  const std::string_view bare = kind.substr(kind.rfind('.') == std::string_view::npos ? 0 : kind.rfind('.') + 1);
  if (!kind.empty() && !same_word(bare, robot_.name)) {
    session.output += "NFO {Error there is no robot of class " + clean(kind) + ", only " + class_name(robot_) + "}\r\n";
    return;
  }
  if (scene_.size() >= most_robots_) return refuse_one_more(session, name);
  const auto pose = read_pose(message);
  const auto placed = pose ? put_down(session, *pose) : Result<std::size_t>(pose.error());
  if (!placed) {
    session.output += "NFO {Error " + name + " " + placed.error().message + "}\r\n";
    return;
  }
  session.robot = *placed;
  session.name = name;
  session.command = {};
  session.gaze = {};
  session.next_status = session.next_sensors = scene_.time();
}

void KenafSimulator::refuse_one_more(Session& session, const std::string& name) {
  if (scene_.time() < session.next_full) return;
  session.next_full = scene_.time() + kFullEvery;
  session.output += "NFO {Error " + name + print(" is one robot too many, the limit is %zu}\r\n", most_robots_);
}

Result<Pose2> KenafSimulator::read_pose(const UsarsimMessage& message) const {
  Pose2 pose = starts_.empty() ? Pose2{} : starts_.front().pose;
  if (message.has("start")) {
    const auto known = std::find_if(starts_.begin(), starts_.end(),
                                    [&](const StartPose& start) { return message.is("start", start.name); });
    if (known == starts_.end()) return Error{"has a start that does not exist"};
    pose = known->pose;
  } else if (message.has("location")) {
    const auto location = message.vector("location");
    if (!location) return Error{"has a location that is not three numbers"};
    Vec3 turned;
    if (message.has("rotation")) {
      const auto rotation = message.vector("rotation");
      if (!rotation) return Error{"has a rotation that is not three numbers"};
      turned = *rotation;
    }
    pose = {location->x, -location->y, normalize_angle(-turned.z)};
  }
  constexpr double kFarthest = 1e5;  // [m]
  if (std::fabs(pose.x) > kFarthest || std::fabs(pose.y) > kFarthest) return Error{"has no ground below it"};
  return pose;
}

Result<std::size_t> KenafSimulator::put_down(Session& session, const Pose2& pose) {
  if (has_put_down_ || scene_.time() < session.next_spawn) return Error{"asks too soon, try again in half a second"};
  has_put_down_ = true;
  session.next_spawn = scene_.time() + kSpawnEvery;
  ++n_builds_;
  return scene_.put_down(*robot_.crawler, pose);
}

void KenafSimulator::drive(Session& session, const UsarsimMessage& message) {
  const Crawler& c = *robot_.crawler;
  if (message.has("name")) {
    const auto value = message.number("value");
    const double order = message.number("order").value_or(0);
    if (value && order == 0) set_joint(session, message.text("name"), *value);
    return;
  }
  const double scale = message.is_true("normalized") ? c.track_speed / 100 : c.track_radius;
  if (const auto left = message.number("left")) session.command.left = *left * scale;
  if (const auto right = message.number("right")) session.command.right = *right * scale;
  if (message.has("light")) session.light = message.is_true("light");
  drive_many(session, message);
}

void KenafSimulator::drive_many(Session& session, const UsarsimMessage& message) {
  for (const auto& [name, value] : message.segments()) {
    if (const auto angle = parse_finite(value)) set_joint(session, name, *angle);
  }
  scene_.command(*session.robot, session.command);
}

bool KenafSimulator::set_joint(Session& session, std::string_view name, double angle) {
  for (std::size_t i = 0; i < robot::kFlippers; ++i) {
    if (!same_word(name, kFlippers[i])) continue;
    session.command.flippers[i] = angle;
    scene_.command(*session.robot, session.command);
    return true;
  }
  constexpr double kMostPan = 1.6, kMostTilt = 1.2;  // either way [rad]
  if (same_word(name, "CameraPan")) session.gaze.pan = clamp(-angle, -kMostPan, kMostPan);
  if (same_word(name, "CameraTilt")) session.gaze.tilt = clamp(-angle, -kMostTilt, kMostTilt);
  return same_word(name, "CameraPan") || same_word(name, "CameraTilt");
}

void KenafSimulator::set(Session& session, const UsarsimMessage& message) {
  const auto value = message.number("params");
  if (!value) return;
  if (message.is("type", "joint") && message.is("opcode", "angle")) set_joint(session, message.text("name"), *value);
  if (message.is("type", "camera") && message.is("opcode", "zoom")) {
    session.gaze.field_of_view = clamp(*value, 0.05, 2.5);
  }
}

void KenafSimulator::say_starts(Session& session) {
  std::string list;
  for (const StartPose& start : starts_) {
    const Vec3 place = theirs(Vec3{start.pose.x, start.pose.y, robot_.crawler->track_radius});
    list +=
        " {" + clean(start.name) + " " + triple(place) + " " + triple(theirs(Attitude{0, 0, start.pose.theta})) + "}";
  }
  session.output += print("NFO {StartPoses %zu}", starts_.size()) + list + "\r\n";
}

void KenafSimulator::say_geometry(Session& session, const UsarsimMessage& message) {
  const Crawler& c = *robot_.crawler;
  std::string& out = session.output;
  if (asks_for_robot(message)) {
    out += "GEO {Type GroundVehicle} {Name " + session.name + "} {Dimensions " + triple(c.body_size) + "} {COG " +
           triple(theirs(c.center_of_gravity)) +
           print("} {WheelRadius %.4f} {WheelSeparation %.4f} {WheelBase %.4f}\r\n", c.track_radius, 2 * c.track_offset,
                 c.track_length);
    return;
  }
  const Sensor* sensor = find_sensor(message);
  if (sensor == nullptr) {
    out += no_such_sensor(session.name, message);
    return;
  }
  const bool camera = message.is("type", "camera");
  const Vec3 place = camera ? theirs(c.front.place) : Vec3{};
  const Vec3 orientation = camera ? theirs(Attitude{0, c.front.tilt, 0}) : Vec3{};
  out += head("GEO", *sensor) + " {Location " + triple(place) + "} {Orientation " + triple(orientation) +
         "} {Mount CHASSIS}\r\n";
}

void KenafSimulator::say_configuration(Session& session, const UsarsimMessage& message) {
  const Crawler& c = *robot_.crawler;
  std::string& out = session.output;
  if (asks_for_robot(message)) {
    out += "CONF {Name " + session.name + "} {Type GroundVehicle} {SteeringType SkidSteered}" +
           print(" {Mass %.2f} {MaxSpeed %.4f} {MaxTorque %.2f} {MaxFrontSteer 0} {MaxRearSteer 0}\r\n",
                 robot::total_mass(c), c.track_speed / c.track_radius, c.track_torque);
    return;
  }
  const Sensor* sensor = find_sensor(message);
  if (sensor == nullptr) {
    out += no_such_sensor(session.name, message);
    return;
  }
  out += head("CONF", *sensor);
  if (message.is("type", "encoder")) out += print(" {Resolution %.6f}", 2 * kPi / c.ticks_per_turn);
  if (message.is("type", "camera")) {
    out += print(" {CameraDefFov %.4f} {CameraMinFov 0.0500} {CameraMaxFov 2.5000}", c.front.field_of_view);
  }
  out += "\r\n";
}

void KenafSimulator::say_status(Session& session) {
  session.output += print(
      "STA {Time %.4f} {Battery %.0f} {Type GroundVehicle} {LightToggle %s} {LightIntensity 100} "
      "{FrontSteer 0} {RearSteer 0}\r\n",
      scene_.time(), std::max(0.0, kBattery - scene_.time()), session.light ? "True" : "False");
  const physics::Standing now = physics::standing(scene_.state(*session.robot));
  if (now != session.standing) {
    session.output += "NFO {Message " + session.name + " is " + robot::to_string(now) + "}\r\n";
    session.standing = now;
  }
}

void KenafSimulator::say_sensors(Session& session) {
  const CrawlerState s = scene_.state(*session.robot);
  const std::string time = print("SEN {Time %.4f} ", scene_.time());
  const std::string pose =
      "{Location " + triple(theirs(s.center_of_gravity)) + "} {Orientation " + triple(theirs(s.attitude)) + "}\r\n";
  session.output += time + "{Type GroundTruth} {Name GroundTruth} " + pose;
  session.output += time + "{Type Encoder}" + encoders(s, *robot_.crawler) + "\r\n";
  session.output += time + "{Type INS} {Name INS} {Location " + triple(theirs(s.position)) + "} {Orientation " +
                    triple(theirs(s.attitude)) + "}\r\n";
}

void KenafSimulator::advance(double seconds) {
  owed_ += seconds;
  while (owed_ >= physics::kStep) {
    owed_ -= physics::kStep;
    scene_.step();
  }
  has_put_down_ = has_taken_away_ = false;
  if (!leaving_.empty()) take_away_next();
  for (auto& [client, session] : sessions_) {
    if (!session.robot) continue;
    if (scene_.time() >= session.next_status) {
      say_status(session);
      session.next_status = scene_.time() + kStatusEvery;
    }
    if (scene_.time() >= session.next_sensors) {
      say_sensors(session);
      session.next_sensors = scene_.time() + kSensorsEvery;
    }
    if (session.output.size() > kMostOutput) session.output.clear();
  }
}

std::string KenafSimulator::take_output(Client client) {
  const auto found = sessions_.find(client);
  return found == sessions_.end() ? std::string() : std::exchange(found->second.output, {});
}

std::optional<CrawlerState> KenafSimulator::state(Client client) const {
  const auto found = sessions_.find(client);
  if (found == sessions_.end() || !found->second.robot) return std::nullopt;
  return scene_.state(*found->second.robot);
}

void KenafSimulator::look(std::size_t robot, View view, int width, int height, physics::Picture& picture) {
  std::vector<physics::ColouredTriangle> robots;
  for (std::size_t i = 0; i < scene_.size(); ++i) physics::add_shape(*robot_.crawler, scene_.state(i), robots);
  physics::Gaze gaze;
  for (const auto& [client, session] : sessions_) {
    if (session.robot == robot && view == View::front) gaze = session.gaze;
  }
  const robot::Eye& eye = view == View::front ? robot_.crawler->front : robot_.crawler->above;
  physics::Camera camera = physics::camera_on(eye, scene_.state(robot), gaze);
  camera.width = width;
  camera.height = height;
  view_.draw(camera, robots, picture);
}

}  // namespace forerun::bridge
