#include "forerun/net/bad_network.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "forerun/net/socket_address.hpp"

namespace forerun::net {

using impair::Way;

bool leads_to_itself(const Address& listen, const Address& to) {
  if (listen.port != to.port) return false;
  if (listen.ip == to.ip) return true;
  const bool same_family = listen.ip == Address{}.ip || is_ipv4(to);
  // only an address of this machine can be opened here
  return is_any(listen) && same_family && UdpSocket::open({.ip = to.ip, .port = 0});
}

Result<BadNetwork> BadNetwork::open(const BadNetworkOptions& options, const impair::LinkProfile& profile) {
  Result<UdpSocket> socket = UdpSocket::open(options.listen);
  if (!socket) return socket.error();
  return BadNetwork(options, profile, std::move(*socket));
}

BadNetwork::BadNetwork(const BadNetworkOptions& options, const impair::LinkProfile& profile, UdpSocket listening)
    : options_(options),
      profile_(&profile),
      start_(std::chrono::steady_clock::now()),
      listening_(std::move(listening)),
      waiting_(options.waiting),
      lanes_{Lane{impair::Link(profile, Way::up, options.seed)}, Lane{impair::Link(profile, Way::down, options.seed)}} {
  clients_.reserve(options.clients);
  polled_.reserve(options.clients + 1);
  polled_.push_back({listening_.descriptor(), POLLIN, 0});
}

Duration BadNetwork::age() const noexcept {
  return {std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count()};
}

bool BadNetwork::black() const noexcept {
  const Duration now = age();
  return now < black_until_ || impair::black(*profile_, now);
}

void BadNetwork::black_out(Duration length) noexcept { black_until_ = std::max(black_until_, age() + length); }

void BadNetwork::wait(Duration longest) noexcept {
  if (!waiting_.empty()) longest = std::min(longest, waiting_.next_due() - age());
  longest = std::max(longest, Duration{});
  const timespec timeout{static_cast<std::time_t>(longest.ns / 1'000'000'000),
                         static_cast<long>(longest.ns % 1'000'000'000)};
  for (pollfd& polled : polled_) polled.revents = 0;
  (void)ppoll(polled_.data(), polled_.size(), &timeout, nullptr);  // a signal ends it, too
}

void BadNetwork::turn(Duration longest) {
  wait(longest);
  // answers first: a new client may take the place of an old one
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    if (polled_[i + 1].revents != 0) receive_from_server(i);
  }
  if (polled_[0].revents != 0) receive_from_clients();
  send_due();
}

std::size_t BadNetwork::place_of(const Address& address, Duration now) {
  const auto known =
      std::find_if(clients_.begin(), clients_.end(), [&](const Client& c) { return c.address == address; });
  if (known != clients_.end()) return static_cast<std::size_t>(known - clients_.begin());

  // a fresh socket even for a taken place: late answers to the old client must not reach the new one
  Result<UdpSocket> socket = UdpSocket::open(Address{});
  if (!socket) return clients_.size();
  const pollfd polled{socket->descriptor(), POLLIN, 0};
  if (clients_.size() < options_.clients) {
    clients_.push_back({address, std::move(*socket), now});
    polled_.push_back(polled);
    return clients_.size() - 1;
  }
  const auto silent = std::min_element(clients_.begin(), clients_.end(),
                                       [](const Client& a, const Client& b) { return a.heard < b.heard; });
  const auto place = static_cast<std::size_t>(silent - clients_.begin());
  *silent = Client{address, std::move(*socket), now, silent->generation + 1};
  polled_[place + 1] = polled;
  return place;
}

void BadNetwork::receive_from_clients() {
  const Duration now = age();
  for (const Datagram& datagram : listening_.receive()) {
    const std::size_t place = place_of(datagram.from, now);
    if (place == clients_.size()) {
      ++lanes_[0].counts.received;
      ++lanes_[0].counts.dropped;
      continue;
    }
    clients_[place].heard = now;
    carry(Way::up, place, datagram.bytes, now);
  }
}

void BadNetwork::receive_from_server(std::size_t client) {
  const Duration now = age();
  for (const Datagram& datagram : clients_[client].socket.receive()) {
    if (datagram.from == options_.to) carry(Way::down, client, datagram.bytes, now);
  }
}

void BadNetwork::carry(Way way, std::size_t client, Bytes bytes, Duration now) {
  Lane& lane = lanes_[static_cast<std::size_t>(way)];
  ++lane.counts.received;
  const auto delays = lane.link.carry(now, bytes.size());
  if (delays.empty() || now < black_until_) {
    ++lane.counts.lost;
    return;
  }
  if (delays.size() > 1) ++lane.counts.duplicated;
  WaitingTag tag{++numbered_, static_cast<std::uint32_t>(client), clients_[client].generation, way == Way::up, false,
                 now};
  for (const Duration delay : delays) {
    if (!waiting_.push(now + delay, bytes, tag)) ++lane.counts.dropped;
    tag.copy = true;
  }
}

void BadNetwork::send_next(Duration now) noexcept {
  const WaitingTag& tag = waiting_.next_tag();
  Client& client = clients_[tag.client];
  Lane& lane = lanes_[tag.upwards ? 0 : 1];
  if (client.generation != tag.generation) {
    ++lane.counts.dropped;
    return;
  }
  if (tag.upwards) {
    client.socket.send(waiting_.next_bytes(), options_.to);
    client.wrote = true;
  } else {
    listening_.send(waiting_.next_bytes(), client.address);
  }
  ++lane.counts.sent;
  lane.counts.delay_sum += to_seconds(now - tag.received);
  if (tag.number < lane.newest_sent && !tag.copy) ++lane.counts.reordered;
  lane.newest_sent = std::max(lane.newest_sent, tag.number);
}

void BadNetwork::send_due() {
  const Duration now = age();
  while (!waiting_.empty() && waiting_.next_due() <= now) {
    send_next(now);
    waiting_.pop();
  }
  listening_.flush();
  for (Client& client : clients_) {
    if (std::exchange(client.wrote, false)) client.socket.flush();
  }
}

}  // namespace forerun::net
