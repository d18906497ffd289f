// Camera images, to those who look.
#include "forerun/sync/server.hpp"

namespace forerun::sync {

// Images are longer than the question: only to where the viewer is known to be.
void Server::on_look(ServerSession& session, Bytes body, const Address& from, RobotTime now) noexcept {
  if (from != session.address || !is_proved(session, now)) return;
  const auto look = image::decode_look(body);
  if (!look) return drop(Drop::malformed);
  if (!images_.on_look({session.id, session.role == Role::operate}, *look, now)) drop(Drop::busy);
}

// Never before a report that is still to be sent.
void Server::send_images(RobotTime now, Outbox& outbox) noexcept {
  if (n_to_send_ > 0) return;
  const auto due = images_.next(now);
  if (!due) return;
  ServerSession* session = sessions_.find(due->session);
  const bool there = session != nullptr && session->state == ServerSession::State::open && is_proved(*session, now);
  if (!there) return images_.forget(due->session);
  std::array<std::uint8_t, image::kHeaderSize + image::kLargestPart> body;
  Draft draft(session->transport, cipher_, outbox, now.ns);
  draft.add(FrameKind::image, encode(due->part, body));
  send(*session, draft, session->address, now);
  ++counts_.image_parts;
}

}  // namespace forerun::sync
