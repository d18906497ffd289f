#include "forerun/atlas/palette.hpp"

namespace forerun::atlas {

namespace {

constexpr double radians(double degrees) { return degrees * kPi / 180; }

world::Material make(const char* name, double red, double green, double blue, double angle_deg, double slope_deg,
                     double range_deg) {
  return {name, red, green, blue, radians(angle_deg), radians(slope_deg), radians(range_deg)};
}

}  // namespace

const std::vector<world::Material>& common_materials() {
  // name, colour, then: angle with a sure echo [°], its fall per metre [°/m], range over which echoes die out [°]
  static const std::vector<world::Material> materials{
      make("plaster", 0.80, 0.78, 0.72, 32, 2.0, 20),  make("concrete", 0.45, 0.45, 0.44, 38, 2.0, 22),
      make("wood", 0.42, 0.25, 0.12, 36, 2.5, 22),     make("metal", 0.35, 0.38, 0.42, 18, 1.5, 10),
      make("glass", 0.55, 0.72, 0.75, 14, 1.5, 8),     make("cloth", 0.16, 0.25, 0.42, 60, 4.0, 25),
      make("leaves", 0.10, 0.30, 0.08, 65, 3.0, 25),   make("stone", 0.62, 0.60, 0.55, 28, 2.0, 18),
      make("linoleum", 0.52, 0.50, 0.45, 25, 2.0, 15), make("carpet", 0.30, 0.32, 0.36, 55, 4.0, 25),
      make("paper", 0.75, 0.70, 0.58, 45, 3.0, 22),
  };
  return materials;
}

std::int32_t Palette::use(const std::string& name, world::World& world) const {
  for (std::size_t i = 0; i < world.materials.size(); ++i) {
    if (world.materials[i].name == name) return static_cast<std::int32_t>(i);
  }
  for (const auto* materials : {&own_, &common_materials()}) {
    for (const world::Material& material : *materials) {
      if (material.name != name) continue;
      world.materials.push_back(material);
      return static_cast<std::int32_t>(world.materials.size() - 1);
    }
  }
  return -1;
}

std::vector<std::string> Palette::names() const {
  std::vector<std::string> names;
  for (const auto* materials : {&own_, &common_materials()}) {
    for (const world::Material& material : *materials) names.push_back(material.name);
  }
  return names;
}

}  // namespace forerun::atlas
