#include "forerun/watch/mission_parts.hpp"

#include <utility>

#include "forerun/io/base64.hpp"
#include "forerun/sync/delivery.hpp"

namespace forerun::watch {

Result<std::optional<std::vector<std::uint8_t>>> MissionParts::take(web::BrowserId browser,
                                                                    const web::MissionPart& part) {
  if (part.part == 0) {
    browser_ = browser;
    next_ = 0;
    bytes_.clear();
  }
  const auto decoded = io::decode_base64(part.base64);
  const bool in_order = browser == browser_ && part.part == next_ && part.part < part.of;
  if (!in_order || !decoded) {
    browser_ = 0;
    return Error{"the mission's parts must come in their order, each in base64"};
  }
  if (bytes_.size() + decoded->size() > sync::Inbox::kMostBytes) {
    browser_ = 0;
    return Error{"the mission is larger than a robot takes"};
  }
  bytes_.insert(bytes_.end(), decoded->begin(), decoded->end());
  if (++next_ < part.of) return std::optional<std::vector<std::uint8_t>>();
  browser_ = 0;
  return std::optional(std::exchange(bytes_, {}));
}

}  // namespace forerun::watch
