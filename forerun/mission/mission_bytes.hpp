// A mission as it travels: short, in whole numbers, and signed by who brings it. The layout is described in
// docs/formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/mission.hpp"

namespace forerun::mission {

// Places to a tenth of a millimetre, headings to 0.01 mrad, times to 0.1 ms. An error where a number does not fit.
[[nodiscard]] Result<std::vector<std::uint8_t>> to_bytes(const Mission& mission);
// Takes nothing that no robot could drive: at least two points, in the order of their times, the first one at 0.
[[nodiscard]] Result<Mission> mission_from_bytes(Bytes bytes);

// Who signed the bytes of a mission, and how.
struct Seal {
  std::array<std::uint8_t, 32> key{};
  std::array<std::uint8_t, 96> signature{};
};
[[nodiscard]] std::vector<std::uint8_t> pack_signed(const Seal& seal, Bytes mission);

struct SignedMission {
  Seal seal;
  Bytes mission;  // what is signed; points into what was unpacked
};
[[nodiscard]] std::optional<SignedMission> unpack_signed(Bytes object) noexcept;

}  // namespace forerun::mission
