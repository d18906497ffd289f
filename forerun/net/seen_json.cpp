#include "forerun/net/seen_json.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace forerun::net {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;
using robot::Change;

constexpr Field kX{-1e5, 1e5, "x"}, kY{-1e5, 1e5, "y"};
constexpr std::array kBox{kX, kY, Field{-1000, 1000, "heading"}, Field{0, 5.1, "length"}, Field{0, 5.1, "width"}};
constexpr std::array kDoor{Field{0, 65534, "number"}, Field{0, 1, "opening"}};
constexpr std::array kMoving{kX, kY, Field{-16, 16, "vx"}, Field{-16, 16, "vy"}, Field{0, 2.55, "radius"}};

}  // namespace

void read_seen(ObjectReader& in, std::optional<robot::SeenThings>& seen) {
  robot::SeenThings read;
  Rows boxes, doors, moving;
  const std::size_t most = read.changes.capacity();
  bool said = in.rows("seen_boxes", kBox, most, boxes);
  said = in.rows("seen_doors", kDoor, most, doors) || said;
  said = in.rows("seen_moving", kMoving, read.moving.capacity(), moving) || said;
  if (!said) return;
  if (boxes.size() + doors.size() > most) {
    return in.fail("seen_boxes and seen_doors have more than " + std::to_string(most) + " rows together");
  }
  for (const auto& d : doors) {
    if (d[0] == std::floor(d[0])) continue;
    return in.fail("seen_doors has door " + Json(d[0]).dump() + ", but the number of a door is whole");
  }
  std::uint16_t number = 0;
  for (const auto& b : boxes) {
    read.changes.push_back(
        {.number = ++number, .pose = {b[0], b[1], b[2]}, .half_length = b[3] / 2, .half_width = b[4] / 2});
  }
  for (const auto& d : doors) {
    read.changes.push_back(
        {.number = ++number, .kind = Change::Kind::door, .door = static_cast<std::uint16_t>(d[0]), .opening = d[1]});
  }
  for (const auto& m : moving) read.moving.push_back({{m[0], m[1]}, {m[2], m[3]}, m[4]});
  seen = read;
}

void write_seen(const robot::SeenThings& seen, Json& json) {
  Json boxes = Json::array(), doors = Json::array(), moving = Json::array();
  for (const Change& c : seen.changes) {
    if (c.kind == Change::Kind::door) {
      doors.push_back({c.door, c.opening});
    } else {
      boxes.push_back({c.pose.x, c.pose.y, c.pose.theta, 2 * c.half_length, 2 * c.half_width});
    }
  }
  for (const robot::MovingThing& m : seen.moving) {
    moving.push_back({m.position.x, m.position.y, m.velocity.x, m.velocity.y, m.radius});
  }
  json["seen_boxes"] = std::move(boxes);
  json["seen_doors"] = std::move(doors);
  json["seen_moving"] = std::move(moving);
}

}  // namespace forerun::net
