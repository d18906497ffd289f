#include "forerun/mapping/map_picture.hpp"

#include <cstdlib>

#include "forerun/draw/plan_picture.hpp"

namespace forerun::mapping {

Result<std::string> draw_map(const Mapper& mapper, const Grid<atlas::MapCell>& cells, double turn,
                             const std::string& title, const std::string& subtitle) {
  atlas::RosMap map;
  map.resolution = cells.frame().cell_size;
  map.origin = {cells.frame().origin.x, cells.frame().origin.y, 0};
  const auto world = atlas::extrude(map, cells, title);
  if (!world) return world.error();
  draw::PlanPicture picture(title);
  picture.set_subtitle(subtitle);
  picture.add_world(*world);

  std::vector<Vec2> way;
  for (const Pose2& pose : mapper.placed().poses) way.push_back(Pose2{0, 0, turn} * pose.position());
  for (const PoseLink& link : mapper.graph().links()) {
    if (std::abs(link.to - link.from) <= 1 || link.weight < 0.1) continue;
    const Vec2 ends[] = {way[static_cast<std::size_t>(link.from)], way[static_cast<std::size_t>(link.to)]};
    picture.add_path(ends, {.colour = "#2e8b57", .width_px = 0.8});
  }
  picture.add_path(way, {.width_px = 1.2, .label = "where it drove"});
  picture.add_start(Pose2{0, 0, turn} * mapper.placed().poses.front());
  return picture.svg();
}

}  // namespace forerun::mapping
