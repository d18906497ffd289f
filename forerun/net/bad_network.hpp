// A bad network in between: takes datagrams from clients to one server and back, through a link, in real time.
#pragma once

#include <poll.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/impair/link.hpp"
#include "forerun/net/timer_heap.hpp"
#include "forerun/net/udp_socket.hpp"

namespace forerun::net {

struct BadNetworkOptions {
  Address listen;              // clients send here; port 0: any free one
  Address to;                  // the server, on the robot's side
  std::uint64_t seed = 1;      // of the link's chance
  std::size_t clients = 32;    // at once; a further one takes the place of who was silent longest
  std::size_t waiting = 8192;  // datagrams on their way; more are lost
};

// Whether it would send to itself: it would take what it sent for a new client, again and again.
[[nodiscard]] bool leads_to_itself(const Address& listen, const Address& to);

// Of one direction.
struct BadNetworkCounts {
  std::uint64_t received = 0;
  std::uint64_t sent = 0;  // copies included
  std::uint64_t lost = 0;  // by the link, blackouts included
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;  // sent after one that had been received later
  std::uint64_t dropped = 0;    // for want of room, or because the client's place was taken meanwhile
  double delay_sum = 0;         // between receiving and sending, over all that were sent [s]

  [[nodiscard]] double mean_delay() const noexcept { return sent > 0 ? delay_sum / static_cast<double>(sent) : 0; }
};

// All clients share one link. The server sees a socket of its own for each, so that answers find their way.
class BadNetwork {
 public:
  // `profile` must outlive the relay.
  [[nodiscard]] static Result<BadNetwork> open(const BadNetworkOptions& options, const impair::LinkProfile& profile);

  [[nodiscard]] Address local_address() const noexcept { return listening_.local_address(); }
  // Waits until a datagram arrives or is due, or for `longest`, or until a signal comes; then does what there is to do.
  void turn(Duration longest);
  // From now on nothing passes for this long; what is on its way still arrives.
  void black_out(Duration length) noexcept;

  [[nodiscard]] const BadNetworkCounts& counts(impair::Way way) const noexcept {
    return lanes_[static_cast<std::size_t>(way)].counts;
  }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
  [[nodiscard]] std::size_t clients() const noexcept { return clients_.size(); }
  [[nodiscard]] bool black() const noexcept;
  [[nodiscard]] Duration age() const noexcept;  // since it was opened: the link's time

 private:
  struct Client {
    Address address;
    UdpSocket socket;
    Duration heard;
    std::uint32_t generation = 0;
    bool wrote = false;  // has datagrams to flush
  };
  struct Lane {
    impair::Link link;
    BadNetworkCounts counts;
    std::uint64_t newest_sent = 0;
  };

  BadNetwork(const BadNetworkOptions& options, const impair::LinkProfile& profile, UdpSocket listening);
  void wait(Duration longest) noexcept;
  void receive_from_clients();
  void receive_from_server(std::size_t client);
  void carry(impair::Way way, std::size_t client, Bytes bytes, Duration now);
  void send_due();
  void send_next(Duration now) noexcept;
  // The client's place, made where it is new; as many as there are clients when it cannot be made.
  [[nodiscard]] std::size_t place_of(const Address& address, Duration now);

  BadNetworkOptions options_;
  const impair::LinkProfile* profile_;
  std::chrono::steady_clock::time_point start_;
  UdpSocket listening_;
  std::vector<Client> clients_;
  std::vector<pollfd> polled_;  // the listening socket, then the clients'
  TimerHeap waiting_;
  std::array<Lane, 2> lanes_;  // up, down
  std::uint64_t numbered_ = 0;
  Duration black_until_;
};

}  // namespace forerun::net
