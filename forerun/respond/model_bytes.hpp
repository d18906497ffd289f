// A learned response as bytes, as it travels with a robot's description. The layout is described in docs/formats.md.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/respond/model.hpp"

namespace forerun::respond {

// Weights are rounded to 32 bits: what is read is the model that everybody has, to the last bit.
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const Model& model);

// Takes only what `to_bytes` gives for a model that `check_model` finds right.
[[nodiscard]] Result<Model> model_from_bytes(Bytes bytes);

}  // namespace forerun::respond
