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
  if (!spend_greeting(now)) return drop(Drop::busy);

  Handshake handshake = Handshake::respond(cipher_, kPrologue, own_);
  std::array<std::uint8_t, kGreetingContentSize> content;
  if (!handshake.read_first(datagram.subspan(kHelloNoiseAt), content)) return drop(Drop::bad_greeting);
  const auto hello = decode_hello_content(content);
  if (!hello) return drop(Drop::malformed);
  const ServerSession* session = welcome(now, from, header.session, handshake, *hello, outbox);
  greetings_.remember(now, greeting, session != nullptr ? session->id : 0);
}

// A greeting that comes again, because the answer was lost or somebody replays it, changes nothing: it gets the same
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

// A bucket that fills at the allowed rate and holds one second's worth.
bool Server::spend_greeting(RobotTime now) noexcept {
  const double earned = std::max(0.0, to_seconds(now - budget_at_)) * params_.greetings_per_s;
  budget_at_ = now;
  greeting_budget_ = std::min(greeting_budget_ + earned, params_.greetings_per_s);
  if (greeting_budget_ < 1) return false;
  greeting_budget_ -= 1;
  return true;
}

Role Server::role_for(const Key& key, Role wanted) const noexcept {
  Role role = params_.anyone_may_watch ? Role::watch : Role::none;
  for (const AllowedKey& allowed : allowed_) {
    if (allowed.key == key) role = std::max(role, allowed.role);
  }
  return std::min(role, wanted);
}

// The new session, if there is one: who is not welcome is told so, under seal.
ServerSession* Server::welcome(RobotTime now, const Address& to, std::uint32_t viewer_session, Handshake& handshake,
                               const HelloContent& hello, Outbox& outbox) {
  const Role role = role_for(handshake.peer(), hello.wanted);
  ServerSession* session = role == Role::none ? nullptr : sessions_.add();
  if (session == nullptr) drop(role == Role::none ? Drop::not_allowed : Drop::busy);
  if (session == nullptr && role != Role::none) return nullptr;

  std::array<std::uint8_t, kGreetingContentSize> content;
  ByteWriter content_out(content);
  write(WelcomeContent{now.ns, session != nullptr ? session->id : 0, role}, content_out);
  WelcomeBytes datagram;
  ByteWriter out(datagram);
  write(GreetingHeader{DatagramType::welcome, kVersion, viewer_session}, out);
  if (!handshake.write_second(content, MutableBytes(datagram).subspan(kGreetingHeaderSize))) {
    if (session != nullptr) sessions_.remove(*session);
    drop(Drop::bad_greeting);
    return nullptr;
  }
  std::copy(datagram.begin(), datagram.end(), outbox.begin().begin());
  outbox.send(datagram.size(), to);
  ++counts_.sent;
  if (session == nullptr) return nullptr;

  session->role = role;
  session->address = to;
  session->peer = handshake.peer();
  session->heard_at = now;
  session->replaces = hello.replaces;
  session->transport = Transport(handshake.split(), viewer_session);
  session->welcome = std::make_unique<WelcomeBytes>(datagram);
  if (role == Role::operate) session->operating = std::make_unique<OperatorState>();
  return session;
}

}  // namespace forerun::sync
