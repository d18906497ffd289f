#include "forerun/net/hindrance_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

namespace forerun::net {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

constexpr Field kBearing{-1000, 1000, "bearing"};
constexpr std::array kHeldBack{Field{0, 1, "share"}, Field{0, 1000, "distance"}, kBearing};
constexpr std::array kContact{kBearing, Field{0, 1e6, "seconds"}};

}  // namespace

void read_hindrance(ObjectReader& in, std::optional<robot::Hindrance>& hindrance) {
  Rows held_back, sides;
  bool said = in.rows("held_back", kHeldBack, 1, held_back);
  said = in.rows("contact", kContact, robot::Contact::kMostSides, sides) || said;
  if (!said) return;
  robot::Hindrance read;
  for (const auto& row : held_back) {
    if (row[0] > 0) read.held_back = robot::HeldBack{row[0], row[1], row[2]};
  }
  for (const auto& side : sides) {
    if (!read.contact) read.contact.emplace();
    read.contact->bearings.push_back(side[0]);
    read.contact->lasts = std::max(read.contact->lasts, side[1]);
  }
  hindrance = read;
}

void write_hindrance(const robot::Hindrance& hindrance, Json& json) {
  Json held_back = Json::array(), sides = Json::array();
  if (const auto& held = hindrance.held_back) held_back.push_back({held->share, held->distance, held->bearing});
  if (const auto& contact = hindrance.contact) {
    for (const double bearing : contact->bearings) sides.push_back({bearing, contact->lasts});
  }
  json["held_back"] = std::move(held_back);
  json["contact"] = std::move(sides);
}

}  // namespace forerun::net
