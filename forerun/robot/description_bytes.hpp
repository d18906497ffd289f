// A robot's description as a flat sequence of bytes, to be sent to those who lack it. The layout is described in
// docs/formats.md.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::robot {

// Every number keeps all its bits. Equal descriptions give equal bytes.
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const Description& description);

// Takes only what `to_bytes` gives for a description whose fields are all in range, as those read from files are.
[[nodiscard]] Result<Description> description_from_bytes(Bytes bytes);

}  // namespace forerun::robot
