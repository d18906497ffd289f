#include "forerun/serve/mission_desk.hpp"

#include <utility>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/signature.hpp"

namespace forerun::serve {

robot::Reply MissionDesk::take(const sync::BroughtObject& brought) {
  using robot::Refusal;
  if (brought.kind != sync::ObjectKind::mission) {
    return robot::refuse(Refusal::not_able, "this robot takes missions only");
  }
  const auto read = mission::unpack_signed(brought.bytes);
  if (!read) return robot::refuse(Refusal::malformed, "it is no mission");
  if (read->seal.key != brought.who) {
    return robot::refuse(Refusal::other, "the mission is not signed by who brings it");
  }
  if (!net::is_signed_by(read->seal.key, read->mission, read->seal.signature)) {
    return robot::refuse(Refusal::other, "the mission's signature does not fit");
  }
  auto mission = mission::mission_from_bytes(read->mission);
  if (!mission) return robot::refuse(Refusal::malformed, mission.error().message);
  const robot::Reply reply = pilot_.give(brought.number, std::move(*mission));
  if (reply.state != robot::Reply::State::accepted) return reply;
  number_ = brought.number;
  object_.assign(brought.bytes.begin(), brought.bytes.end());
  return reply;
}

}  // namespace forerun::serve
