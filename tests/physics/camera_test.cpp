#include "forerun/physics/camera.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forerun/atlas/setting.hpp"
#include "forerun/physics/crawler_shape.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::physics {
namespace {

// Every material its own colour, all of them bright.
world::World coloured(world::World world) {
  for (std::size_t i = 0; i < world.materials.size(); ++i) {
    auto& m = world.materials[i];
    m.red = ((i + 1) & 1) != 0 ? 0.9 : 0.1;
    m.green = ((i + 1) & 2) != 0 ? 0.9 : 0.1;
    m.blue = ((i + 1) & 4) != 0 ? 0.9 : 0.1;
  }
  return world;
}

// The material whose colour has the same channels bright.
int material_of(const Picture& picture, int column, int row) {
  const auto* rgb = picture.rgb.data() + 3 * (row * picture.width + column);
  const int brightest = std::max({rgb[0], rgb[1], rgb[2]});
  int bits = 0;
  for (int i = 0; i < 3; ++i) bits |= 2 * rgb[i] > brightest ? 1 << i : 0;
  return bits - 1;
}

// A second road: the ray through each pixel meets the surface that the picture shows.
TEST(CameraView, ShowsWhatRaysMeet) {
  const world::World world = coloured(*atlas::load_named_world("kenaf-course"));
  ASSERT_LE(world.materials.size(), 7u);
  const world::RayCaster rays(world);
  CameraView view(world);
  Picture picture;
  int n = 0, wrong = 0;
  for (const auto& [place, attitude] : {std::pair{Vec3{-1, 0, 0.9}, Attitude{0, 0.15, 0}},
                                        {{3, -2, 0.5}, {0.2, 0.1, 1}},
                                        {{9, 1, 0.3}, {-0.1, -0.2, 3}}}) {
    const Camera camera{place, rotation(attitude), 0.9, 80, 60};
    view.draw(camera, {}, picture);
    const double scale = 30 / std::tan(0.45);
    for (int row = 0; row < 60; ++row) {
      for (int column = 0; column < 80; ++column) {
        const Vec3 d =
            camera.axes.x + camera.axes.y * ((40 - column - 0.5) / scale) + camera.axes.z * ((30 - row - 0.5) / scale);
        const world::Hit hit = rays.cast({camera.place, d * (1 / length(d))});
        if (!hit.found()) continue;
        ++n;
        if (material_of(picture, column, row) != hit.material) ++wrong;
      }
    }
  }
  EXPECT_GT(n, 7000);
  EXPECT_LT(wrong, n / 200);  // at edges
}

TEST(CameraView, NothingIsSky) {
  world::World world;
  world.materials.push_back({});
  Picture picture;
  CameraView(world).draw({{0, 0, 1}, {}, 0.8, 4, 3}, {}, picture);
  ASSERT_EQ(picture.rgb.size(), 36u);
  for (std::size_t i = 3; i < 36; ++i) EXPECT_EQ(picture.rgb[i], picture.rgb[i - 3]);
}

// What reaches behind the camera is cut, not turned inside out.
TEST(CameraView, TheFloorUnderTheCameraFillsTheLowerHalf) {
  world::World world;
  world.materials.push_back({.red = 1, .green = 0, .blue = 0});
  world.triangles = {{{-1000, -1000, 0}, {3000, -1000, 0}, {-1000, 3000, 0}, 0}};
  Picture picture;
  CameraView(world).draw({{0, 0, 1}, {}, 0.8, 40, 40}, {}, picture);
  for (int row = 0; row < 40; ++row) {
    const auto* rgb = picture.rgb.data() + 3 * (row * 40 + 20);
    EXPECT_EQ(rgb[0] > 3 * rgb[2], row >= 20) << row;
  }
}

// The upper camera looks down on the robot itself, and sees its flippers move.
TEST(CrawlerShape, IsSeenFromItsOwnCameras) {
  world::World world;
  world.materials.push_back({});
  CameraView view(world);
  const robot::Crawler crawler;
  CrawlerState state;
  state.position = {1, 2, 0.09};
  state.attitude = {0.1, -0.2, 2};
  const auto seen = [&](const robot::Eye& eye) {
    std::vector<ColouredTriangle> triangles;
    add_shape(crawler, state, triangles);
    Camera camera = camera_on(eye, state);
    camera.width = 64;
    camera.height = 48;
    Picture empty, picture;
    view.draw(camera, {}, empty);
    view.draw(camera, triangles, picture);
    int n = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) n += picture.rgb[i + 2] != empty.rgb[i + 2] ? 1 : 0;
    return static_cast<double>(n) / (64 * 48);
  };
  const double level = seen(crawler.above);
  EXPECT_GT(level, 0.1);
  EXPECT_LT(level, 0.8);
  state.flippers = {kPi / 2, kPi / 2, kPi / 2, kPi / 2};
  EXPECT_NE(seen(crawler.above), level);
}

TEST(CrawlerShape, PanTurnsToTheLeftAndTiltDown) {
  const robot::Crawler crawler;
  const Camera straight = camera_on(crawler.front, {}), turned = camera_on(crawler.front, {}, {0.5, 0.3, 0.2});
  EXPECT_GT(turned.axes.x.y, straight.axes.x.y + 0.3);
  EXPECT_LT(turned.axes.x.z, straight.axes.x.z - 0.2);
  EXPECT_EQ(turned.field_of_view, 0.2);
  EXPECT_EQ(straight.field_of_view, crawler.front.field_of_view);
}

}  // namespace
}  // namespace forerun::physics
