#include "forerun/sync/client.hpp"

#include <algorithm>
#include <utility>

#include "forerun/sync/report_wire.hpp"

namespace forerun::sync {
namespace {

constexpr double kOpeningPing = 0.25;                   // a new session is asked this often [s]
constexpr Duration kLongestOpening = from_seconds(10);  // a robot side without any report is not asked so forever
constexpr double kOutside = 5.0;  // localization may be off by this much at the edge of the world [m]
constexpr Duration kLookInterval = from_seconds(1);
// pings are as long as the longest answer to a new address, a challenge; then no answer is longer than its question
constexpr std::array<std::uint8_t, 8> kPadding{};

bool is_inside(const Box2& bounds, Vec2 p) noexcept {
  return p.x >= bounds.low.x - kOutside && p.x <= bounds.high.x + kOutside && p.y >= bounds.low.y - kOutside &&
         p.y <= bounds.high.y + kOutside;
}

}  // namespace

const char* to_string(LinkState state) noexcept {
  switch (state) {
    case LinkState::greeting:
      return "greeting";
    case LinkState::refused:
      return "refused";
    case LinkState::open:
      return "open";
    case LinkState::silent:
      return "silent";
  }
  return "unknown";
}

Client::Client(Cipher& cipher, const KeyPair& own, const Key& server_key, const Address& server,
               const ClientParams& params, OperatorTime now)
    : cipher_(cipher),
      params_(params),
      home_(server),
      server_(server),
      greeter_(cipher, own, server_key, params.greeter),
      sent_at_(now),
      own_clock_(cipher.draw_u16()),
      commands_(params.sender),
      fetch_(cipher) {}

LinkState Client::state(OperatorTime now) const noexcept {
  if (!session_) return refused_ ? LinkState::refused : LinkState::greeting;
  return now - session_->heard_at > from_seconds(params_.silence_s) ? LinkState::silent : LinkState::open;
}

// -- receiving -------------------------------------------------------------------------------------------------------

void Client::receive(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  ++counts_.received;
  if (datagram.empty()) return drop(Drop::too_short);
  if (datagram.size() > kLargestDatagram) return drop(Drop::too_long);
  switch (static_cast<DatagramType>(datagram[0])) {
    case DatagramType::retry:
      if (const auto problem = greeter_.on_retry(now, datagram)) return drop(*problem);
      return tick(now, outbox);
    case DatagramType::welcome:
      return on_welcome(now, from, datagram, outbox);
    case DatagramType::data:
      return on_data(now, from, datagram, outbox);
    case DatagramType::hello:
      return drop(Drop::unexpected);
  }
  drop(Drop::unknown_type);
}

void Client::on_welcome(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  const Greeter::Welcomed welcomed = greeter_.on_welcome(now, datagram);
  if (welcomed.problem) return drop(*welcomed.problem);
  const bool welcome = welcomed.content.role != Role::none;
  no_room_ = !welcome && welcomed.content.session == kNoRoom;
  refused_ = !welcome && !no_room_;
  if (refused_) return forget_sessions();
  if (no_room_) return;
  // a robot side that was restarted has another clock
  if (welcomed.content.clock != server_clock_) {
    clock_ = OperatorsClockMap();
    waits_ = WaitMeter();
    images_.forget();
  }
  server_clock_ = welcomed.content.clock;
  note_transit({welcomed.content.sent}, now, std::nullopt);
  role_ = welcomed.content.role;
  server_ = from;
  before_ = session_;
  session_ = Session{.transport = Transport(welcomed.keys, welcomed.content.session),
                     .local_id = welcomed.local_id,
                     .remote_id = welcomed.content.session,
                     .begun = now,
                     .heard_at = now};
  ++counts_.sessions_begun;
  send_ping(now, outbox);  // confirms the session
}

// The replaced session never outlives the one that replaced it.
void Client::forget_sessions() noexcept {
  session_.reset();
  before_.reset();
}

void Client::on_data(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox) {
  if (datagram.size() < kDataHeaderSize) return drop(Drop::too_short);
  ByteReader header(datagram);
  const std::uint32_t id = read_data_header(header).session;
  const bool current = session_ && session_->local_id == id;
  if (!current && !(before_ && before_->local_id == id)) return drop(Drop::no_session);
  Session& session = current ? *session_ : *before_;
  std::array<std::uint8_t, kLargestDatagram> buffer;
  const Transport::Opened opened = session.transport.open(cipher_, datagram, now.ns, buffer);
  if (opened.problem) return drop(*opened.problem);

  session.heard_at = now;
  fetch_.on_sign_of_life();
  loss_.add(now, opened.n_sent);
  if (current && opened.newest && from != server_) {
    server_ = from;
    ++counts_.moves;
  }
  ByteReader in(opened.content);
  const auto stamp = read_stamp(in);
  if (!stamp || !has_whole_frames(in)) return drop(Drop::malformed);
  if (!is_plausible_time(stamp->sent)) return drop(Drop::bad_time);
  on_stamp(*stamp, session, opened.newest, now);
  while (const auto frame = read_frame(in)) on_frame(*frame, current && opened.newest, now, outbox);
}

void Client::on_stamp(const Stamp& stamp, const Session& session, bool newest, OperatorTime now) noexcept {
  const RobotTime answered{stamp.sent};
  waits_.add(now, {now.ns - stamp.sent});
  const bool current = session_ && &session == &*session_;
  std::optional<Duration> round_trip;
  if (current && stamp.echo) {
    const auto sent = sent_times_.find(stamp.echo->counter, session.transport.next_counter());
    const Duration held{std::int64_t{stamp.echo->held_us} * 1000};
    if (sent) round_trip = (now - OperatorTime{*sent}) - held;
    // what was overtaken was slow, and its stamps may be of a clock that has been set since
    if (sent && newest) clock_.add({OperatorTime{*sent}, answered - held, answered, now});
  }
  note_transit(answered, now, round_trip);
}

void Client::note_transit(RobotTime sent, OperatorTime now, std::optional<Duration> round_trip) noexcept {
  if (!clock_.ready()) return;
  const auto [left, uncertainty] = clock_.to_local(sent, now);
  lateness_.on_packet(now, now - left, uncertainty, round_trip);
}

void Client::on_frame(const Frame& frame, bool newest, OperatorTime now, Outbox& outbox) {
  switch (static_cast<FrameKind>(frame.kind)) {
    case FrameKind::sync:
      return on_report(frame.body, newest);
    case FrameKind::outcome: {
      const auto answer = decode_answer(frame.body);
      if (!answer) return drop(Drop::malformed);
      return commands_.on_answer(now, *answer);
    }
    case FrameKind::challenge:
      return on_challenge(frame.body, now, outbox);
    case FrameKind::offer: {
      const auto offer = decode_offer(frame.body);
      return offer ? fetch_.on_offer(*offer) : drop(Drop::malformed);
    }
    case FrameKind::chunk: {
      const auto chunk = decode_chunk(frame.body);
      return chunk ? fetch_.on_chunk(*chunk) : drop(Drop::malformed);
    }
    case FrameKind::request: {
      const auto request = decode_request(frame.body);
      if (!request) return drop(Drop::malformed);
      return delivery_.answer({now.ns}, *request, [&](FrameKind kind, Bytes body) { send(kind, body, now, outbox); });
    }
    case FrameKind::image: {
      const auto part = image::decode_part(frame.body);
      if (!part || !images_.on_part(*part)) drop(Drop::malformed);
      return;
    }
    case FrameKind::verdict: {
      const auto verdict = decode_verdict(frame.body);
      return verdict ? delivery_.on_verdict(*verdict) : drop(Drop::malformed);
    }
    default:
      return;  // of no use here, or of a newer version
  }
}

void Client::on_report(Bytes body, bool newest) noexcept {
  const DecodedReport decoded = decode_report(body);
  if (!decoded.report) return drop(decoded.problem);
  // overtaken on the way: what came before it is newer
  if (!newest) return drop(Drop::old_state);
  if (world_bounds_ && !is_inside(*world_bounds_, decoded.report->state.pose.position())) {
    return drop(Drop::outside_world);
  }
  note_interval(*decoded.report);
  robot::Report report = *decoded.report;
  // who begins anew has said nothing yet
  const bool goes_on = newest_ && report.robot == newest_->robot && report.sequence > newest_->sequence;
  if (!report.planned_path && goes_on) report.planned_path = newest_->planned_path;
  if (!report.wheels && goes_on) report.wheels = newest_->wheels;
  newest_ = report;
  newest_body_.resize(body.size());
  std::copy(body.begin(), body.end(), newest_body_.begin());
  session_->reported = true;
  ++counts_.reports;
}

// Between reports that follow each other closely enough to be told apart from a restart.
void Client::note_interval(const robot::Report& report) noexcept {
  constexpr std::uint32_t kMostLost = 100;
  constexpr double kNewShare = 0.3;
  if (!newest_ || report.robot != newest_->robot) return;
  const std::uint32_t n = report.sequence - newest_->sequence;
  const double elapsed = to_seconds(report.time - newest_->time);
  if (n == 0 || n > kMostLost || elapsed <= 0) return;
  const double interval = elapsed / n;
  usual_interval_s_ = usual_interval_s_ > 0 ? usual_interval_s_ + kNewShare * (interval - usual_interval_s_) : interval;
}

void Client::on_challenge(Bytes body, OperatorTime now, Outbox& outbox) noexcept {
  if (!session_ || body.size() < 8) return drop(Drop::malformed);
  send(FrameKind::response, body.first(8), now, outbox);
}

// -- sending ---------------------------------------------------------------------------------------------------------

bool Client::needs_session(OperatorTime now) const noexcept {
  return !session_ || now - session_->heard_at > from_seconds(params_.silence_s) ||
         now - session_->begun > from_seconds(params_.rekey_s);
}

// Until the first answer nobody knows whether the session was confirmed; and each answer brings the newest report until
// one has come.
bool Client::is_opening(OperatorTime now) const noexcept {
  if (!session_->transport.heard()) return true;
  return !session_->reported && now - session_->begun < kLongestOpening;
}

void Client::tick(OperatorTime now, Outbox& outbox) {
  if (before_ && now - session_->begun > from_seconds(params_.old_keys_s)) before_.reset();
  if (needs_session(now)) greet(now, outbox);
  if (!session_) return;
  send_due_command(now, outbox);
  fetch_more(now, outbox);
  delivery_.tick({now.ns}, [&](FrameKind kind, Bytes body) { send(kind, body, now, outbox); });
  if (next_look_ && (now >= *next_look_ || *next_look_ - now > kLookInterval)) send_look(now, outbox);
  const double wait = is_opening(now) ? std::min(params_.ping_s, kOpeningPing) : params_.ping_s;
  if (now - sent_at_ >= from_seconds(wait) || now < sent_at_) send_ping(now, outbox);
}

void Client::fetch_more(OperatorTime now, Outbox& outbox) noexcept {
  const Duration round_trip{clock_.ready() ? static_cast<std::int64_t>(clock_.filter().round_trip()) : 0};
  fetch_.tick(Duration{now.ns}, round_trip, [&](FrameKind kind, Bytes body) { send(kind, body, now, outbox); });
}

std::uint64_t Client::bring(OperatorTime now, ObjectKind kind, std::vector<std::uint8_t> bytes, Outbox& outbox) {
  const std::uint64_t object = delivery_.begin({now.ns}, kind, std::move(bytes), cipher_);
  tick(now, outbox);
  return object;
}

void Client::greet(OperatorTime now, Outbox& outbox) noexcept {
  greeter_.start(now, {now.ns, session_ ? session_->remote_id : 0, params_.wanted, own_clock_});
  const auto hello = greeter_.due(now);
  if (!hello) return;
  // where it was heard last, and, when that does not help, where it was at first
  const bool lost = greeter_.n_unanswered() > 2 && greeter_.n_unanswered() % 2 == 0;
  std::copy(hello->begin(), hello->end(), outbox.begin().begin());
  outbox.send(hello->size(), lost ? home_ : server_);
  ++counts_.sent;
}

OperatorTime Client::next_tick(OperatorTime now) const noexcept {
  OperatorTime next = now + from_seconds(session_ && is_opening(now) ? 0.1 : 0.25);
  // only what `tick` would really do: a greeting under way that is no longer needed is not sent
  if (greeter_.active() && needs_session(now)) next = std::min(next, greeter_.next_due());
  if (session_ && clock_.ready() && commands_.next_due()) next = std::min(next, *commands_.next_due());
  const bool fetching = fetch_.status() == BulkStatus::asking || fetch_.status() == BulkStatus::fetching;
  if (session_ && fetching) next = std::min(next, now + from_seconds(0.02));
  if (session_ && delivery_.due()) next = std::min(next, OperatorTime{delivery_.due()->ns});
  if (session_ && next_look_) next = std::min(next, *next_look_);
  if (session_) next = std::min(next, sent_at_ + from_seconds(params_.ping_s));
  return std::max(next, now);
}

std::optional<std::uint64_t> Client::give(OperatorTime now, const robot::Command& command, Outbox& outbox) {
  const bool stop = command.kind == robot::CommandKind::stop;
  if (state(now) != LinkState::open && !stop) return std::nullopt;
  if (!can_be_sent(command)) return std::nullopt;
  const auto number = commands_.give(now, command);
  if (number) send_due_command(now, outbox);
  return number;
}

void Client::send_due_command(OperatorTime now, Outbox& outbox) noexcept {
  // without a clock the robot side could not judge its age
  if (!session_ || !clock_.ready()) return;
  const auto given = commands_.next(now);
  if (!given) return;
  std::array<std::uint8_t, kLargestCommandBody> body;
  ByteWriter out(body);
  if (!write(*given, out)) return;
  send(FrameKind::command, out.written(), now, outbox);
}

void Client::send_ping(OperatorTime now, Outbox& outbox) noexcept { send(FrameKind::padding, kPadding, now, outbox); }

void Client::look(OperatorTime now, image::Cameras wanted) noexcept {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  next_look_ = wanted != image::kNoCamera ? std::optional(now) : std::nullopt;
}

// As long as a ping.
void Client::send_look(OperatorTime now, Outbox& outbox) noexcept {
  next_look_ = now + kLookInterval;
  std::array<std::uint8_t, kPadding.size()> body{};
  const auto look = encode(image::Look{loss_.lost_fraction(now), to_seconds(waits_.wait(now)), wanted_});
  std::copy(look.begin(), look.end(), body.begin());
  send(FrameKind::look, body, now, outbox);
}

void Client::send(FrameKind kind, Bytes body, OperatorTime now, Outbox& outbox) noexcept {
  Draft draft(session_->transport, cipher_, outbox, now.ns);
  draft.add(kind, body);
  sent_times_.remember(session_->transport.next_counter(), now.ns);
  draft.send(server_);
  sent_at_ = now;
  ++counts_.sent;
}

void Client::close(OperatorTime now, Outbox& outbox) noexcept {
  if (!session_) return;
  send(FrameKind::bye, {}, now, outbox);
  forget_sessions();
}

}  // namespace forerun::sync
