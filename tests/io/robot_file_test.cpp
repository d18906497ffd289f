#include "forerun/io/robot_file.hpp"

#include <gtest/gtest.h>

#include "forerun/io/file.hpp"
#include "forerun/robot/description_bytes.hpp"

namespace forerun::io {
namespace {

const std::string kBody = "name: r\nheight_m: 1\nfootprint: {radius_m: 0.2}\n";
const std::string kDrive = "drive: {type: differential, base_m: 0.3}\n";

std::string complaint(const std::string& text) {
  const auto robot = parse_robot(text, "r.yaml");
  return robot ? "none" : robot.error().message;
}

robot::Description ready_made(const std::string& name) {
  const auto path = find_file(FileKind::robot, name);
  EXPECT_TRUE(path);
  const auto robot = load_robot(*path);
  EXPECT_TRUE(robot) << robot.error().message;
  return *robot;
}

TEST(RobotFile, RhinoIsTheRobotOfThePapers) {
  const robot::Description rhino = ready_made("rhino");
  EXPECT_EQ(rhino.drive.kind, robot::DriveKind::synchro);
  ASSERT_EQ(rhino.sensors.size(), 5u);
  for (const std::size_t i : {0u, 1u}) {
    const auto& laser = std::get<robot::Laser>(rhino.sensors[i]);
    EXPECT_EQ(laser.beams, 180);
    EXPECT_EQ(laser.rate_hz, 8);
    EXPECT_NEAR(laser.field_of_view, kPi, 1e-9);
  }
  EXPECT_NE(robot::seed_of(rhino.sensors[0]), robot::seed_of(rhino.sensors[1]));
  const auto& sonar = std::get<robot::SonarRing>(rhino.sensors[2]);
  EXPECT_EQ(sonar.count, 24);
  EXPECT_EQ(sonar.rays, 9);
  EXPECT_EQ(sonar.rate_hz, 4);
  EXPECT_EQ(std::get<robot::InfraredRing>(rhino.sensors[3]).count, 24);
  EXPECT_EQ(std::get<robot::BumperRing>(rhino.sensors[4]).count, 24);
  EXPECT_TRUE(rhino.footprint.is_disc());
}

TEST(RobotFile, CreateHasEncodersAndNoLaser) {
  const robot::Description create = ready_made("create");
  EXPECT_EQ(create.drive.kind, robot::DriveKind::differential);
  EXPECT_EQ(create.drive.ticks_per_turn, 508.8);
  EXPECT_EQ(robot::find_sensor<robot::Laser>(create.sensors), nullptr);
  // both wheels at one turn a second: half the circumference of 0.072 m a radian
  robot::WheelSpeeds speeds;
  speeds.push_back(1);
  speeds.push_back(1);
  EXPECT_NEAR(robot::body_twist(create.drive, speeds).vx, 0.036, 1e-12);
}

TEST(RobotFile, TurtleIsAsTheSpecificationSays) {
  const robot::Description turtle = ready_made("turtle");
  EXPECT_EQ(turtle.footprint.radius, 0.25);
  EXPECT_EQ(turtle.limits.max_speed, 0.5);
  EXPECT_EQ(turtle.limits.max_turn_rate, 1.0);
  const auto* laser = robot::find_sensor<robot::Laser>(turtle.sensors);
  ASSERT_NE(laser, nullptr);
  EXPECT_NEAR(laser->field_of_view, 1.5 * kPi, 1e-9);
}

// KEN-1: the published numbers, which are also what a crawler is when nothing else is said.
TEST(RobotFile, KenafIsAsPublished) {
  const robot::Description kenaf = ready_made("kenaf");
  ASSERT_TRUE(kenaf.crawler);
  EXPECT_NEAR(robot::total_mass(*kenaf.crawler), 20, 1e-9);
  EXPECT_EQ(kenaf.crawler->center_of_gravity, (Vec3{-0.015, 0, -0.05}));
  EXPECT_EQ(kenaf.crawler->friction, 1.3);
  const auto bytes = robot::to_bytes(kenaf);
  robot::Description usual = kenaf;
  usual.crawler = robot::Crawler{};
  EXPECT_EQ(robot::to_bytes(usual), bytes);
  const auto again = robot::description_from_bytes(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(robot::to_bytes(*again), bytes);
  ASSERT_TRUE(again->crawler);
  EXPECT_EQ(again->crawler->above.tilt, 0.7);
}

TEST(RobotFile, ACrawlerNeedsTwoSides) {
  EXPECT_NE(complaint(kBody + "drive: {type: synchro}\ncrawler: {body_mass_kg: 5}\n").find("left and right"),
            std::string::npos);
  EXPECT_NE(complaint(kBody + kDrive + "crawler: {body_mas_kg: 5}\n").find("body_mass_kg"), std::string::npos);
}

// Robots without one keep their bytes, and so their hash.
TEST(RobotFile, ACameraIsAppended) {
  const robot::Description scout = ready_made("scout");
  ASSERT_TRUE(scout.camera);
  EXPECT_EQ(scout.camera->place, (Vec3{0.2, 0, 0.45}));
  EXPECT_EQ(robot::front_camera(scout), &*scout.camera);
  const auto bytes = robot::to_bytes(scout);
  const auto again = robot::description_from_bytes(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(robot::to_bytes(*again), bytes);
  ASSERT_TRUE(again->camera);
  EXPECT_EQ(again->camera->tilt, 0.1);
  EXPECT_FALSE(again->crawler);
  robot::Description blind = scout;
  blind.camera.reset();
  EXPECT_EQ(robot::to_bytes(blind).size() + 4 + 40, bytes.size());
  EXPECT_EQ(robot::front_camera(blind), nullptr);
}

TEST(RobotFile, ACrawlersCamerasAreItsOwn) {
  const robot::Description kenaf = ready_made("kenaf");
  EXPECT_EQ(robot::front_camera(kenaf), &kenaf.crawler->front);
  EXPECT_NE(complaint(kBody + kDrive + "crawler: {body_mass_kg: 5}\ncamera: {x_m: 0.1}\n").find("front_camera"),
            std::string::npos);
  EXPECT_NE(complaint(kBody + kDrive + "camera: {field_of_view_rad: 3}\n").find("field_of_view_rad"),
            std::string::npos);
}

TEST(RobotFile, ARingWithoutMembersIsNoSensor) {
  const char* body = "name: a\nheight_m: 1\nfootprint: {radius_m: 0.2}\ndrive: {type: synchro}\n";
  const auto none = parse_robot(std::string(body) + "sonar: {count: 0}\n", "a.yaml");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->sensors.empty());
  const auto one = parse_robot(std::string(body) + "bumper: {count: 4}\n", "a.yaml");
  ASSERT_TRUE(one) << one.error().message;
  ASSERT_EQ(one->sensors.size(), 1u);
  EXPECT_EQ(robot::reading_size(one->sensors[0]), 4);
}

TEST(RobotFile, SslDrivesSideways) {
  const robot::Description ssl = ready_made("ssl");
  EXPECT_EQ(ssl.drive.n_wheels, 3);
  EXPECT_TRUE(ssl.drive.can_strafe());
  const robot::Twist twist{0.3, -0.4, 0.5};
  const robot::Twist back = robot::body_twist(ssl.drive, robot::wheel_speeds(ssl.drive, twist));
  EXPECT_NEAR(back.vx, twist.vx, 1e-9);
  EXPECT_NEAR(back.vy, twist.vy, 1e-9);
  EXPECT_NEAR(back.w, twist.w, 1e-9);
}

TEST(RobotFile, ASmallFileIsEnough) {
  const auto robot = parse_robot(kBody + kDrive, "r.yaml");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->name, "r");
  EXPECT_TRUE(robot->sensors.empty());
}

TEST(RobotFile, CarsHaveSteering) {
  for (const std::string type : {"car", "tricycle"}) {
    const std::string drive = "drive: {type: " + type + ", wheel_diameter_m: 0.2, base_m: 0.4, wheelbase_m: 0.5";
    const auto car = parse_robot(kBody + drive + ", steering_limit_rad: 0.5}", "r.yaml");
    ASSERT_TRUE(car) << car.error().message;
    EXPECT_EQ(robot::kDriveNames[static_cast<std::size_t>(car->drive.kind)], type);
    EXPECT_NEAR(car->drive.max_curvature, std::tan(0.5) / 0.5, 1e-12);
    EXPECT_EQ(car->drive.wheel_from_body[0][0], 10);
    EXPECT_EQ(complaint(kBody + drive + "}"), "r.yaml:4: drive.steering_limit_rad is missing");
  }
}

TEST(RobotFile, ControlSystemAndPlannerHaveNames) {
  const auto robot = parse_robot(kBody + kDrive + "control: {system: navigator, planner: value_iteration}", "r.yaml");
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->control_system, "navigator");
  const std::string unknown = complaint(kBody + kDrive + "control: {system: magic}");
  EXPECT_NE(unknown.find("control.system"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("navigator"), std::string::npos) << unknown;
  EXPECT_NE(complaint(kBody + kDrive + "control: {planner: dice}").find("value_iteration"), std::string::npos);
}

TEST(RobotFile, TracksSlip) {
  const auto wheels = parse_robot(kBody + "drive: {type: differential, base_m: 0.3}", "r.yaml");
  const auto tracks = parse_robot(kBody + "drive: {type: tracked, base_m: 0.3, slip: 2}", "r.yaml");
  ASSERT_TRUE(wheels && tracks);
  const robot::Twist turn{0, 0, 1};
  EXPECT_NEAR(robot::wheel_speeds(tracks->drive, turn)[1], 2 * robot::wheel_speeds(wheels->drive, turn)[1], 1e-12);
}

TEST(RobotFile, WheelsMayDiffer) {
  const auto robot = parse_robot(
      kBody + "drive: {type: differential, base_m: 0.3, left_diameter_m: 0.1, right_diameter_m: 0.2}", "r.yaml");
  ASSERT_TRUE(robot);
  const robot::WheelSpeeds speeds = robot::wheel_speeds(robot->drive, {1, 0, 0});
  EXPECT_NEAR(speeds[0], 2 * speeds[1], 1e-12);
}

TEST(RobotFile, CornersAreTurnedCounterClockwise) {
  const std::string head = "name: r\nheight_m: 1\n" + kDrive;
  const auto robot = parse_robot(head + "footprint: {corners_m: [[-1, 1], [1, 1], [1, -1], [-1, -1]]}", "r.yaml");
  ASSERT_TRUE(robot) << robot.error().message;
  const auto& corners = robot->footprint.corners;
  ASSERT_EQ(corners.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(cross(corners[i], corners[(i + 1) % 4]), 0);
  EXPECT_NEAR(robot->footprint.radius, std::sqrt(2.0), 1e-12);
}

TEST(RobotFile, OddFootprintsAreRefused) {
  const auto with = [](const std::string& footprint) {
    return complaint("name: r\nheight_m: 1\n" + kDrive + "footprint: " + footprint);
  };
  EXPECT_EQ(with("{corners_m: [[0, 0], [1, 0]]}"),
            "r.yaml:4: footprint.corners_m has 2 corners, but must have 3 to 12");
  EXPECT_EQ(with("{corners_m: [[-1, -1], [1, -1], [0, 0.1], [1, 1], [-1, 1]]}"),
            "r.yaml:4: footprint.corners_m is not convex, but must go once around a convex outline");
  EXPECT_EQ(with("{corners_m: [[1, 1], [2, 1], [2, 2]]}"),
            "r.yaml:4: footprint.corners_m does not enclose [0, 0], but the robot must turn about a point inside");
  EXPECT_EQ(with("{radius_m: 1, corners_m: [[-1, -1], [1, -1], [0, 1]]}"),
            "r.yaml:4: footprint.radius_m stands beside corners_m, but only one of the two is allowed");
  EXPECT_EQ(with("{}"), "r.yaml:4: footprint.radius_m is missing");
}

TEST(RobotFile, BadValuesAreNamed) {
  EXPECT_EQ(complaint(kBody + kDrive + "limits: {max_speed_mps: 50}"),
            "r.yaml:5: limits.max_speed_mps is 50, but must lie between 0.01 and 10");
  EXPECT_EQ(complaint(kBody + kDrive + "limits: {max_speed: 1}"),
            "r.yaml:5: limits has the unknown key \"max_speed\"; the nearest known one is \"max_speed_mps\"");
  EXPECT_EQ(complaint(kBody + kDrive + "sonar: {noise_m: .nan}"),
            "r.yaml:5: sonar.noise_m is .nan, but must be a finite number");
  EXPECT_EQ(complaint(kBody + kDrive + "lasers: [{min_range_m: 3, max_range_m: 2}]"),
            "r.yaml:5: lasers[0].min_range_m is 3, but must be less than max_range_m, which is 2");
  EXPECT_EQ(complaint(kBody + "drive: {type: legs}"),
            "r.yaml:4: drive.type is \"legs\", but must be synchro, differential, omni, tracked, car or tricycle");
  EXPECT_EQ(complaint(kBody), "r.yaml:1: drive is missing");
  EXPECT_EQ(
      complaint(kBody + "drive: {type: omni, bearings_deg: [0, 360, 90]}"),
      "r.yaml:4: drive.bearings_deg has two wheels less than 10 degrees apart, but they must stand farther apart");
  EXPECT_EQ(complaint(kBody + "drive: {type: omni, bearings_deg: [0, 90]}"),
            "r.yaml:4: drive.bearings_deg has 2 numbers, but must have 3 or 4");
  EXPECT_EQ(complaint(kBody + kDrive + "lasers: [{}, {}, {}, {}, {}]"),
            "r.yaml:5: lasers[4] is one laser too many: a robot may have 4");
}

TEST(RobotFile, AKeyOfAnotherDriveIsUnknown) {
  EXPECT_EQ(complaint(kBody + "drive: {type: synchro, base_m: 0.3}").substr(0, 43),
            "r.yaml:4: drive has the unknown key \"base_m");
}

}  // namespace
}  // namespace forerun::io
