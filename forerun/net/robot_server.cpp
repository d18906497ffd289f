#include "forerun/net/robot_server.hpp"

#include <algorithm>
#include <utility>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/udp_outbox.hpp"
#include "forerun/net/wait.hpp"

namespace forerun::net {
namespace {

constexpr std::size_t kSendAtOnce = 256;  // reports between two looks at what came in
constexpr int kBatchesAtOnce = 16;        // received before time is looked at again

}  // namespace

struct RobotServer::State {
  State(UdpSocket&& open_socket, const Setup& setup, sync::RobotSide& robot)
      : socket(std::move(open_socket)),
        outbox(socket),
        server(cipher, setup.keys, setup.allowed, robot, setup.params, now_on<RobotClock>()) {}

  void receive() {
    for (int i = 0; i < kBatchesAtOnce; ++i) {
      const auto batch = socket.receive();
      for (const Datagram& datagram : batch) {
        server.receive(now_on<RobotClock>(), datagram.from, datagram.bytes, outbox);
      }
      for (; n_truncated < socket.counts().truncated; ++n_truncated) server.note_too_long();
      if (batch.size() < kBatch) return;
    }
  }

  // Goes on with the broadcast as far as the system takes it: what would only be thrown away is not sealed.
  void broadcast() {
    if (!sending || !is_writable(socket.descriptor())) return;
    sending = server.broadcast(now_on<RobotClock>(), kSendAtOnce, outbox);
  }

  UdpSocket socket;
  UdpOutbox outbox;
  SodiumCipher cipher;
  sync::Server server;
  bool sending = false;           // a broadcast is under way
  std::uint64_t n_truncated = 0;  // datagrams too long to be received that were counted
};

RobotServer::RobotServer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
RobotServer::RobotServer(RobotServer&&) noexcept = default;

RobotServer::~RobotServer() {
  if (state_) state_->server.close();
}

Result<RobotServer> RobotServer::open(const Setup& setup, sync::RobotSide& robot) {
  auto socket = UdpSocket::open(setup.listen);
  if (!socket) return socket.error();
  return RobotServer(std::make_unique<State>(std::move(*socket), setup, robot));
}

bool RobotServer::publish(const robot::Report& report, Bytes sections) noexcept {
  if (!state_->server.publish(now(), report, sections)) return false;
  state_->sending = true;
  state_->broadcast();
  state_->socket.flush();
  return true;
}

bool RobotServer::publish_image(const image::Info& info, Bytes image) noexcept {
  return state_->server.publish_image(info, image);
}

image::Cameras RobotServer::wanted_cameras() noexcept { return state_->server.wanted_cameras(now()); }

std::optional<double> RobotServer::image_bytes_per_s(std::uint8_t camera) noexcept {
  return state_->server.image_bytes_per_s(now(), camera);
}

void RobotServer::poll(double timeout_s, std::span<const int> others) {
  FixedVector<int, 8> descriptors;
  descriptors.push_back(state_->socket.descriptor());
  for (const int other : others) FORERUN_CHECK(descriptors.push_back(other));
  const RobotTime end = now() + from_seconds(timeout_s);
  // the robot may have given its word since
  state_->server.tick(now(), state_->outbox);
  state_->socket.flush();
  while (true) {
    const RobotTime wake = std::min(end, state_->server.next_tick());
    const double wait = std::max(0.0, to_seconds(wake - now()));
    const int writable = state_->sending ? state_->socket.descriptor() : -1;
    const bool ready = wait_readable_or_writable(descriptors, writable, wait);
    state_->receive();
    state_->server.tick(now(), state_->outbox);
    state_->broadcast();
    state_->socket.flush();
    if (now() >= end || (ready && !others.empty() && wait_readable(others, 0))) return;
    if (!ready && wait > 0 && now() < wake) return;  // a signal came
  }
}

void RobotServer::set_allowed(std::vector<sync::AllowedKey> allowed) { state_->server.set_allowed(std::move(allowed)); }

void RobotServer::set_gate(const sync::GateParams& params) noexcept { state_->server.set_gate(params); }

sync::Offer RobotServer::offer(sync::ObjectKind kind, std::vector<std::uint8_t> bytes) {
  sync::BulkStore& objects = state_->server.objects();
  return *objects.find(objects.add(kind, std::move(bytes), state_->cipher));
}

void RobotServer::withdraw(std::uint64_t object) noexcept { state_->server.objects().remove(object); }

Address RobotServer::local_address() const noexcept { return state_->socket.local_address(); }
RobotTime RobotServer::clock() noexcept { return now_on<RobotClock>(); }
std::size_t RobotServer::n_sessions() const noexcept { return state_->server.n_sessions(); }
std::optional<sync::Receipt> RobotServer::receipt() const noexcept { return state_->server.receipt(); }
const sync::ServerCounts& RobotServer::counts() const noexcept { return state_->server.counts(); }
const SocketCounts& RobotServer::socket_counts() const noexcept { return state_->socket.counts(); }

}  // namespace forerun::net
