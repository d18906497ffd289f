#include "forerun/wasm/model.hpp"

#include <cmath>
#include <utility>

#include "forerun/sim/resting.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/results.hpp"

namespace forerun::wasm {

bool is_place(double x, double y) noexcept {
  constexpr double kFarthest = 1e6;
  return std::fabs(x) <= kFarthest && std::fabs(y) <= kFarthest;
}

Result<std::shared_ptr<const Model>> make_model(Bytes bytes) {
  if (auto room = check_room("the model bundle", bytes_to_unpack(bytes.size())); !room) return room.error();
  auto bundle = sim::unpack_model(bytes);
  if (!bundle) return bundle.error();
  const double needed =
      bytes_for_plan(bundle->world, bundle->robot.control.cell_size) + bytes_for_sensors(bundle->world, bundle->robot);
  if (auto room = check_room("the world " + bundle->world.name, needed); !room) return room.error();
  auto replica = predict::make_replica_model(bundle->world, bundle->robot);
  if (!replica) return replica.error();
  return std::shared_ptr<const Model>(new Model{std::move(*bundle), std::move(*replica)});
}

}  // namespace forerun::wasm

using forerun::robot::Description;
using forerun::wasm::give;
using forerun::wasm::refuse;
using forerun::wasm::results;
using forerun::world::World;

namespace {

int32_t give_text(const std::string& text) {
  results().text = text;
  return static_cast<int32_t>(text.size());
}

}  // namespace

ForerunModel* forerun_model_create(const uint8_t* bytes, uint32_t size) {
  auto model = forerun::wasm::make_model({bytes, size});
  if (!model) {
    refuse(model.error().message);
    return nullptr;
  }
  return new ForerunModel{.model = std::move(*model)};
}

void forerun_model_free(ForerunModel* model) { delete model; }

int32_t forerun_world_name(ForerunModel* model) { return give_text(model->model->bundle.world.name); }

int32_t forerun_robot_name(ForerunModel* model) { return give_text(model->model->bundle.robot.name); }

int32_t forerun_material_name(ForerunModel* model, int32_t index) {
  const auto& materials = model->model->bundle.world.materials;
  if (index < 0 || static_cast<std::size_t>(index) >= materials.size()) {
    return refuse("there are only " + std::to_string(materials.size()) + " materials");
  }
  return give_text(materials[static_cast<std::size_t>(index)].name);
}

int32_t forerun_world_triangles(ForerunModel* model) {
  const World& world = model->model->bundle.world;
  constexpr std::size_t kNumbers = 10;
  const std::size_t size = kNumbers * world.triangles.size();
  if (auto room = forerun::wasm::check_room("the world " + world.name, 8.0 * static_cast<double>(size)); !room) {
    return refuse(room.error().message);
  }
  auto& numbers = results().numbers;
  numbers.clear();
  numbers.reserve(size);
  for (const auto& t : world.triangles) {
    for (const auto& corner : {t.a, t.b, t.c}) {
      for (const double coordinate : {corner.x, corner.y, corner.z}) numbers.push_back(coordinate);
    }
    numbers.push_back(t.material);
  }
  return static_cast<int32_t>(world.triangles.size());
}

int32_t forerun_world_materials(ForerunModel* model) {
  give({});
  for (const auto& m : model->model->bundle.world.materials) {
    for (const double share : {m.red, m.green, m.blue}) results().numbers.push_back(share);
  }
  return static_cast<int32_t>(model->model->bundle.world.materials.size());
}

int32_t forerun_world_doors(ForerunModel* model) {
  give({});
  for (const auto& d : model->model->bundle.world.doors) {
    for (const double number : {d.hinge.x, d.hinge.y, d.width, d.height, d.thickness, d.closed_angle, d.open_angle,
                                static_cast<double>(d.material), d.open ? 1.0 : 0.0}) {
      results().numbers.push_back(number);
    }
  }
  return static_cast<int32_t>(model->model->bundle.world.doors.size());
}

int32_t forerun_robot_corners(ForerunModel* model) {
  give({});
  const auto& corners = model->model->bundle.robot.footprint.corners;
  for (const auto& corner : corners) {
    for (const double coordinate : {corner.x, corner.y}) results().numbers.push_back(coordinate);
  }
  return static_cast<int32_t>(corners.size());
}

int32_t forerun_robot_body(ForerunModel* model) {
  const Description& robot = model->model->bundle.robot;
  const auto* sonar = forerun::robot::find_sensor<forerun::robot::SonarRing>(robot.sensors);
  const double cone_angle = (sonar != nullptr ? *sonar : forerun::robot::SonarRing{}).cone_angle;
  give({robot.footprint.radius, robot.height, robot.limits.max_speed, robot.limits.max_turn_rate, robot.control.period,
        robot.control.goal_tolerance, cone_angle});
  return 1;
}

int32_t forerun_robot_crawler(ForerunModel* model) {
  const auto& crawler = model->model->bundle.robot.crawler;
  if (!crawler) return 0;
  const forerun::robot::Crawler& c = *crawler;
  give({c.body_size.x, c.body_size.y, c.body_size.z, c.track_length, c.track_radius, c.track_offset, c.hinge.x,
        c.hinge.y, c.flipper_length, c.hinge_radius, c.tip_radius, c.flipper_limit});
  return 1;
}

int32_t forerun_rest(ForerunModel* model, double x, double y, double heading, double height) {
  const auto& bundle = model->model->bundle;
  if (!bundle.robot.crawler) return refuse("this robot has no tracks");
  if (!std::isfinite(x + y + heading + height)) return refuse("a place is not a number");
  const auto rests = forerun::sim::rest(bundle.world.terrain, *bundle.robot.crawler, {x, y, heading}, height);
  if (!rests) return refuse("there is no ground");
  give({rests->height, rests->roll, rests->pitch});
  return FORERUN_OK;
}
