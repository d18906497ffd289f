// How a mission is written down, for a program and for a page alike: JSON, described in docs/formats.md. `io` reads it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "forerun/mission/mission.hpp"

namespace forerun::mission {

inline constexpr const char* kMissionMark = "forerun_mission";
inline constexpr int kMissionVersion = 1;
inline constexpr int kActingVersion = 2;  // of a mission with actions: who does not know them refuses it

// What the checksum and a signature are about: JSON without spaces and line breaks. Numbers read back to the same bits.
[[nodiscard]] std::string write_content(const Mission& mission);
// [[12.35,"photo"],…]
[[nodiscard]] std::string write_actions(std::span<const Action> actions);

// 16 hexadecimal digits.
[[nodiscard]] std::string checksum_of(std::string_view content);

// The whole file. `version`: see version_of. `signature`: a JSON value, or nothing where it is not signed.
[[nodiscard]] std::string write_document(int version, std::string_view content, std::string_view signature = {});

[[nodiscard]] inline int version_of(const Mission& mission) noexcept {
  return mission.actions.empty() ? kMissionVersion : kActingVersion;
}

}  // namespace forerun::mission
