#include "forerun/sim/model_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "forerun/atlas/world_file.hpp"
#include "forerun/base/random.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/robot/description_bytes.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/world/world_bytes.hpp"
#include "tests/support/small_worlds.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::sim {
namespace {

using Content = std::vector<std::uint8_t>;

std::vector<std::string> files_in(const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_path() + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  return files;
}

// Doors, two materials and names that are not only Latin.
world::World make_world() {
  world::World world = make_room({-1.25, 0}, {12, 6});
  world.name = "Büro 東";
  world.materials.push_back({"glass", 0.1, 0.2, 0.3, 0.15, 0.01, 0.1});
  add_box(world, {6, 2, 0.3}, {0.2, 4}, 2);
  world.triangles.back().material = 1;
  world.doors.push_back({.name = "gate",
                         .hinge = {6, 4.1},
                         .width = 1.9,
                         .closed_angle = kPi / 2,
                         .open_angle = 0,
                         .material = 1,
                         .open = false});
  return world;
}

robot::Description make_robot() {
  robot::Description robot;
  robot.name = "test robot";
  robot.drive = robot::make_differential({});
  robot.drive.ticks_per_turn = 512;
  robot.sensors.push_back(robot::Laser{.name = "front", .mount = {0.1, -0.05, 0.2}, .beams = 90, .seed = 7});
  robot.sensors.push_back(robot::SonarRing{.count = 12});
  robot.sensors.push_back(robot::InfraredRing{.count = 6});
  robot.sensors.push_back(robot::BumperRing{.count = 8});
  return robot;
}

// All that a field list names, as text of every bit.
struct Collect {
  std::string text;
  template <class Number>
  void operator()(const char* name, Number value, const Field&) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    text += std::string(name) + "=" + std::to_string(bits) + "\n";
  }
  void operator()(const char* name, const std::string& value, const Field&) { text += name + value + "\n"; }
  void operator()(const char* name, const Pose2& value, const Field& field) {
    for (const double c : {value.x, value.y, value.theta}) (*this)(name, c, field);
  }
};

std::string collect(robot::Description d) {
  Collect all;
  all("name", d.name, {});
  all("height", d.height, {});
  all("radius", d.footprint.radius, {});
  for (const Vec2 corner : d.footprint.corners) all("corner", Pose2{corner.x, corner.y, 0}, {});
  all("kind", static_cast<double>(d.drive.kind), {});
  all("wheels", d.drive.n_wheels, {});
  for (const auto& row : d.drive.wheel_from_body) all("row", Pose2{row[0], row[1], row[2]}, {});
  for (const auto& row : d.drive.body_from_wheel) {
    for (const double ratio : row) all("ratio", ratio, {});
  }
  all("ticks", d.drive.ticks_per_turn, {});
  visit_fields(d.limits, all);
  visit_fields(d.control, all);
  all("system", d.control_system, {});
  all("planner", d.planner, {});
  for (robot::Sensor& sensor : d.sensors) {
    all("kind", static_cast<int>(sensor.index()), {});
    std::visit([&](auto& s) { visit_fields(s, all); }, sensor);
  }
  return all.text;
}

void expect_same(const world::World& a, const world::World& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.materials.size(), b.materials.size());
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  ASSERT_EQ(a.doors.size(), b.doors.size());
  for (std::size_t i = 0; i < a.materials.size(); ++i) {
    const world::Material &p = a.materials[i], &q = b.materials[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(std::memcmp(&p.red, &q.red, 6 * sizeof(double)), 0);
  }
  for (std::size_t i = 0; i < a.triangles.size(); ++i) {
    EXPECT_EQ(std::memcmp(&a.triangles[i].a, &b.triangles[i].a, 3 * sizeof(Vec3)), 0);
    EXPECT_EQ(a.triangles[i].material, b.triangles[i].material);
  }
  for (std::size_t i = 0; i < a.doors.size(); ++i) {
    const world::Door &p = a.doors[i], &q = b.doors[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(std::memcmp(&p.hinge, &q.hinge, 7 * sizeof(double)), 0);
    EXPECT_EQ(p.material, q.material);
    EXPECT_EQ(p.open, q.open);
  }
}

std::string refusal(const Content& bytes) {
  const auto bundle = unpack_model(bytes);
  return bundle ? "" : bundle.error().message;
}

std::string refusal_of(const world::World& world) { return refusal(pack_model(world, make_robot())); }
std::string refusal_of(const robot::Description& robot) { return refusal(pack_model(make_world(), robot)); }

TEST(ModelBytes, EveryWorldAndRobotOfTheProjectSurvives) {
  for (const std::string& world_file : files_in("worlds")) {
    for (const std::string& robot_file : files_in("robots")) {
      const auto world = atlas::load_world(world_file);
      const auto robot = io::load_robot(robot_file);
      const Content bytes = pack_model(*world, *robot);
      const auto bundle = unpack_model(bytes);
      ASSERT_TRUE(bundle.ok()) << world_file << " " << robot_file << ": " << bundle.error().message;
      expect_same(bundle->world, *world);
      EXPECT_EQ(collect(bundle->robot), collect(*robot));
      EXPECT_EQ(pack_model(bundle->world, bundle->robot), bytes);
      // nine numbers and a material would take 76 bytes a triangle; a block of rough terrain takes 72
      EXPECT_LT(bytes.size(), 2000 + 10 * world->triangles.size() + 72 * world->terrain.blocks.size()) << world_file;
    }
  }
}

TEST(ModelBytes, TheListOfPartsIsReadOrRefusedWhole) {
  ModelParts parts{{1000, {1, 2, 3}}, {20, {4, 5, 6}}};
  const Content bytes = pack_parts(parts);
  EXPECT_EQ(bytes.size(), 80u);
  EXPECT_EQ(unpack_parts(bytes), parts);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(unpack_parts(Bytes(bytes).first(n))) << n;
  Content longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(unpack_parts(longer));
  EXPECT_FALSE(unpack_parts(pack_model(make_world(), make_robot())));
  for (const auto& [world, robot] : {std::pair(0u, 1u), {1u, 0u}, {kLargestWorld + 1, 1u}, {1u, kLargestRobot + 1}}) {
    parts.world.size = world;
    parts.robot.size = robot;
    EXPECT_FALSE(unpack_parts(pack_parts(parts))) << world << " " << robot;
  }
}

TEST(ModelBytes, AnOlderViewerIsToldThatTheModelIsNewer) {
  EXPECT_EQ(refusal(pack_parts({{1000, {}}, {20, {}}})),
            "the model bundle is of version 3, but must be of version 2: another version of forerun wrote it");
}

TEST(ModelBytes, AReplicaOfTheUnpackedModelReachesTheSameState) {
  const auto drive = [](const world::World& world, const robot::Description& robot, const Scenario& scenario) {
    const auto model = make_model({world, robot, scenario, kNoisy}, 3);
    navigate::Navigator navigator(model->planning, model->robot);
    Loop loop(*model, navigator);
    while (to_seconds(loop.time()) < 12) loop.step();
    EXPECT_GT(loop.plant().path_length(), 1);
    return loop.state_hash();
  };
  Scenario scenario;
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"east", {10, 1.5}, 2}};
  scenario.doors = {{"gate", 3, 5}};
  const auto bundle = unpack_model(pack_model(make_world(), make_robot()));
  EXPECT_EQ(drive(bundle->world, bundle->robot, scenario), drive(make_world(), make_robot(), scenario));

  const auto office = io::load_scenario(test::source_path("scenarios/office-delivery.yaml"));
  const auto world = atlas::load_world(office->world);
  const auto robot = io::load_robot(office->robot);
  const auto unpacked = unpack_model(pack_model(*world, *robot));
  EXPECT_EQ(drive(unpacked->world, unpacked->robot, *office), drive(*world, *robot, *office));
}

TEST(ModelBytes, EveryPieceThatIsCutOffIsMissed) {
  const Content bytes = pack_model(make_world(), make_robot());
  EXPECT_EQ(refusal(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(Content(bytes.begin(), bytes.begin() + static_cast<long>(size))), "") << size;
  }
  Content longer = bytes;
  longer.push_back(0);
  EXPECT_EQ(refusal(longer), "the model bundle has 1 bytes too many");
}

TEST(ModelBytes, DamageIsRefusedOrReadAsItIsWritten) {
  const Content good = pack_model(make_world(), make_robot());
  Random random(1, 5);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    Content bytes = good;
    bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.below(256));
    const auto bundle = unpack_model(bytes);
    if (bundle) {
      ASSERT_EQ(pack_model(bundle->world, bundle->robot), bytes);
    } else {
      ++refused;
      ASSERT_EQ(bundle.error().message.find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(refused, 5000);
}

TEST(ModelBytes, HostileCountsAreRefusedByName) {
  Content bytes = world::to_bytes(make_world());
  const std::size_t materials_at = 2 + 2 + std::string("Büro 東").size();
  std::memset(bytes.data() + materials_at, 0xff, 4);
  EXPECT_EQ(world::world_from_bytes(bytes).error().message,
            "the world: material count is 4294967295, but must be at most 100000");
  bytes[materials_at + 3] = bytes[materials_at + 2] = 0;
  EXPECT_NE(world::world_from_bytes(bytes).error().message.find("the world: material count is 65535, but only "),
            std::string::npos);
}

TEST(ModelBytes, RefusalsNameTheFieldTheValueAndTheRange) {
  world::World world = make_world();
  world.triangles[2].b.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal_of(world).find("the world: triangle 2 corner is"), std::string::npos) << refusal_of(world);
  world = make_world();
  world.triangles[2].material = 2;
  EXPECT_EQ(refusal_of(world), "the world: triangle 2 has the material 2, but there are only 2");
  world = make_world();
  world.doors[0].material = -1;
  EXPECT_EQ(refusal_of(world), "the world: door 0 material is -1, but must be 0 to 1");
  world = make_world();
  world.doors[0].width = 0;
  EXPECT_EQ(refusal_of(world), "the world: door 0 width_m is 0, but must be 1e-06 to 100");
  world = make_world();
  world.materials.clear();
  EXPECT_EQ(refusal_of(world), "the world: material count is 0, but must be at least 1");
  world.materials.resize(2);
  world.triangles.clear();
  EXPECT_EQ(refusal_of(world), "the world has no floor, but a robot must stand somewhere");

  robot::Description robot = make_robot();
  robot.limits.max_speed = 99;
  EXPECT_EQ(refusal_of(robot), "the robot: limits max_speed_mps is 99, but must be 0.01 to 10");
  robot = make_robot();
  std::get<robot::Laser>(robot.sensors[0]).beams = 100000;
  EXPECT_EQ(refusal_of(robot), "the robot: laser 0 beams is 100000, but must be 1 to 1440");
  robot = make_robot();
  robot::find_sensor<robot::SonarRing>(robot.sensors)->min_range = 6;
  EXPECT_EQ(refusal_of(robot), "the robot: sonar min_range_m must be less than the other end of its range");
  robot = make_robot();
  robot.sensors.push_back(robot::SonarRing{.count = 4});
  EXPECT_EQ(refusal_of(robot), "the robot: sonar kind stands there more often than a robot may have it");
}

TEST(ModelBytes, RobotsOfTheFirstVersionAreRefusedAsSuch) {
  std::vector<std::uint8_t> bytes = robot::to_bytes(make_robot());
  bytes[0] = 1;
  EXPECT_EQ(robot::description_from_bytes(bytes).error().message, "the robot: version is 1, but must be 2");
}

TEST(ModelBytes, EveryDriveSurvives) {
  robot::OmniGeometry wheels;
  for (const double bearing : {1.0, 3.1, 5.2}) wheels.bearings.push_back(bearing);
  for (const robot::Drive& drive :
       {robot::make_synchro(0.2), robot::make_tracked({0.1, 0.11, 0.4}, 1.5), robot::make_omni(wheels),
        robot::make_car({.wheelbase = 0.7}), robot::make_tricycle({.steering_limit = 1.2})}) {
    robot::Description robot = make_robot();
    robot.drive = drive;
    const auto back = robot::description_from_bytes(robot::to_bytes(robot));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(collect(*back), collect(robot));
    EXPECT_EQ(back->drive.max_curvature, drive.max_curvature);
  }
}

TEST(ModelBytes, OmniWheelsThatRollTheSameWayAreRefused) {
  robot::OmniGeometry wheels;
  for (const double bearing : {1.0, 3.1, 5.2}) wheels.bearings.push_back(bearing);
  robot::Description robot = make_robot();
  robot.drive = robot::make_omni(wheels);
  std::get<robot::OmniGeometry>(robot.drive.geometry).bearings[1] = 1.05;
  EXPECT_EQ(refusal_of(robot), "the robot: drive bearings has two wheels less than 10 degrees apart");
}

TEST(ModelBytes, FootprintsMustBeConvexAroundTheOrigin) {
  const auto with_corners = [](std::vector<Vec2> corners) {
    robot::Description robot = make_robot();
    robot.footprint.radius = 0;
    for (const Vec2 corner : corners) {
      robot.footprint.corners.push_back(corner);
      robot.footprint.radius = std::max(robot.footprint.radius, length(corner));
    }
    return robot;
  };
  EXPECT_EQ(refusal_of(with_corners({{0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}})), "");
  const char* wrong = "the robot: footprint corners must go once around a convex outline that encloses the origin";
  EXPECT_EQ(refusal_of(with_corners({{0.3, -0.2}, {0.3, 0.2}})), wrong);
  EXPECT_EQ(refusal_of(with_corners({{0.3, 0.2}, {0.3, -0.2}, {-0.3, -0.2}, {-0.3, 0.2}})), wrong);  // clockwise
  EXPECT_EQ(refusal_of(with_corners({{0.3, 0.1}, {0.3, 0.2}, {-0.3, 0.2}, {-0.3, 0.1}})), wrong);    // beside it
  std::vector<Vec2> twice_around;
  for (int i = 0; i < 5; ++i) twice_around.push_back(unit_vector(i * 2 * kTwoPi / 5) * 0.3);
  EXPECT_EQ(refusal_of(with_corners(twice_around)), wrong);
  robot::Description robot = with_corners({{0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}});
  robot.footprint.radius = 0.1;
  EXPECT_EQ(refusal_of(robot), "the robot: footprint radius_m is not the distance of the farthest corner");
}

TEST(ModelBytes, LongAndStrangeNamesAreMadeFitToSend) {
  world::World world = make_world();
  world.name = "one\nline";
  world.materials[0].name = std::string(999, 'a') + "ü and more";
  world.doors[0].name = std::string(5000, 'd');
  const Content bytes = pack_model(world, make_robot());
  const auto bundle = unpack_model(bytes);
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_EQ(bundle->world.name, "one?line");
  EXPECT_EQ(bundle->world.materials[0].name, std::string(999, 'a'));
  EXPECT_EQ(bundle->world.doors[0].name.size(), 1000u);
  EXPECT_EQ(pack_model(bundle->world, bundle->robot), bytes);
}

TEST(ModelBytes, BundlesOfTheFirstVersionAreRefusedAsSuch) {
  Content bytes = pack_model(make_world(), make_robot());
  bytes[7] = '1';
  EXPECT_EQ(refusal(bytes),
            "the model bundle is of version 1, but must be of version 2: another version of forerun wrote it");
  bytes[7] = 'x';
  EXPECT_EQ(refusal(bytes), "the model bundle does not begin with FRMODEL2");
}

}  // namespace
}  // namespace forerun::sim
