// Camera images, to those who look.
#include "forerun/sync/server.hpp"

#include <algorithm>

namespace forerun::sync {
namespace {

constexpr Duration kQuiet = from_seconds(0.04);  // before a report that is expected, and as long after that

}  // namespace

// Images are longer than the question: only to where the viewer is known to be.
void Server::on_look(ServerSession& session, Bytes body, const Address& from, RobotTime now) noexcept {
  if (from != session.address || !is_proved(session, now)) return;
  const auto look = image::decode_look(body);
  if (!look) return drop(Drop::malformed);
  if (!images_.on_look({session.id, session.role == Role::operate}, *look, now)) drop(Drop::busy);
}

// Reports come as usual, and the next is near: what goes out now would travel just before it, and hold it up on a link
// that keeps the order. When it does not come, the quiet ends.
std::optional<RobotTime> Server::end_of_quiet(RobotTime now) const noexcept {
  if (!published_) return std::nullopt;
  const Duration quiet = std::min(kQuiet, Duration{report_interval_.ns / 2});
  const RobotTime expected = *published_ + report_interval_;
  return now >= expected - quiet && now < expected + quiet ? std::optional(expected + quiet) : std::nullopt;
}

std::optional<RobotTime> Server::next_image() const noexcept {
  const auto due = n_to_send_ == 0 ? images_.due() : std::nullopt;
  if (!due) return std::nullopt;
  return end_of_quiet(*due).value_or(*due);
}

// Never before a report that is still to be sent.
void Server::send_images(RobotTime now, Outbox& outbox) noexcept {
  if (n_to_send_ > 0 || end_of_quiet(now)) return;
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
