// A mission as a page sends it: in parts, each of which fits into a message.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::watch {

class MissionParts {
 public:
  // The whole, when this was the last part. Parts come in their order, from one browser; the first one begins anew. An
  // error where they do not, or where the whole is larger than a robot takes.
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> take(web::BrowserId browser,
                                                                      const web::MissionPart& part);

 private:
  web::BrowserId browser_ = 0;
  std::uint32_t next_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace forerun::watch
