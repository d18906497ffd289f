// The materials that a world can name: its own, and the ones that every world has.
#pragma once

#include <string>
#include <vector>

#include "forerun/world/world.hpp"

namespace forerun::atlas {

// Colours are linear; the acoustic values follow PSS-3: rough surfaces answer from the side, smooth ones do not.
[[nodiscard]] const std::vector<world::Material>& common_materials();

class Palette {
 public:
  // A material of the world itself; it hides a common one of the same name.
  void add(const world::Material& material) { own_.push_back(material); }
  // The place of the material in `world`, where it is entered at its first use; −1 when it is unknown.
  [[nodiscard]] std::int32_t use(const std::string& name, world::World& world) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::vector<world::Material> own_;
};

}  // namespace forerun::atlas
