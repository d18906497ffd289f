// Every reader of foreign bytes, by name: fuzzed by the targets of this folder, and run over the corpus by the tests.
// A reader may refuse its input, but only with one sentence on one line; it never crashes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/base/check.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/glb.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/image.hpp"
#include "forerun/io/movingai.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/ros_map.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/io/world_yaml.hpp"

namespace forerun::fuzz {

// Whether the reader took the bytes.
template <class T>
bool check_answer(const Result<T>& result) {
  if (result) return true;
  FORERUN_CHECK(!result.error().message.empty());
  FORERUN_CHECK(result.error().message.find('\n') == std::string::npos);
  return false;
}

inline bool run_image(std::string_view bytes) { return check_answer(io::parse_image(bytes, "m.pgm")); }

// The first line break divides the YAML's settings, in one line of flow style, from the picture.
inline bool run_ros_map(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const Result<io::RosMap> map = io::parse_ros_map(bytes.substr(0, end), "m.yaml");
  if (!check_answer(map) || end == std::string_view::npos) return false;
  const Result<io::Image> image = io::parse_image(bytes.substr(end + 1), "m.pgm");
  if (!check_answer(image)) return false;
  return check_answer(io::extrude(*map, io::classify(*map, *image), "m.yaml"));
}

inline bool run_world_yaml(std::string_view bytes) { return check_answer(io::parse_world_yaml(bytes, "w.world.yaml")); }

inline bool run_robot_yaml(std::string_view bytes) { return check_answer(io::parse_robot(bytes, "r.yaml")); }

inline bool run_scenario_yaml(std::string_view bytes) { return check_answer(io::parse_scenario(bytes, "s.yaml")); }

inline bool run_movingai_map(std::string_view bytes) { return check_answer(io::parse_movingai_map(bytes, "m.map")); }

inline bool run_movingai_scen(std::string_view bytes) {
  return check_answer(io::parse_movingai_problems(bytes, "m.scen", {512, 512, 1, {}}));
}

// What was read is written and read again: it must be the same.
inline bool run_glb(std::string_view bytes) {
  const Result<world::World> world = io::parse_glb(bytes, "w.glb");
  if (!check_answer(world)) return false;
  const std::string once = io::encode_glb(*world);
  const Result<world::World> back = io::parse_glb(once, "w.glb");
  FORERUN_CHECK(back.ok());
  FORERUN_CHECK(back->triangles.size() == world->triangles.size());
  FORERUN_CHECK(io::encode_glb(*back) == once);
  return true;
}

inline bool run_drive_log(std::string_view bytes) {
  if (!io::is_gzip(bytes)) return check_answer(io::parse_drive_log(bytes, "d.csv"));
  const Result<std::string> text = io::unpack_gzip(bytes, "d.csv.gz", std::size_t{1} << 20);
  return check_answer(text) && check_answer(io::parse_drive_log(*text, "d.csv"));
}

struct Entry {
  const char* name;
  bool (*run)(std::string_view bytes);
};

inline constexpr std::array<Entry, 9> kEntries{{
    {"image", run_image},
    {"ros_map", run_ros_map},
    {"world_yaml", run_world_yaml},
    {"robot_yaml", run_robot_yaml},
    {"scenario_yaml", run_scenario_yaml},
    {"movingai_map", run_movingai_map},
    {"movingai_scen", run_movingai_scen},
    {"glb", run_glb},
    {"drive_log", run_drive_log},
}};

}  // namespace forerun::fuzz
