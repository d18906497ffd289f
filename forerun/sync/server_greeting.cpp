// How the robot side meets strangers: token first, then the handshake, then a session that must be confirmed.
#include <algorithm>

#include "forerun/sync/prologue.hpp"
#include "forerun/sync/server.hpp"

namespace forerun::sync {

void Server::on_hello(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  // a greeting of any version is at least as long as the answer to it
  if (datagram.size() < kHelloSize) return drop(Drop::too_short);
  ByteReader in(datagram);
  const GreetingHeader header = read_greeting_header(in);
  if (header.version != kVersion) {
    drop(Drop::wrong_version);
    return send_retry(now, from, header.session, outbox);
  }
  if (datagram.size() > kHelloSize) return drop(Drop::too_long);
  Token token;
  const Bytes shown = in.bytes(kTokenSize);
  std::copy(shown.begin(), shown.end(), token.begin());
  if (!tokens_.is_good(token, now, from)) {
    // a first greeting has none: that is no offence
    if (token != Token{}) drop(Drop::bad_token);
    return send_retry(now, from, header.session, outbox);
  }
  const std::uint64_t greeting = ByteReader(datagram.subspan(kHelloNoiseAt)).u64();
  if (greeted_before(from, greeting, outbox)) return;
  if (greeting_budget_.spend({now.ns}, 1, params_.greetings_per_s, params_.greetings_per_s) < 1)
    return drop(Drop::busy);

  Handshake handshake = Handshake::respond(cipher_, make_prologue(datagram), own_);
  std::array<std::uint8_t, kGreetingContentSize> content;
  if (!handshake.read_first(datagram.subspan(kHelloNoiseAt), content)) return drop(Drop::bad_greeting);
  const auto hello = decode_hello_content(content);
  if (!hello) return drop(Drop::malformed);
  const Greeted greeted = welcome(now, from, header.session, handshake, *hello, outbox);
  if (greeted.answered) greetings_.remember(now, greeting, greeted.session);
}

// A greeting that comes again, because the answer was lost or someone replays it, changes nothing: it gets the same
// answer for as long as the session waits to be used.
bool Server::greeted_before(const Address& from, std::uint64_t greeting, Outbox& outbox) noexcept {
  const auto id = greetings_.find(greeting);
  if (!id) return false;
  const ServerSession* session = sessions_.find(*id);
  if (session == nullptr || !session->welcome || session->address != from) {
    drop(Drop::replayed);
    return true;
  }
  std::copy(session->welcome->begin(), session->welcome->end(), outbox.begin().begin());
  outbox.send(kWelcomeSize, from);
  ++counts_.sent;
  return true;
}

void Server::send_retry(RobotTime now, const Address& to, std::uint32_t viewer_session, Outbox& outbox) noexcept {
  ByteWriter out(outbox.begin());
  write(GreetingHeader{DatagramType::retry, kVersion, viewer_session}, out);
  out.bytes(tokens_.make(now, to));
  outbox.send(out.size(), to);
  ++counts_.sent;
}

Role Server::role_for(const Key& key, Role wanted) const noexcept {
  Role role = params_.anyone_may_watch ? Role::watch : Role::none;
  for (const AllowedKey& allowed : allowed_) {
    if (allowed.key == key) role = std::max(role, allowed.role);
  }
  return std::min(role, wanted);
}

bool Server::is_allowed(const Key& key) const noexcept {
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const AllowedKey& allowed) { return allowed.key == key; });
}

bool Server::has_room_for(const Key& key) const noexcept {
  return sessions_.size() < params_.max_sessions || is_allowed(key);
}

bool Server::send_welcome(const Address& to, std::uint32_t viewer_session, Handshake& handshake,
                          const WelcomeContent& content, WelcomeBytes& datagram, Outbox& outbox) noexcept {
  std::array<std::uint8_t, kGreetingContentSize> body;
  ByteWriter content_out(body);
  write(content, content_out);
  ByteWriter out(datagram);
  write(GreetingHeader{DatagramType::welcome, kVersion, viewer_session}, out);
  if (!handshake.write_second(body, MutableBytes(datagram).subspan(kGreetingHeaderSize))) return false;
  std::copy(datagram.begin(), datagram.end(), outbox.begin().begin());
  outbox.send(datagram.size(), to);
  ++counts_.sent;
  return true;
}

// A session, or the word that there is none: who is not welcome, or finds no room, is told so under seal.
Server::Greeted Server::welcome(RobotTime now, const Address& to, std::uint32_t viewer_session, Handshake& handshake,
                                const HelloContent& hello, Outbox& outbox) {
  const Role role = role_for(handshake.peer(), hello.wanted);
  ServerSession* session = role != Role::none && has_room_for(handshake.peer()) ? sessions_.add() : nullptr;
  WelcomeBytes datagram;
  if (session == nullptr) {
    drop(role == Role::none ? Drop::not_allowed : Drop::busy);
    const WelcomeContent none{now.ns, role == Role::none ? 0 : kNoRoom, Role::none, clock_};
    // a full house is not remembered: the same greeting may find room a moment later
    const bool sent = send_welcome(to, viewer_session, handshake, none, datagram, outbox);
    return {.answered = sent && role == Role::none};
  }
  if (!send_welcome(to, viewer_session, handshake, {now.ns, session->id, role, clock_}, datagram, outbox)) {
    sessions_.remove(*session);
    drop(Drop::bad_greeting);
    return {};
  }
  session->role = role;
  session->wanted = hello.wanted;
  session->clock = hello.clock;
  session->address = to;
  session->peer = handshake.peer();
  session->heard_at = session->proved_at = now;
  session->replaces = hello.replaces;
  session->transport = Transport(handshake.split(), viewer_session);
  session->welcome = std::make_unique<WelcomeBytes>(datagram);
  if (role == Role::operate) session->operating = std::make_unique<OperatorState>();
  return {.answered = true, .session = session->id};
}

}  // namespace forerun::sync
