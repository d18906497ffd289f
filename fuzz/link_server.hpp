// The robot side of the link against a viewer that lies: raw datagrams, authentic ones with any content, greetings.
#pragma once

#include <limits>
#include <optional>

#include "forerun/sync/server.hpp"
#include "fuzz/link_entries.hpp"

namespace forerun::fuzz {

// No command reaches the robot twice, out of order or old.
class CheckingRobot final : public sync::RobotSide {
 public:
  robot::Reply execute(const robot::Command& command, const sync::CommandInfo& info) noexcept override {
    FORERUN_CHECK(info.number > newest_);
    newest_ = info.number;
    FORERUN_CHECK(info.uncertainty.ns >= 0 && info.age + info.uncertainty <= from_seconds(1));
    FORERUN_CHECK(sync::can_be_sent(command));
    FORERUN_CHECK(info.ticket > ticket_);
    ticket_ = info.ticket;
    ++n_executed;
    if (command.goal.x < 0) return robot::refuse(robot::Refusal::cannot_stand);
    // some are decided later, some never
    return command.goal.y < 0 ? robot::wait() : robot::accept();
  }
  std::optional<Word> next_word() noexcept override {
    if (ticket_ == said_ || ticket_ % 3 == 0) return std::nullopt;
    said_ = ticket_;
    return Word{ticket_, ticket_ % 2 == 0 ? robot::accept() : robot::refuse(robot::Refusal::other, "no")};
  }
  // Whole, verified, and no more than a session may bring.
  robot::Reply take_object(const sync::BroughtObject& brought) noexcept override {
    const Bytes bytes = brought.bytes;
    FORERUN_CHECK(!bytes.empty() && bytes.size() <= sync::Inbox::kMostBytes);
    FORERUN_CHECK(std::all_of(bytes.begin(), bytes.end(), [&](std::uint8_t byte) { return byte == bytes[0]; }));
    ++n_objects;
    return brought.kind == sync::ObjectKind::mission ? robot::accept() : robot::refuse(robot::Refusal::not_able, "no");
  }
  void end_hand_driving() noexcept override {}

  int n_executed = 0;
  int n_objects = 0;

 private:
  std::uint64_t newest_ = 0;
  std::uint64_t ticket_ = 0, said_ = 0;
};

class ServerRun {
 public:
  ServerRun() {
    server_.objects().add(sync::ObjectKind::model, Datagram(3000, 7), cipher_);
    greet(kOperator, kHome, hello_of(0, sync::Role::operate));
    FORERUN_CHECK(session_.has_value());
    // confirms the session; then both sides learn the other's clock
    for (int i = 0; i < 3; ++i) {
      pass(20);
      receive(kHome, seal(session_->transport, cipher_, stamped({})));
    }
    FORERUN_CHECK(server_.n_sessions() == 1 && server_.counts().drops.total() == 0);
  }

  // One record: what to do, and with what.
  void step(ByteReader& in) {
    const auto [what, from, bytes] = read_record(in, kPlaces);
    switch (what % 10) {
      case 0:
        receive(from, Datagram(bytes.begin(), bytes.end()));
        break;
      case 1:
        receive(from, seal(session_->transport, cipher_, bytes));
        break;
      case 2:  // frames behind a good stamp
        receive(from, seal(session_->transport, cipher_, stamped(bytes)));
        break;
      case 3:
        receive(from, seal(session_->transport, cipher_, stamped(command_of(bytes))));
        break;
      case 4:
        greet(from % 2 == 0 ? kOperator : kStranger, from, bytes);
        break;
      case 5:
        receive(from, Datagram(last_));
        break;
      case 6:
        pass(bytes.empty() ? 10 : std::int64_t{bytes[0]} << (from * 2));
        break;
      case 7:  // the right answer to the last challenge, from anywhere
        receive(from, seal(session_->transport, cipher_, stamped(frame_of(sync::FrameKind::response, question_))));
        break;
      case 8:
        set_clock(bytes);
        break;
      default:
        bring(from, bytes);
    }
    ++n_steps_;
    check();
  }

  // Everything that came was of use.
  [[nodiscard]] bool taken() const { return n_steps_ > 0 && server_.counts().drops.total() == 0; }

 private:
  static constexpr std::uint8_t kOperator = 2, kStranger = 3;  // keys
  static constexpr std::uint8_t kHome = 0, kPlaces = 6;
  static constexpr std::size_t kMostSessions = 4;

  // The viewer's end.
  struct Session {
    sync::Transport transport;
    std::uint32_t local_id = 0;
  };

  [[nodiscard]] static Datagram hello_of(std::uint32_t replaces, sync::Role wanted) {
    Datagram content(sync::kGreetingContentSize);
    ByteWriter out(content);
    sync::write(sync::HelloContent{kFuzzStart, replaces, wanted}, out);
    return content;
  }
  [[nodiscard]] sync::ServerParams params() const {
    sync::ServerParams params;
    params.anyone_may_watch = true;
    params.max_sessions = kMostSessions;
    return params;
  }
  // The viewer's clock is ahead, and nobody sets it.
  [[nodiscard]] OperatorTime viewer_time() const { return {kFuzzStart + elapsed_.ns + nanoseconds(3000)}; }

  [[nodiscard]] Datagram stamped(Bytes frames) const {
    Datagram content(sync::kStampSize);
    ByteWriter out(content);
    sync::write(session_->transport.stamp(viewer_time().ns), out);
    content.insert(content.end(), frames.begin(), frames.end());
    return content;
  }
  // A few numbers close together and a few ages, so that repetitions and old ones come often.
  [[nodiscard]] Datagram command_of(Bytes bytes) const {
    ByteReader in(bytes);
    sync::GivenCommand given;
    given.number = in.u8() + std::uint64_t{1};
    given.command.kind = static_cast<robot::CommandKind>(in.u8() % 5);
    given.given = viewer_time() + Duration{nanoseconds(in.i16())};
    given.command.goal = {in.i8() * 1.0, in.i8() * 1.0};
    std::array<std::uint8_t, sync::kLargestCommandBody> body;
    ByteWriter body_out(body);
    FORERUN_CHECK(sync::write(given, body_out));
    return frame_of(sync::FrameKind::command, body_out.written());
  }

  // An object of equal bytes: its offer, or one of its chunks, which may lie.
  void bring(std::uint8_t from, Bytes bytes) {
    ByteReader in(bytes);
    const std::size_t size = in.u16() + std::size_t{1};
    const Datagram object(size, in.u8());
    const std::uint8_t part = in.u8();
    const sync::Offer offer{part % 2 == 0 ? sync::ObjectKind::mission : sync::ObjectKind::world_change,
                            static_cast<std::uint32_t>(object.size()), cipher_.hash(object)};
    if (part < 8) {
      const auto body = sync::encode(offer);
      return void(receive(from, seal(session_->transport, cipher_, stamped(frame_of(sync::FrameKind::offer, body)))));
    }
    const std::uint32_t index = (part - 8u) % sync::n_chunks(offer.size);
    Datagram content(sync::chunk_length(offer.size, index), static_cast<std::uint8_t>(object[0] + in.u8()));
    std::array<std::uint8_t, sync::kChunkHeaderSize + sync::kChunkSize> body;
    const Bytes chunk = sync::encode(sync::Chunk{sync::object_of(offer.digest), index, content}, body);
    receive(from, seal(session_->transport, cipher_, stamped(frame_of(sync::FrameKind::chunk, chunk))));
  }

  void pass(std::int64_t ms) {
    elapsed_ += Duration{nanoseconds(ms)};
    now_ += Duration{nanoseconds(ms)};
    server_.tick(now_, outbox_);
    FORERUN_CHECK(server_.next_tick() > now_);
    robot::Report report;
    report.time = now_;
    FORERUN_CHECK(server_.publish(now_, report));
    while (server_.broadcast(now_, 2, outbox_)) {
    }
    read_letters();
  }

  void set_clock(Bytes bytes) {
    ByteReader in(bytes);
    const RobotTime set = now_ + Duration{nanoseconds(in.i32())};
    if (sync::is_plausible_time(set.ns)) now_ = set;
    pass(0);
  }

  // A whole greeting with this content; the first that is welcomed becomes the session that is used from then on.
  void greet(std::uint8_t key, std::uint8_t from, Bytes bytes) {
    std::array<std::uint8_t, sync::kGreetingContentSize> content{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), content.size()), content.begin());
    Datagram hello(sync::kHelloSize);
    ByteWriter out(hello);
    const std::uint32_t local_id = ++n_greetings_;
    sync::write(sync::GreetingHeader{sync::DatagramType::hello, sync::kVersion, local_id}, out);
    const sync::Prologue prologue = sync::make_prologue(hello);
    auto handshake = sync::Handshake::initiate(cipher_, prologue, cipher_.pair_of(key), keys_.open);
    FORERUN_CHECK(handshake.write_first(content, MutableBytes(hello).subspan(sync::kHelloNoiseAt)));
    const auto retry = receive(from, hello);
    if (!retry || retry->size() != sync::kRetrySize) return;
    std::copy(retry->begin() + sync::kGreetingHeaderSize, retry->end(), hello.begin() + sync::kGreetingHeaderSize);
    const auto answer = receive(from, hello);
    if (!answer || answer->size() != sync::kWelcomeSize) return;

    proven_[from] = true;
    FORERUN_CHECK(handshake.read_second(Bytes(*answer).subspan(sync::kGreetingHeaderSize), content));
    const auto welcome = sync::decode_welcome_content(content);
    FORERUN_CHECK(welcome.has_value() && (key == kOperator || welcome->role != sync::Role::operate));
    if (welcome->role == sync::Role::none) return;
    session_ = Session{sync::Transport(handshake.split(), welcome->session), local_id};
  }

  // The last answer, if any.
  std::optional<Datagram> receive(std::uint8_t from, const Datagram& datagram) {
    last_ = datagram;
    const std::uint64_t n_moves = server_.counts().moves;
    outbox_.letters.clear();
    server_.receive(now_, place(from), last_, outbox_);
    if (server_.counts().moves != n_moves) proven_[from] = true;

    std::size_t answered = 0;
    for (const Letter& letter : outbox_.letters) {
      FORERUN_CHECK(letter.to == place(from));
      answered += letter.bytes.size();
    }
    FORERUN_CHECK(proven_[from] || answered <= last_.size());
    auto answer = outbox_.letters.empty() ? std::nullopt : std::optional(outbox_.letters.back().bytes);
    read_letters();
    return answer;
  }

  // What the robot side sends opens, and can be read by the same text.
  void read_letters() {
    for (const Letter& letter : outbox_.letters) {
      ByteReader header(letter.bytes);
      const bool data = letter.bytes[0] == static_cast<std::uint8_t>(sync::DatagramType::data);
      if (!data || !session_ || sync::read_data_header(header).session != session_->local_id) continue;
      std::array<std::uint8_t, sync::kLargestDatagram> buffer;
      const auto opened = session_->transport.open(cipher_, letter.bytes, viewer_time().ns, buffer);
      FORERUN_CHECK(!opened.problem);
      ByteReader in(opened.content);
      FORERUN_CHECK(sync::read_stamp(in).has_value() && sync::has_whole_frames(in));
      while (const auto frame = sync::read_frame(in)) {
        FORERUN_CHECK(check_frame(*frame));
        const bool challenge = frame->kind == static_cast<std::uint8_t>(sync::FrameKind::challenge);
        if (challenge) question_.assign(frame->body.begin(), frame->body.end());
      }
    }
    outbox_.letters.clear();
  }

  void check() {
    FORERUN_CHECK(server_.n_sessions() <= kMostSessions + sync::kReservedSessions);
    const sync::RobotsClockMap* clock = server_.clock_of(cipher_.pair_of(kOperator).open);
    if (clock == nullptr || !clock->ready()) return;
    FORERUN_CHECK(std::isfinite(clock->filter().offset_at(now_.ns)));
    FORERUN_CHECK(clock->filter().uncertainty_at(now_.ns) >= 0);
    FORERUN_CHECK(std::abs(clock->filter().drift()) < 0.01);
  }

  RepeatingCipher cipher_;
  sync::KeyPair keys_ = cipher_.pair_of(1);
  CheckingRobot robot_;
  RobotTime now_{kFuzzStart};
  Duration elapsed_;
  sync::Server server_{cipher_, keys_,    {{cipher_.pair_of(kOperator).open, sync::Role::operate}},
                       robot_,  params(), now_};
  Mailbox outbox_;
  std::optional<Session> session_;
  Datagram last_;      // that was sent
  Datagram question_;  // of the last challenge
  std::array<bool, kPlaces> proven_{};
  std::uint32_t n_greetings_ = 0;
  int n_steps_ = 0;
};

// Records of a kind (a byte), an address (a byte), a length (two bytes) and bytes.
inline bool run_link_server(std::string_view bytes) {
  ServerRun run;
  ByteReader in(as_bytes(bytes));
  while (in.remaining() > 0) run.step(in);
  return run.taken();
}

}  // namespace forerun::fuzz
