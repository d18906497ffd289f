// The viewer's side of the link against a robot side that lies: raw datagrams, authentic ones with any content,
// welcomes.
#pragma once

#include <optional>

#include "forerun/sync/client.hpp"
#include "fuzz/link_entries.hpp"

namespace forerun::fuzz {

class ClientRun {
 public:
  ClientRun() {
    client_.tick(now_, outbox_);
    read_letters();
    welcome(welcome_of(sync::Role::operate));
    for (int i = 0; i < 3; ++i) {
      pass(20);
      receive(kHome, seal(session_->transport, cipher_, stamped({})));
    }
    FORERUN_CHECK(client_.state(now_) == sync::LinkState::open && client_.clock().ready());
    FORERUN_CHECK(client_.counts().drops.total() == 0);
  }

  // One record: what to do, and with what.
  void step(ByteReader& in) {
    const auto [what, from, bytes] = read_record(in, 4);
    switch (what % 11) {
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
        if (before_) receive(from, seal(before_->transport, cipher_, stamped(bytes)));
        break;
      case 4:
        welcome(bytes);
        break;
      case 5:
        retry(from, bytes);
        break;
      case 6:
        receive(from, Datagram(last_));
        break;
      case 7:
        pass(bytes.empty() ? 10 : std::int64_t{bytes[0]} << (from * 4));
        break;
      case 8:
        give(bytes);
        break;
      case 9:
        change(from, bytes);
        break;
      default:
        bring(bytes);
    }
    ++n_steps_;
    check();
  }

  // Everything that came was of use.
  [[nodiscard]] bool taken() const { return n_steps_ > 0 && client_.counts().drops.total() == 0; }

 private:
  static constexpr std::uint8_t kHome = 0;

  // The robot side's end.
  struct Session {
    sync::Transport transport;
    std::uint32_t id = 0;
  };

  // The robot's clock is behind, and nobody sets it.
  [[nodiscard]] std::int64_t robot_time() const { return kFuzzStart + elapsed_.ns - nanoseconds(3000); }

  [[nodiscard]] Datagram welcome_of(sync::Role role) const {
    Datagram content(sync::kGreetingContentSize);
    ByteWriter out(content);
    sync::write(sync::WelcomeContent{robot_time(), 1, role}, out);
    return content;
  }
  [[nodiscard]] Datagram stamped(Bytes frames) const {
    Datagram content(sync::kStampSize);
    ByteWriter out(content);
    sync::write(session_->transport.stamp(robot_time()), out);
    content.insert(content.end(), frames.begin(), frames.end());
    return content;
  }

  void tick() {
    client_.tick(now_, outbox_);
    read_letters();
    // or the program around it would never rest
    FORERUN_CHECK(client_.next_tick(now_) > now_);
  }
  void pass(std::int64_t ms) {
    elapsed_ += Duration{nanoseconds(ms)};
    now_ += Duration{nanoseconds(ms)};
    tick();
  }

  // The answer to the newest greeting, with this content.
  void welcome(Bytes bytes) {
    if (hello_.empty()) return;
    std::array<std::uint8_t, sync::kGreetingContentSize> content{};
    auto handshake = sync::Handshake::respond(cipher_, sync::make_prologue(hello_), keys_);
    FORERUN_CHECK(handshake.read_first(Bytes(hello_).subspan(sync::kHelloNoiseAt), content));
    FORERUN_CHECK(sync::decode_hello_content(content).has_value());
    std::copy_n(bytes.begin(), std::min(bytes.size(), content.size()), content.begin());
    ByteReader header(hello_);
    const std::uint32_t viewer_session = sync::read_greeting_header(header).session;
    Datagram datagram(sync::kWelcomeSize);
    ByteWriter out(datagram);
    sync::write(sync::GreetingHeader{sync::DatagramType::welcome, sync::kVersion, viewer_session}, out);
    FORERUN_CHECK(handshake.write_second(content, MutableBytes(datagram).subspan(sync::kGreetingHeaderSize)));

    const auto welcome = sync::decode_welcome_content(content);
    const std::uint64_t n_begun = client_.counts().sessions_begun;
    last_ = datagram;
    client_.receive(now_, place(kHome), last_, outbox_);
    if (client_.counts().sessions_begun != n_begun) {
      before_ = session_;
      session_ = Session{sync::Transport(handshake.split(), viewer_session), welcome->session};
    }
    read_letters();
  }

  // Asks for a token, as the robot side or as a forger who has seen the greeting.
  void retry(std::uint8_t from, Bytes bytes) {
    if (hello_.empty()) return;
    Datagram datagram(sync::kRetrySize);
    ByteWriter out(datagram);
    ByteReader header(hello_);
    const std::uint8_t version = bytes.empty() ? sync::kVersion : bytes[0];
    sync::write(sync::GreetingHeader{sync::DatagramType::retry, version, sync::read_greeting_header(header).session},
                out);
    out.bytes(bytes.first(std::min(bytes.size(), sync::kTokenSize)));
    receive(from, datagram);
  }

  void receive(std::uint8_t from, const Datagram& datagram) {
    last_ = datagram;
    client_.receive(now_, place(from), last_, outbox_);
    read_letters();
  }

  void give(Bytes bytes) {
    ByteReader in(bytes);
    robot::Command command;
    command.kind = static_cast<robot::CommandKind>(in.u8() % 4 + 1);
    command.goal = {in.f64(), in.f64()};
    command.velocity = {command.goal.x, 0, command.goal.y};
    client_.give(now_, command, outbox_);
    read_letters();
    tick();
  }

  // Whatever the robot side asks for then, no more than the object is sent, and not without end.
  void bring(Bytes bytes) {
    if (bytes.empty()) return client_.delivery().cancel();
    client_.bring(now_, sync::ObjectKind::mission, Datagram(bytes.begin(), bytes.end()), outbox_);
    read_letters();
    tick();
  }

  void change(std::uint8_t what, Bytes bytes) {
    ByteReader in(bytes);
    if (what == 0) return client_.close(now_, outbox_), read_letters();
    if (what == 1) client_.fetch().begin(in.u64());
    if (what == 2) client_.set_world_bounds({{0, 0}, {10, 10}});
    const OperatorTime set = now_ + Duration{nanoseconds(in.i32())};
    if (what == 3 && sync::is_plausible_time(set.ns)) now_ = set;
    tick();
  }

  // What the viewer sends opens, and can be read by the same text.
  void read_letters() {
    for (const Letter& letter : outbox_.letters) {
      if (letter.bytes[0] == static_cast<std::uint8_t>(sync::DatagramType::hello)) hello_ = letter.bytes;
      const bool data = letter.bytes[0] == static_cast<std::uint8_t>(sync::DatagramType::data);
      ByteReader header(letter.bytes);
      if (!data || !session_) continue;
      FORERUN_CHECK(sync::read_data_header(header).session == session_->id);
      std::array<std::uint8_t, sync::kLargestDatagram> buffer;
      const auto opened = session_->transport.open(cipher_, letter.bytes, robot_time(), buffer);
      FORERUN_CHECK(!opened.problem);
      ByteReader in(opened.content);
      FORERUN_CHECK(sync::read_stamp(in).has_value() && sync::has_whole_frames(in));
      while (const auto frame = sync::read_frame(in)) FORERUN_CHECK(check_frame(*frame));
    }
    outbox_.letters.clear();
  }

  void check() {
    FORERUN_CHECK(!client_.newest() || is_finite(*client_.newest()));
    FORERUN_CHECK(!client_.newest() || check_report(client_.newest_body()));
    const double lost = client_.lost_fraction(now_);
    FORERUN_CHECK(lost >= 0 && lost <= 1);
    FORERUN_CHECK(client_.fetch().progress() >= 0 && client_.fetch().progress() <= 1);
    if (!client_.clock().ready()) return;
    const sync::ClockFilter& clock = client_.clock().filter();
    FORERUN_CHECK(std::isfinite(clock.offset_at(now_.ns)) && std::abs(clock.drift()) < 0.01);
    FORERUN_CHECK(clock.uncertainty_at(now_.ns) >= 0 && clock.round_trip() >= 0);
  }

  RepeatingCipher cipher_;
  sync::KeyPair keys_ = cipher_.pair_of(1);
  OperatorTime now_{kFuzzStart};
  Duration elapsed_;
  sync::Client client_{cipher_, cipher_.pair_of(2), keys_.open, place(kHome), {}, now_};
  Mailbox outbox_;
  Datagram hello_;  // the newest
  std::optional<Session> session_, before_;
  Datagram last_;  // that was received
  int n_steps_ = 0;
};

// Records of a kind (a byte), an address (a byte), a length (two bytes) and bytes.
inline bool run_link_client(std::string_view bytes) {
  ClientRun run;
  ByteReader in(as_bytes(bytes));
  while (in.remaining() > 0) run.step(in);
  return run.taken();
}

}  // namespace forerun::fuzz
