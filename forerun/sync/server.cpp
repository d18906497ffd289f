#include "forerun/sync/server.hpp"

#include <algorithm>
#include <utility>

namespace forerun::sync {
namespace {

constexpr Duration kSweepPeriod = from_seconds(1);
// Viewers that get reports this often learn the clock from them; others get an answer of their own.
constexpr Duration kOftenEnough = from_seconds(0.25);
constexpr Duration kProveAgain = from_seconds(30);  // a viewer shows so often that it is still where it was
constexpr Duration kProofLife = from_seconds(90);   // and gets nothing more when it has not for so long
constexpr Duration kFetchPeriod = from_seconds(0.02);
constexpr int kMostFetched = 32;  // objects that are brought at the same time
constexpr std::size_t kChallengeSize = kDataHeaderSize + kStampSize + kFrameHeaderSize + 8 + kTagSize;

// The counter that the viewer echoes; the viewer names its low bits.
std::uint64_t whole_counter(const ServerSession& session, const Stamp::Echo& echo) noexcept {
  const std::uint64_t newest = session.transport.next_counter() - 1;
  return newest - ((newest - echo.counter) & 0xffff);
}

}  // namespace

Server::Server(Cipher& cipher, const KeyPair& own, std::vector<AllowedKey> allowed, RobotSide& robot,
               const ServerParams& params, RobotTime now)
    : cipher_(cipher),
      own_(own),
      allowed_(std::move(allowed)),
      robot_(robot),
      params_(params),
      clock_(cipher.draw_u16()),
      tokens_(cipher, from_seconds(params.token_life_s)),
      sessions_(params.max_sessions + kReservedSessions),
      gate_(robot, params.gate, now),
      images_(params.image_bytes_per_s),
      greetings_(from_seconds(params.token_life_s)),
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
  if (session->operating && session->operating->inbox) session->operating->inbox->on_sign_of_life();
  if (session->state == ServerSession::State::unconfirmed) confirm(*session, now);
  ByteReader in(opened.content);
  const auto stamp = read_stamp(in);
  if (!stamp || !has_whole_frames(in)) return drop(Drop::malformed);
  if (!is_plausible_time(stamp->sent)) return drop(Drop::bad_time);
  learn_clock(*session, *stamp, opened.newest, now);
  if (stamp->echo && session->report_counter) {
    session->has_report = session->has_report || whole_counter(*session, *stamp->echo) >= *session->report_counter;
  }

  bool answered = false;
  while (const auto frame = read_frame(in)) {
    if (frame->kind == static_cast<std::uint8_t>(FrameKind::bye)) return sessions_.remove(*session);
    // one question a datagram: many small ones must not call forth many large answers
    const bool asks = frame->kind == static_cast<std::uint8_t>(FrameKind::request);
    if (asks && answered) continue;
    answered = on_frame(*session, *frame, from, now, outbox) || answered;
  }
  const bool prove = from != session->address || now - session->proved_at > kProveAgain;
  if (!opened.newest || (prove && datagram.size() < kChallengeSize)) return;
  if (!answered || prove) answer(*session, from, prove, now, outbox);
}

// The viewer has shown that it holds the keys; now it takes the place of the session it had before.
void Server::confirm(ServerSession& session, RobotTime now) noexcept {
  session.state = ServerSession::State::open;
  session.proved_at = now;
  session.welcome.reset();
  ++counts_.sessions_begun;
  ServerSession* before = sessions_.find(session.replaces);
  if (before == nullptr || before == &session || before->peer != session.peer) return;
  if (before->operating && session.operating && before->operating->inbox) {
    session.operating->inbox = std::move(before->operating->inbox);
    session.operating->inbox->begin_session();
  }
  images_.rename(before->id, session.id);
  const bool same_clock = before->clock == session.clock;
  if (before->operating && session.operating && same_clock) session.operating->clock = before->operating->clock;
  sessions_.remove(*before);
}

void Server::learn_clock(ServerSession& session, const Stamp& stamp, bool newest, RobotTime now) noexcept {
  if (!session.operating) return;
  const OperatorTime answered{stamp.sent};
  session.operating->stamped = answered;
  session.operating->round_trip.reset();
  if (!stamp.echo) return;
  const auto sent = session.operating->sent_times.find(stamp.echo->counter, session.transport.next_counter());
  if (!sent) return;
  const Duration held{std::int64_t{stamp.echo->held_us} * 1000};
  session.operating->round_trip = (now - RobotTime{*sent}) - held;
  // what was overtaken was slow, and its stamps may be of a clock that has been set since
  if (!newest) return;
  session.operating->clock.add({RobotTime{*sent}, answered - held, answered, now});
  session.operating->receipts.on_echo(whole_counter(session, *stamp.echo), *session.operating->round_trip, now);
}

// True when the frame has been answered.
bool Server::on_frame(ServerSession& session, const Frame& frame, const Address& from, RobotTime now, Outbox& outbox) {
  switch (static_cast<FrameKind>(frame.kind)) {
    case FrameKind::command:
      return on_command(session, frame.body, from, now, outbox);
    case FrameKind::request:
      on_request(session, frame.body, from, now, outbox);
      return true;
    case FrameKind::offer:
      on_offer(session, frame.body, from, now, outbox);
      return false;
    case FrameKind::chunk:
      on_chunk(session, frame.body, from, now, outbox);
      return true;  // what is still missing is asked for soon
    case FrameKind::look:
      on_look(session, frame.body, from, now);
      return false;
    case FrameKind::response: {
      ByteReader in(frame.body);
      if (!tokens_.answers_challenge(in.u64(), session.id, now, from)) return false;
      if (from != session.address) ++counts_.moves;
      session.address = from;
      session.proved_at = now;
      return false;
    }
    default:
      return false;  // of no use here, or of a newer version
  }
}

bool Server::on_command(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  const auto given = decode_command(body);
  const bool allowed = session.role == Role::operate && session.operating != nullptr;
  std::optional answer = Answer{ByteReader(body).u64(), allowed ? Outcome::malformed : Outcome::not_allowed, 0};
  if (allowed && given) {
    const OperatorState& state = *session.operating;
    std::optional<Duration> longest;
    if (state.round_trip) longest = (state.stamped - given->given) + *state.round_trip;
    answer = gate_.decide(session.peer, {state.clock, longest}, *given, now);
  }
  if (!given || !allowed) drop(given ? Drop::not_allowed : Drop::malformed);
  counts_.commands_executed = gate_.n_executed();
  if (!answer) return false;  // the robot's word is waited for
  if (answer->outcome != Outcome::executed) ++counts_.commands_refused;
  // to where the viewer may not be goes a challenge and nothing else: together they would be longer than the command
  if (from == session.address) send(session, *answer, now, outbox);
  return true;
}

// To where the viewer is known to be; who has lost it asks again.
void Server::tell(const CommandGate::Answered& answered, RobotTime now, Outbox& outbox) noexcept {
  if (answered.answer.outcome != Outcome::executed) ++counts_.commands_refused;
  counts_.commands_executed = gate_.n_executed();
  for (ServerSession& session : sessions_.slots()) {
    const bool open = session.state == ServerSession::State::open && session.operating != nullptr;
    if (open && session.peer == answered.who && is_proved(session, now)) send(session, answered.answer, now, outbox);
  }
}

void Server::send(ServerSession& session, const Answer& answer, RobotTime now, Outbox& outbox) noexcept {
  std::array<std::uint8_t, kLargestAnswerBody> body;
  ByteWriter out(body);
  write(answer, out);
  Draft draft(session.transport, cipher_, outbox, now.ns);
  draft.add(FrameKind::outcome, out.written());
  send(session, draft, session.address, now);
}

void Server::on_request(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  // the answer is longer than the question: only to where the viewer is known to be, and not without end
  if (from != session.address || !is_proved(session, now)) return;
  auto request = decode_request(body);
  if (!request) return drop(Drop::malformed);
  if (request->count > 0) {
    const double wanted = std::min(request->count, kMostChunksPerRequest);
    const double some = session.chunks.spend({now.ns}, wanted, params_.chunks_per_s, params_.chunks_per_s / 2);
    const double all = 20 * params_.chunks_per_s;
    request->count = static_cast<std::uint16_t>(chunk_budget_.spend({now.ns}, some, all, all / 2));
    if (request->count == 0) return drop(Drop::busy);
  }
  objects_.answer(*request, [&](FrameKind kind, Bytes answer) {
    Draft draft(session.transport, cipher_, outbox, now.ns);
    draft.add(kind, answer);
    send(session, draft, from, now);
  });
}

bool Server::has_room_for_object(const Inbox& inbox) noexcept {
  int n = 0;
  for (const ServerSession& other : sessions_.slots()) {
    const Inbox* its = other.operating ? other.operating->inbox.get() : nullptr;
    if (its != nullptr && its != &inbox && its->is_fetching()) ++n;
  }
  return n < kMostFetched;
}

void Server::on_offer(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  if (from != session.address) return;
  const auto offer = decode_offer(body);
  if (!offer) return drop(Drop::malformed);
  const std::uint64_t object = object_of(offer->digest);
  if (!session.operating) {
    drop(Drop::not_allowed);
    return send(session, Verdict{object, Taken::not_allowed}, now, outbox);
  }
  std::unique_ptr<Inbox>& inbox = session.operating->inbox;
  if (!inbox) inbox = std::make_unique<Inbox>(cipher_);
  const auto verdict = inbox->on_offer({now.ns}, *offer, has_room_for_object(*inbox));
  if (verdict) return send(session, *verdict, now, outbox);
  next_fetch_ = now;
}

void Server::on_chunk(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox) {
  const auto chunk = decode_chunk(body);
  if (!chunk) return drop(Drop::malformed);
  if (!session.operating || !session.operating->inbox) return drop(Drop::unexpected);
  const auto verdict = session.operating->inbox->on_chunk({now.ns}, *chunk, session.peer, robot_);
  if (!verdict) return;
  if (verdict->taken == Taken::yes) ++counts_.objects_taken;
  if (from == session.address) send(session, *verdict, now, outbox);
}

// To where the viewer is known to be; who has lost it offers the object again.
void Server::send(ServerSession& session, const Verdict& verdict, RobotTime now, Outbox& outbox) noexcept {
  std::array<std::uint8_t, kLargestVerdict> body;
  Draft draft(session.transport, cipher_, outbox, now.ns);
  draft.add(FrameKind::verdict, encode(verdict, body));
  send(session, draft, session.address, now);
}

void Server::fetch_objects(RobotTime now, Outbox& outbox) noexcept {
  if (!next_fetch_ || (now < *next_fetch_ && *next_fetch_ - now <= kFetchPeriod)) return;
  next_fetch_.reset();
  for (ServerSession& session : sessions_.slots()) {
    const bool open = session.state == ServerSession::State::open && session.operating && session.operating->inbox;
    if (!open || !session.operating->inbox->is_fetching()) continue;
    next_fetch_ = now + kFetchPeriod;
    if (!is_proved(session, now)) continue;
    const Duration round_trip = session.operating->round_trip.value_or(Duration{});
    session.operating->inbox->tick(Duration{now.ns}, round_trip, [&](FrameKind kind, Bytes request) {
      Draft draft(session.transport, cipher_, outbox, now.ns);
      draft.add(kind, request);
      send(session, draft, session.address, now);
    });
  }
}

bool Server::is_proved(const ServerSession& session, RobotTime now) noexcept {
  return now - session.proved_at < kProofLife;
}

// A stamp for the clock; with `prove` also the question whether the viewer is really there. Who has no report yet need
// not wait for the next one, which may be far, or get lost as well.
void Server::answer(ServerSession& session, const Address& to, bool prove, RobotTime now, Outbox& outbox) noexcept {
  const bool reported_lately = published_ && now - *published_ < kOftenEnough;
  if (!prove && reported_lately && session.role != Role::operate) return;
  Draft draft(session.transport, cipher_, outbox, now.ns);
  if (!prove && published_ && !session.has_report) add_report(session, draft, now);
  if (prove) {
    std::array<std::uint8_t, 8> question;
    ByteWriter(question).u64(tokens_.challenge(session.id, now, to));
    draft.add(FrameKind::challenge, question);
  }
  send(session, draft, to, now);
}

void Server::add_report(ServerSession& session, Draft& draft, RobotTime now) noexcept {
  draft.add(FrameKind::sync, report_);
  const std::uint64_t counter = session.transport.next_counter();
  if (!session.report_counter) session.report_counter = counter;
  if (session.operating) session.operating->receipts.on_sent(counter, report_sequence_, now);
}

void Server::send(ServerSession& session, Draft& draft, const Address& to, RobotTime now) noexcept {
  if (session.operating) session.operating->sent_times.remember(session.transport.next_counter(), now.ns);
  draft.send(to);
  ++counts_.sent;
}

bool Server::publish(RobotTime now, const robot::Report& report, Bytes sections) noexcept {
  const auto body = encode_report(report, sections);
  if (!body) return false;
  report_ = *body;
  report_sequence_ = report.sequence;
  if (published_) report_interval_ = now - *published_;
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
    if (session.state != ServerSession::State::open || !is_proved(session, now)) continue;
    Draft draft(session.transport, cipher_, outbox, now.ns);
    add_report(session, draft, now);
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

std::optional<Receipt> Server::receipt() noexcept {
  std::optional<Receipt> least;
  for (const ServerSession& session : sessions_.slots()) {
    if (session.state != ServerSession::State::open || !session.operating) continue;
    const auto receipt = session.operating->receipts.newest();
    if (!receipt) continue;
    const bool less =
        least && receipt->missed == least->missed ? receipt->sequence < least->sequence : receipt->missed || !least;
    if (less) least = receipt;
  }
  return least;
}

void Server::set_allowed(std::vector<AllowedKey> allowed) noexcept {
  allowed_ = std::move(allowed);
  for (ServerSession& session : sessions_.slots()) {
    const bool used = session.state != ServerSession::State::free;
    if (used && role_for(session.peer, session.wanted) != session.role) sessions_.remove(session);
  }
}

void Server::tick(RobotTime now, Outbox& outbox) noexcept {
  while (const auto answered = gate_.next_answer(now)) tell(*answered, now, outbox);
  fetch_objects(now, outbox);
  gate_.tick(now);
  send_images(now, outbox);
  if (now < next_sweep_ && next_sweep_ - now <= kSweepPeriod) return;
  next_sweep_ = now + kSweepPeriod;
  for (ServerSession& session : sessions_.slots()) {
    if (session.state == ServerSession::State::free) continue;
    const bool open = session.state == ServerSession::State::open;
    if (now - session.heard_at > from_seconds(open ? params_.idle_s : params_.confirm_s)) sessions_.remove(session);
  }
}

RobotTime Server::next_tick() const noexcept {
  RobotTime next = next_sweep_;
  for (const auto& deadline : {gate_.deadline(), next_fetch_, next_image()})
    next = deadline ? std::min(next, *deadline) : next;
  return next;
}

}  // namespace forerun::sync
