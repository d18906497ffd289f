// Pictures as JPEG.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/physics/camera.hpp"

namespace forerun::physics {

// `quality` 1 … 100.
[[nodiscard]] Result<std::string> encode_jpeg(const Picture& picture, int quality);

}  // namespace forerun::physics
