#include "forerun/net/viewer.hpp"

#include <algorithm>
#include <utility>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/wipe.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/address_lookup.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/signature.hpp"
#include "forerun/net/socket_address.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/udp_outbox.hpp"
#include "forerun/net/wait.hpp"

namespace forerun::net {
namespace {

constexpr int kBatchesAtOnce = 16;
constexpr Duration kAskAgain = from_seconds(30);  // for the server's address, while it is not heard

}  // namespace

struct Viewer::State {
  State(UdpSocket&& open_socket, const Setup& setup, const Address& server)
      : socket(std::move(open_socket)),
        outbox(socket),
        lookup(setup.server),
        keys(setup.keys),
        client(cipher, setup.keys, setup.server_key, server, setup.params, now_on<OperatorClock>()),
        next_look(now_on<OperatorClock>() + kAskAgain) {}

  ~State() { wipe(keys.secret); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void receive() {
    for (int i = 0; i < kBatchesAtOnce; ++i) {
      const auto batch = socket.receive();
      for (const Datagram& datagram : batch) {
        client.receive(now_on<OperatorClock>(), datagram.from, datagram.bytes, outbox);
      }
      if (batch.size() < kBatch) return;
    }
  }

  // A name may have come to mean another address. The name service is asked beside the loop: it may be as dead as the
  // link, and a stop is repeated all the same.
  void look_for_server(OperatorTime now) {
    const bool open = client.state(now) == sync::LinkState::open;
    const auto address = lookup.take();
    if (address && !is_any(*address) && !open) client.set_server(*address);
    if (now < next_look) return;
    next_look = now + kAskAgain;
    if (!open) lookup.start();
  }

  UdpSocket socket;
  UdpOutbox outbox;
  AddressLookup lookup;
  sync::KeyPair keys;  // signs missions
  SodiumCipher cipher;
  sync::Client client;
  OperatorTime next_look;
  std::optional<GivenDrive> drive;
  std::vector<ahead::OwnCommand> given;
  std::uint64_t n_given = 0;

  void remember(const robot::Command& command, std::uint64_t number);
};

// When it gets there is known as well as the clock, and as the way is the same each time.
void Viewer::State::remember(const robot::Command& command, std::uint64_t number) {
  const OperatorTime now = now_on<OperatorClock>();
  const auto& clock = client.clock();
  const bool drives = command.kind == robot::CommandKind::drive;
  if (!clock.ready()) return;
  constexpr double kSigmasOf95 = 1.96;
  const auto [robot_now, uncertainty] = clock.to_remote(now);
  const Duration way{static_cast<std::int64_t>(clock.filter().round_trip() / 2)};
  // whatever else is given ends the drive
  if (drives || drive) {
    drive = GivenDrive{robot_now + way, drives ? command.velocity : robot::Twist{},
                       drives ? command.flippers : std::nullopt};
  }
  if (given.size() == kMostGiven) given.erase(given.begin());
  given.push_back(
      {number, command, robot_now, robot_now + way, to_seconds(uncertainty) / kSigmasOf95, client.lost_fraction(now)});
  ++n_given;
}

Viewer::Viewer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Viewer::Viewer(Viewer&&) noexcept = default;
Viewer& Viewer::operator=(Viewer&&) noexcept = default;

Viewer::~Viewer() {
  if (!state_) return;
  state_->client.close(now(), state_->outbox);
  state_->socket.flush();
}

Result<Viewer> Viewer::open(const Setup& setup) {
  const auto server = resolve(setup.server);
  if (!server) return server.error();
  if (server->port == 0 || is_any(*server)) {
    return Error{"\"" + setup.server + "\" names no robot side; allowed is one host and its port, robot.example:7420"};
  }
  auto socket = UdpSocket::open({});
  if (!socket) return socket.error();
  return Viewer(std::make_unique<State>(std::move(*socket), setup, *server));
}

void Viewer::poll(double timeout_s, std::span<const int> others) {
  FixedVector<int, 8> descriptors;
  descriptors.push_back(state_->socket.descriptor());
  for (const int other : others) FORERUN_CHECK(descriptors.push_back(other));
  const OperatorTime end = now() + from_seconds(timeout_s);
  while (true) {
    const OperatorTime wake = std::min(end, state_->client.next_tick(now()));
    const double wait = std::max(0.0, to_seconds(wake - now()));
    const bool readable = wait_readable(descriptors, wait);
    state_->receive();
    state_->client.tick(now(), state_->outbox);
    state_->look_for_server(now());
    state_->socket.flush();
    if (now() >= end || (readable && !others.empty() && wait_readable(others, 0))) return;
    if (!readable && wait > 0 && now() < wake) return;  // a signal came
  }
}

std::optional<std::uint64_t> Viewer::give(const robot::Command& command) {
  const auto number = state_->client.give(now(), command, state_->outbox);
  state_->socket.flush();
  if (number) state_->remember(command, *number);
  return number;
}

const std::optional<Viewer::GivenDrive>& Viewer::newest_drive() const noexcept { return state_->drive; }

std::span<const ahead::OwnCommand> Viewer::given() const noexcept { return state_->given; }
std::uint64_t Viewer::n_given() const noexcept { return state_->n_given; }

std::uint64_t Viewer::bring(sync::ObjectKind kind, std::vector<std::uint8_t> bytes) {
  const std::uint64_t object = state_->client.bring(now(), kind, std::move(bytes), state_->outbox);
  state_->socket.flush();
  return object;
}

std::uint64_t Viewer::bring_mission(Bytes mission) {
  const mission::Seal seal{state_->keys.open, sign(state_->keys.secret, mission, state_->cipher)};
  return bring(sync::ObjectKind::mission, mission::pack_signed(seal, mission));
}

void Viewer::look(image::Cameras wanted) { state_->client.look(now(), wanted); }

sync::Client& Viewer::client() noexcept { return state_->client; }
OperatorTime Viewer::now() const noexcept { return now_on<OperatorClock>(); }
Address Viewer::local_address() const noexcept { return state_->socket.local_address(); }

}  // namespace forerun::net
