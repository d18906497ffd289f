// Numbers and names as they stand in USARSim's lines.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "forerun/geom/rotation.hpp"

namespace forerun::bridge {

// Their axes: x ahead, y to the right, z down.
inline Vec3 theirs(Vec3 v) { return {v.x, -v.y, -v.z}; }
inline Vec3 theirs(const Attitude& a) { return {a.roll, -a.pitch, -a.yaw}; }

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 600> buffer{};
  const int n = std::snprintf(buffer.data(), buffer.size(), format, values...);
  return {buffer.data(), static_cast<std::size_t>(std::clamp(n, 0, static_cast<int>(buffer.size()) - 1))};
}

// As four digits have it, and never -0.
inline double rounded(double value) { return std::round(value * 1e4) / 1e4 + 0.0; }
inline std::string triple(Vec3 v) { return print("%.4f,%.4f,%.4f", rounded(v.x), rounded(v.y), rounded(v.z)); }

// What a name may hold without breaking the line that it stands in.
inline std::string clean(std::string_view text) {
  std::string made;
  for (const char c : text.substr(0, 60)) made += c > ' ' && c < 127 && c != '{' && c != '}' ? c : '_';
  return made;
}

}  // namespace forerun::bridge
