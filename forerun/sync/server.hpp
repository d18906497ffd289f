// The robot side of the link: greets viewers, sends them the robot's reports, and lets commands through that are
// allowed and fresh. A pure function of bytes and time; docs/protocol.md draws its states.
#pragma once

#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/time.hpp"
#include "forerun/image/sender.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/bulk.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/command_gate.hpp"
#include "forerun/sync/drops.hpp"
#include "forerun/sync/outbox.hpp"
#include "forerun/sync/recent_greetings.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/retry_token.hpp"
#include "forerun/sync/session_table.hpp"

namespace forerun::sync {

struct AllowedKey {
  Key key{};
  Role role = Role::watch;
};

inline constexpr std::size_t kReservedSessions = 64;  // for allowed keys when strangers have taken all others

struct ServerParams {
  bool anyone_may_watch = false;     // also keys that are not allowed explicitly; never to operate
  std::size_t max_sessions = 16384;  // of strangers; some more are kept free for allowed keys
  double chunks_per_s = 1000;        // of objects, to one session [1/s]; all together get 20 times as many
  double image_bytes_per_s = 32000;  // of camera images, to all who look together, at most [bytes/s]
  double greetings_per_s = 2000;     // public-key work is spent on at most so many [1/s]
  double token_life_s = 30;          // a retry token is good for this long [s]
  double confirm_s = 30;             // a session that was never used ends after this time [s]
  double idle_s = 60;                // and one that is no longer used after this time [s]
  GateParams gate;
};

template <class Visit>
void visit_fields(ServerParams& p, Visit&& visit) {
  visit("anyone_may_watch", p.anyone_may_watch,
        Field{.about = "anyone may watch; operating still needs an allowed key"});
  visit("max_sessions", p.max_sessions,
        Field{1, 1048576, "sessions at the same time; some more are kept free for allowed keys"});
  visit("chunks_per_s", p.chunks_per_s,
        Field{1, 1e6, "of objects, to one session; all together get 20 times as many [1/s]"});
  visit("image_bytes_per_s", p.image_bytes_per_s,
        Field{1500, 1e7, "of camera images, to all who look together, at most [bytes/s]"});
  visit("greetings_per_s", p.greetings_per_s, Field{1, 1e6, "public-key work is spent on at most so many [1/s]"});
  visit("token_life_s", p.token_life_s, Field{1, 3600, "a retry token is good for this long [s]"});
  visit("confirm_s", p.confirm_s, Field{1, 3600, "a session that was never used ends after this time [s]"});
  visit("idle_s", p.idle_s, Field{1, 86400, "and one that is no longer used after this time [s]"});
}

struct ServerCounts {
  DropCounts drops;
  std::uint64_t received = 0;        // datagrams
  std::uint64_t sent = 0;            // datagrams
  std::uint64_t sessions_begun = 0;  // confirmed ones
  std::uint64_t commands_executed = 0;
  std::uint64_t commands_refused = 0;
  std::uint64_t objects_taken = 0;  // by the robot
  std::uint64_t moves = 0;          // sessions that went on from another address
  std::uint64_t image_parts = 0;    // sent
};

class Server {
 public:
  // `cipher` and `robot` must outlive the server.
  Server(Cipher& cipher, const KeyPair& own, std::vector<AllowedKey> allowed, RobotSide& robot,
         const ServerParams& params, RobotTime now);

  void receive(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox);
  // Everything that time brings: hand driving that ceased, the robot's word on commands, sessions that ended.
  void tick(RobotTime now, Outbox& outbox) noexcept;
  // `tick` will not be called again: hand driving ends now.
  void close() noexcept { gate_.close(); }
  // Who may connect has changed: sessions whose keys may no longer do what they do end.
  void set_allowed(std::vector<AllowedKey> allowed) noexcept;
  // Which commands are let through from now on.
  void set_gate(const GateParams& params) noexcept { gate_.set_params(params); }
  // A datagram that never got here, because it was too long to be received.
  void note_too_long() noexcept { drop(Drop::too_long); }
  // When `tick` should be called at the latest.
  [[nodiscard]] RobotTime next_tick() const noexcept;

  // Takes over the newest report, which goes to all sessions from now on; false when its numbers cannot be sent, or its
  // sections are not whole or too long.
  [[nodiscard]] bool publish(RobotTime now, const robot::Report& report, Bytes sections = {}) noexcept;
  // Sends the newest report to up to `n` more sessions; true while there are more to send to.
  bool broadcast(RobotTime now, std::size_t n, Outbox& outbox) noexcept;

  // The newest image of one of the robot's cameras, for those who look through it; parts of the one before that have
  // not gone out are not sent. False when it cannot be sent (image/sender.hpp).
  [[nodiscard]] bool publish_image(const image::Info& info, Bytes image) { return images_.publish(info, image); }
  // Through which cameras somebody looks.
  [[nodiscard]] image::Cameras wanted_cameras(RobotTime now) noexcept { return images_.wanted(now); }
  // How many bytes of images a second reach those who look through this one; nothing: nobody does.
  [[nodiscard]] std::optional<double> image_bytes_per_s(RobotTime now, std::uint8_t camera = 0) noexcept {
    return images_.bytes_per_s(now, camera);
  }

  // Objects that viewers may fetch, such as the model.
  [[nodiscard]] BulkStore& objects() noexcept { return objects_; }
  // What is known here of the clock of an operator with an open session.
  [[nodiscard]] const RobotsClockMap* clock_of(const Key& who) noexcept;
  // Of the operator who has least: one who missed a report before one who did not, then the older report. Nothing while
  // no operator is known to have any; watchers are not asked, they may be many.
  [[nodiscard]] std::optional<Receipt> receipt() noexcept;
  [[nodiscard]] std::size_t n_sessions() const noexcept { return sessions_.size(); }
  [[nodiscard]] const ServerCounts& counts() const noexcept { return counts_; }

 private:
  // greeting (server_greeting.cpp)
  void on_hello(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox);
  [[nodiscard]] bool greeted_before(const Address& from, std::uint64_t greeting, Outbox& outbox) noexcept;
  void send_retry(RobotTime now, const Address& to, std::uint32_t viewer_session, Outbox& outbox) noexcept;
  [[nodiscard]] Role role_for(const Key& key, Role wanted) const noexcept;
  [[nodiscard]] bool is_allowed(const Key& key) const noexcept;
  [[nodiscard]] bool has_room_for(const Key& key) const noexcept;
  [[nodiscard]] bool send_welcome(const Address& to, std::uint32_t viewer_session, Handshake& handshake,
                                  const WelcomeContent& content, WelcomeBytes& datagram, Outbox& outbox) noexcept;
  // What became of a greeting.
  struct Greeted {
    bool answered = false;
    std::uint32_t session = 0;  // 0: none
  };
  Greeted welcome(RobotTime now, const Address& to, std::uint32_t viewer_session, Handshake& handshake,
                  const HelloContent& hello, Outbox& outbox);

  // images (server_images.cpp)
  void on_look(ServerSession& session, Bytes body, const Address& from, RobotTime now) noexcept;
  void send_images(RobotTime now, Outbox& outbox) noexcept;
  [[nodiscard]] std::optional<RobotTime> end_of_quiet(RobotTime now) const noexcept;
  [[nodiscard]] std::optional<RobotTime> next_image() const noexcept;

  // open sessions (server.cpp)
  void on_data(RobotTime now, const Address& from, Bytes datagram, Outbox& outbox);
  void confirm(ServerSession& session, RobotTime now) noexcept;
  void learn_clock(ServerSession& session, const Stamp& stamp, bool newest, RobotTime now) noexcept;
  bool on_frame(ServerSession& session, const Frame& frame, const Address& from, RobotTime now, Outbox& outbox);
  [[nodiscard]] bool on_command(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox);
  void tell(const CommandGate::Answered& answered, RobotTime now, Outbox& outbox) noexcept;
  void send(ServerSession& session, const Answer& answer, RobotTime now, Outbox& outbox) noexcept;
  void on_request(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox);
  void on_offer(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox);
  [[nodiscard]] bool has_room_for_object(const Inbox& inbox) noexcept;
  void on_chunk(ServerSession& session, Bytes body, const Address& from, RobotTime now, Outbox& outbox);
  void fetch_objects(RobotTime now, Outbox& outbox) noexcept;
  void send(ServerSession& session, const Verdict& verdict, RobotTime now, Outbox& outbox) noexcept;
  void answer(ServerSession& session, const Address& to, bool prove, RobotTime now, Outbox& outbox) noexcept;
  [[nodiscard]] static bool is_proved(const ServerSession& session, RobotTime now) noexcept;
  void add_report(ServerSession& session, Draft& draft, RobotTime now) noexcept;
  void send(ServerSession& session, Draft& draft, const Address& to, RobotTime now) noexcept;
  void drop(Drop reason) noexcept { counts_.drops.add(reason); }

  Cipher& cipher_;
  KeyPair own_;
  std::vector<AllowedKey> allowed_;
  RobotSide& robot_;
  ServerParams params_;
  std::uint16_t clock_;  // names this server's clock
  RetryTokens tokens_;
  SessionTable sessions_;
  CommandGate gate_;
  BulkStore objects_;
  image::Sender images_;
  ServerCounts counts_;
  RecentGreetings greetings_;
  Bucket greeting_budget_;
  Bucket chunk_budget_;
  RobotTime next_sweep_;
  std::optional<RobotTime> next_fetch_;  // while objects are on their way here
  SyncBody report_;
  std::uint32_t report_sequence_ = 0;
  std::optional<RobotTime> published_;
  Duration report_interval_;   // between the newest two
  std::size_t n_to_send_ = 0;  // slots left of the broadcast under way
  std::size_t next_slot_ = 0;
};

}  // namespace forerun::sync
