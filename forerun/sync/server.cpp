#include "forerun/sync/server.hpp"

#include <algorithm>
#include <utility>

namespace forerun::sync {
namespace {

constexpr Duration kSweepPeriod = from_seconds(1);
// Viewers that get reports this often learn the clock from them; others get an answer of their own.
constexpr Duration kOftenEnough = from_seconds(0.25);
constexpr std::size_t kChallengeSize = kDataHeaderSize + kStampSize + kFrameHeaderSize + 8 + kTagSize;

}  // namespace

Server::Server(Cipher& cipher, const KeyPair& own, std::vector<AllowedKey> allowed, RobotSide& robot,
               const ServerParams& params, RobotTime now)
    : cipher_(cipher),
      own_(own),
      allowed_(std::move(allowed)),
      params_(params),
      tokens_(cipher, from_seconds(params.token_life_s)),
      sessions_(params.max_sessions),
      gate_(robot, params.gate, now),
      greetings_(from_seconds(params.token_life_s)),
      greeting_budget_(params.greetings_per_s),
      budget_at_(now),
      next_sweep_(now + kSweepPeriod) {}

void Server::receive(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  ++counts_.received;
  if (datagram.empty()) return drop(Drop::too_short);
  if (datagram.size() > kLargestDatagram) return drop(Drop::too_long);
  switch (static_cast<DatagramType>(datagram[0])) {
    case DatagramType::hello:
      return on_hello(now, from, datagram, outbox);
    case DatagramType::data:
      return on_data(now, from, datagram, outbox);
    case DatagramType::retry:
    case DatagramType::welcome:
      return drop(Drop::unexpected);
  }
  drop(Drop::unknown_type);
}

void Server::on_data(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  if (datagram.size() < kDataHeaderSize) return drop(Drop::too_short);
  ByteReader header(datagram);
  ServerSession* session = sessions_.find(read_data_header(header).session);
  if (session == nullptr) return drop(Drop::no_session);
  std::array<std::uint8_t, kLargestDatagram> buffer;
  const Transport::Opened opened = session->transport.open(cipher_, datagram, now.ns, buffer);
  if (opened.problem) return drop(*opened.problem);

  session->heard_at = now;
  if (session->state == ServerSession::State::unconfirmed) confirm(*session);
  ByteReader in(opened.content);
  const auto stamp = read_stamp(in);
  if (!stamp || !has_whole_frames(in)) return drop(Drop::malformed);
  if (!is_plausible_time(stamp->sent)) return drop(Drop::bad_time);
  learn_clock(*session, *stamp, now);

  bool answered = false;
  while (const auto frame = read_frame(in)) {
    if (frame->kind == static_cast<std::uint8_t>(FrameKind::bye)) return sessions_.remove(*session);
    answered = on_frame(*session, *frame, from, now, outbox) || answered;
  }
  if (from != session->address && datagram.size() < kChallengeSize) return;
  if (!answered || from != session->address) answer(*session, from, opened.newest, now, outbox);
}

// The viewer has shown that it holds the keys; now it takes the place of the session it had before.
void Server::confirm(ServerSession& session) noexcept {
  session.state = ServerSession::State::open;
  session.welcome.reset();
  ++counts_.sessions_begun;
  ServerSession* before = sessions_.find(session.replaces);
  if (before == nullptr || before == &session || before->peer != session.peer) return;
  if (before->operating && session.operating) session.operating->clock = before->operating->clock;
  sessions_.remove(*before);
}

void Server::learn_clock(ServerSession& session, const Stamp& stamp, RobotTime now) noexcept {
  if (!session.operating || !stamp.echo) return;
  const auto sent = session.operating->sent_times.find(stamp.echo->counter, session.transport.next_counter());
  if (!sent) return;
  const OperatorTime answered{stamp.sent};
  const OperatorTime received = answered - Duration{std::int64_t{stamp.echo->held_us} * 1000};
  session.operating->clock.add({RobotTime{*sent}, received, answered, now});
}

// True when the frame has been answered.
bool Server::on_frame(ServerSession& session, const Frame& frame, const Address& from, RobotTime now, Outbox& outbox) {
  switch (static_cast<FrameKind>(frame.kind)) {
    case FrameKind::command:
      on_command(session, frame.body, from, now, outbox);
      return true;
    case FrameKind::request:
      on_request(session, frame.body, from, now, outbox);
      return true;
    case FrameKind::response: {
      ByteReader in(frame.body);
      if (in.u64() != tokens_.challenge(session.id, from) || !in.ok()) return false;
      if (from != session.address) ++counts_.moves;
      session.address = from;
      return false;
    }
    default:
      return false;  // of no use here, or of a newer version
  }
}

void Server::on_command(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  const auto given = decode_command(body);
  if (!given) return drop(Drop::malformed);
  const bool allowed = session.role == Role::operate && session.operating != nullptr;
  const Answer answer =
      allowed ? gate_.decide(session.peer, session.operating->clock, *given, now) : CommandGate::refuse(*given);
  if (!allowed) drop(Drop::not_allowed);
  ++(answer.outcome == Outcome::executed ? counts_.commands_executed : counts_.commands_refused);
  // to where the viewer may not be goes a challenge and nothing else: together they would be longer than the command
  if (from != session.address) return;

  std::array<std::uint8_t, kAnswerBodySize> answer_body;
  ByteWriter out(answer_body);
  write(answer, out);
  Draft draft(session.transport, cipher_, outbox, now.ns);
  draft.add(FrameKind::outcome, answer_body);
  send(session, draft, from, now);
}

void Server::on_request(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  // the answer is longer than the question: only to where the viewer is known to be
  if (from != session.address) return;
  const auto request = decode_request(body);
  if (!request) return drop(Drop::malformed);
  objects_.answer(*request, [&](FrameKind kind, Bytes answer) {
    Draft draft(session.transport, cipher_, outbox, now.ns);
    draft.add(kind, answer);
    send(session, draft, from, now);
  });
}

// A stamp for the clock; to a new address the question whether the viewer is really there.
void Server::answer(ServerSession& session, const Address& to, bool newest, RobotTime now, Outbox& outbox) noexcept {
  const bool moved = to != session.address;
  const bool reported_lately = published_ && now - *published_ < kOftenEnough;
  if (!newest || (!moved && reported_lately && session.role != Role::operate)) return;
  Draft draft(session.transport, cipher_, outbox, now.ns);
  if (moved) {
    std::array<std::uint8_t, 8> question;
    ByteWriter(question).u64(tokens_.challenge(session.id, to));
    draft.add(FrameKind::challenge, question);
  }
  send(session, draft, to, now);
}

void Server::send(ServerSession& session, Draft& draft, const Address& to, RobotTime now) noexcept {
  if (session.operating) session.operating->sent_times.remember(session.transport.next_counter(), now.ns);
  draft.send(to);
  ++counts_.sent;
}

bool Server::publish(RobotTime now, const robot::Report& report) noexcept {
  const auto body = encode_report(report);
  if (!body) return false;
  report_ = *body;
  published_ = now;
  n_to_send_ = sessions_.slots().size();
  return true;
}

bool Server::broadcast(RobotTime now, std::size_t n, Outbox& outbox) noexcept {
  auto& slots = sessions_.slots();
  // goes on where the broadcast before was cut short, so that nobody waits longer than others
  for (; n > 0 && n_to_send_ > 0; --n_to_send_) {
    next_slot_ = next_slot_ + 1 < slots.size() ? next_slot_ + 1 : 0;
    ServerSession& session = slots[next_slot_];
    if (session.state != ServerSession::State::open) continue;
    Draft draft(session.transport, cipher_, outbox, now.ns);
    draft.add(FrameKind::sync, report_);
    send(session, draft, session.address, now);
    --n;
  }
  return n_to_send_ > 0;
}

const RobotsClockMap* Server::clock_of(const Key& who) noexcept {
  for (const ServerSession& session : sessions_.slots()) {
    const bool open = session.state == ServerSession::State::open;
    if (open && session.operating && session.peer == who) return &session.operating->clock;
  }
  return nullptr;
}

void Server::tick(RobotTime now) noexcept {
  gate_.tick(now);
  if (now < next_sweep_ && next_sweep_ - now <= kSweepPeriod) return;
  next_sweep_ = now + kSweepPeriod;
  for (ServerSession& session : sessions_.slots()) {
    if (session.state == ServerSession::State::free) continue;
    const bool open = session.state == ServerSession::State::open;
    if (now - session.heard_at > from_seconds(open ? params_.idle_s : params_.confirm_s)) sessions_.remove(session);
  }
}

RobotTime Server::next_tick() const noexcept {
  return gate_.deadline() ? std::min(*gate_.deadline(), next_sweep_) : next_sweep_;
}

}  // namespace forerun::sync
