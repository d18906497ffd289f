// The viewer's side of the link: finds the robot side, keeps the session alive and fresh, learns its clock, takes the
// reports and delivers commands. A pure function of bytes and time; docs/protocol.md draws its states.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/time.hpp"
#include "forerun/clocks/lateness.hpp"
#include "forerun/clocks/loss_meter.hpp"
#include "forerun/geom/box.hpp"
#include "forerun/image/receiver.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/bulk.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/clock_map.hpp"
#include "forerun/sync/command_sender.hpp"
#include "forerun/sync/delivery.hpp"
#include "forerun/sync/drops.hpp"
#include "forerun/sync/greeter.hpp"
#include "forerun/sync/outbox.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/transport.hpp"
#include "forerun/sync/wait_meter.hpp"

namespace forerun::sync {

struct ClientParams {
  Role wanted = Role::operate;
  double ping_s = 1.0;       // something is sent at least so often [s]
  double silence_s = 8.0;    // nothing heard for this long: greet again [s]
  double rekey_s = 300;      // a session is replaced by one with new keys after this time [s]
  double old_keys_s = 10.0;  // the replaced session is still listened to for this long [s]
  GreeterParams greeter;
  SenderParams sender;
};

template <class Visit>
void visit_fields(ClientParams& p, Visit&& visit) {
  visit("ping_s", p.ping_s, Field{0.05, 60, "something is sent at least so often [s]"});
  visit("silence_s", p.silence_s, Field{0.5, 600, "nothing heard for this long: greet again [s]"});
  visit("rekey_s", p.rekey_s, Field{10, 86400, "a session is replaced by one with new keys after this time [s]"});
  visit("old_keys_s", p.old_keys_s, Field{0, 600, "the replaced session is still listened to for this long [s]"});
}

enum class LinkState : std::uint8_t {
  greeting,  // no session yet, or none any more
  refused,   // the robot side does not allow this key
  open,      // datagrams come
  silent,    // there is a session, but nothing has come for a while
};
[[nodiscard]] const char* to_string(LinkState state) noexcept;

struct ClientCounts {
  DropCounts drops;
  std::uint64_t received = 0;  // datagrams
  std::uint64_t sent = 0;      // datagrams
  std::uint64_t reports = 0;   // that were newer than all before
  std::uint64_t sessions_begun = 0;
  std::uint64_t moves = 0;  // times that the robot side went on from another address
};

class Client {
 public:
  // `cipher` must outlive the client. `server` is where the robot side is at first.
  Client(Cipher& cipher, const KeyPair& own, const Key& server_key, const Address& server, const ClientParams& params,
         OperatorTime now);

  void receive(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox);
  void tick(OperatorTime now, Outbox& outbox);
  // When `tick` should be called at the latest.
  [[nodiscard]] OperatorTime next_tick(OperatorTime now) const noexcept;

  // Sends at once. Nothing is given, and nothing kept for later, without an open session; only a stop waits for one.
  // Behind a stop that is not answered there is no drive and no cancel.
  std::optional<std::uint64_t> give(OperatorTime now, const robot::Command& command, Outbox& outbox);
  // How long answers to commands are awaited, for links that take longer than usual.
  void set_sender(const SenderParams& params) noexcept { commands_.set_params(params); }
  // Brings an object, not empty, to the robot, in place of one that is still under way; gives its number. What becomes
  // of it is the delivery's verdict. It waits for a session as long as it must.
  std::uint64_t bring(OperatorTime now, ObjectKind kind, std::vector<std::uint8_t> bytes, Outbox& outbox);
  // Of which of the robot's cameras images are wanted: only those are sent.
  void look(OperatorTime now, image::Cameras wanted) noexcept;
  // Says goodbye, so that the robot side does not wait.
  void close(OperatorTime now, Outbox& outbox) noexcept;
  // Reports from outside are dropped; known when the world has been fetched.
  void set_world_bounds(const Box2& bounds) noexcept { world_bounds_ = bounds; }
  // Where to look for the robot side when it is not where it was.
  void set_server(const Address& server) noexcept { home_ = server; }

  [[nodiscard]] LinkState state(OperatorTime now) const noexcept;
  [[nodiscard]] Role role() const noexcept { return role_; }
  // All places on the robot side are taken; it is asked again from time to time.
  [[nodiscard]] bool found_no_room() const noexcept { return no_room_; }
  // With the planned path as it was said last: it is not in every report.
  [[nodiscard]] const std::optional<robot::Report>& newest() const noexcept { return newest_; }
  // The bytes that the newest report came in, with sections of all kinds: to be passed on as they are.
  [[nodiscard]] Bytes newest_body() const noexcept { return newest_body_; }
  // The age from which the next report is late: one usual interval, and what a packet may take at most.
  [[nodiscard]] double overdue_after_s() const noexcept { return usual_interval_s_ + clocks::LatenessParams{}.limit_s; }
  // The age from which a report says little about now: none has come for twice as long as usual, or for 3 s.
  [[nodiscard]] double stale_after_s() const noexcept { return std::max(3.0, 2 * usual_interval_s_); }
  [[nodiscard]] const OperatorsClockMap& clock() const noexcept { return clock_; }
  [[nodiscard]] const clocks::Lateness& lateness() const noexcept { return lateness_; }
  [[nodiscard]] const CommandSender& commands() const noexcept { return commands_; }
  [[nodiscard]] double lost_fraction(OperatorTime now) const noexcept { return loss_.lost_fraction(now); }
  [[nodiscard]] const ClientCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::uint8_t server_version() const noexcept { return greeter_.server_version(); }
  // Fetches objects, such as the model that the reports belong to.
  [[nodiscard]] BulkReceiver& fetch() noexcept { return fetch_; }
  [[nodiscard]] Delivery& delivery() noexcept { return delivery_; }
  [[nodiscard]] const image::Receiver& images() const noexcept { return images_; }

 private:
  struct Session {
    Transport transport;
    std::uint32_t local_id = 0;   // named in datagrams to us
    std::uint32_t remote_id = 0;  // named in datagrams to the robot side
    OperatorTime begun;
    OperatorTime heard_at;  // or when it began
    bool reported = false;  // a report came
  };

  void on_welcome(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox);
  void forget_sessions() noexcept;
  void on_data(OperatorTime now, const Address& from, Bytes datagram, Outbox& outbox);
  void on_stamp(const Stamp& stamp, const Session& session, bool newest, OperatorTime now) noexcept;
  void note_transit(RobotTime sent, OperatorTime now, std::optional<Duration> round_trip) noexcept;
  void on_frame(const Frame& frame, bool newest, OperatorTime now, Outbox& outbox);
  void on_report(Bytes body, bool newest) noexcept;
  void note_interval(const robot::Report& report) noexcept;
  void on_challenge(Bytes body, OperatorTime now, Outbox& outbox) noexcept;
  void fetch_more(OperatorTime now, Outbox& outbox) noexcept;
  void send(FrameKind kind, Bytes body, OperatorTime now, Outbox& outbox) noexcept;
  void send_due_command(OperatorTime now, Outbox& outbox) noexcept;
  void send_ping(OperatorTime now, Outbox& outbox) noexcept;
  void send_look(OperatorTime now, Outbox& outbox) noexcept;
  void greet(OperatorTime now, Outbox& outbox) noexcept;
  [[nodiscard]] bool needs_session(OperatorTime now) const noexcept;
  [[nodiscard]] bool is_opening(OperatorTime now) const noexcept;
  void drop(Drop reason) noexcept { counts_.drops.add(reason); }

  Cipher& cipher_;
  ClientParams params_;
  Address home_;    // where we were told the robot side is
  Address server_;  // where it was heard last
  Greeter greeter_;
  std::optional<Session> session_;
  std::optional<Session> before_;  // replaced lately
  SentTimes<256> sent_times_;
  OperatorTime sent_at_;
  Role role_ = Role::none;
  bool refused_ = false;
  bool no_room_ = false;
  std::optional<Box2> world_bounds_;
  std::optional<robot::Report> newest_;
  SyncBody newest_body_;
  double usual_interval_s_ = 0;  // between two reports; zero: not known
  OperatorsClockMap clock_;
  std::uint16_t own_clock_;         // names this viewer's clock
  std::uint16_t server_clock_ = 0;  // which clock the robot side goes by
  clocks::Lateness lateness_;
  clocks::LossMeter loss_;
  CommandSender commands_;
  BulkReceiver fetch_;
  Delivery delivery_;
  WaitMeter waits_;
  image::Receiver images_;
  image::Cameras wanted_ = image::kNoCamera;
  std::optional<OperatorTime> next_look_;  // while images are wanted
  ClientCounts counts_;
};

}  // namespace forerun::sync
