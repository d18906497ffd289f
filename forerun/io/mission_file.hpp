// Missions as JSON: versioned, for one robot, with a checksum, and signed by an operator's key. Described in
// docs/formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::io {

inline constexpr std::size_t kLargestMission = std::size_t{64} << 20;  // [bytes]

// Whose key signed it, and the signature (net/signature.hpp).
struct MissionSignature {
  sync::Key key{};
  std::array<std::uint8_t, 96> value{};
};

struct MissionFile {
  mission::Mission mission;
  std::string content;  // what the checksum and the signature are about
  std::optional<MissionSignature> signature;
};

// Signs the content; ciphers live elsewhere.
using SignMission = std::function<MissionSignature(Bytes content)>;
[[nodiscard]] std::string write_mission(const mission::Mission& mission, const SignMission& sign = {});

// Refuses what is no mission, another version, or broken; a signature is read, and checked by whoever knows ciphers.
// `file` is the name used in messages.
[[nodiscard]] Result<MissionFile> parse_mission(std::string_view text, const std::string& file);
[[nodiscard]] Result<MissionFile> load_mission(const std::string& path);

// Knows a signature from a forged one.
using IsSignedBy = std::function<bool(const MissionSignature& signature, Bytes content)>;
// An error unless the mission is signed, and truly by the key that it names.
[[nodiscard]] Result<void> check_signature(const MissionFile& mission, const std::string& file,
                                           const IsSignedBy& is_signed);

// An error where the mission was made for another robot.
[[nodiscard]] Result<void> check_fits(const mission::Mission& mission, const robot::Description& robot,
                                      const std::string& file);

}  // namespace forerun::io
