// A link in virtual time with somebody hostile on it, who keeps what passes, sends it again, alters it and holds it
// back.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/random.hpp"
#include "forerun/impair/link.hpp"
#include "forerun/study/sim_clock.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::study {

enum class Origin : std::uint8_t {
  sent,      // as the sender sent it
  doubled,   // the network's own copy
  withheld,  // sent, but held back by the hostile one for seconds to a minute
  replayed,  // sent again by the hostile one
  forged,    // altered or made up
};

struct Parcel {
  TrueTime at;          // arrives
  TrueTime sent;        // left
  std::uint64_t order;  // of being handed over, decides between equals
  std::uint64_t id;     // of the datagram that it is, or was made from
  impair::Way way;
  Origin origin;
  sync::Address from;
  std::vector<std::uint8_t> bytes;

  bool operator>(const Parcel& other) const noexcept { return at != other.at ? at > other.at : order > other.order; }
};

struct TapHabits {
  double replay = 0.02;     // share of datagrams that are sent again
  double forge = 0.02;      // share that is followed by an altered copy
  double withhold = 0.005;  // share that comes much later instead
};

struct TapCounts {
  std::uint64_t sent = 0;     // by the two ends
  std::uint64_t arrived = 0;  // of these, at least once
  std::uint64_t replayed = 0;
  std::uint64_t forged = 0;
};

class Wiretap {
 public:
  // `profile` must outlive it.
  Wiretap(const impair::LinkProfile& profile, const TapHabits& habits, std::uint64_t seed);

  // A datagram leaves one end.
  void send(TrueTime now, impair::Way way, const sync::Address& from, Bytes datagram);
  [[nodiscard]] TrueTime next_arrival() const noexcept;  // far in the future when nothing is under way
  [[nodiscard]] Parcel take();
  [[nodiscard]] const TapCounts& counts() const noexcept { return counts_; }

 private:
  void deliver(Parcel parcel, Duration delay);
  void replay(TrueTime now);
  void forge(TrueTime now, const Parcel& model);
  void keep(const Parcel& parcel);

  TapHabits habits_;
  impair::Link up_;
  impair::Link down_;
  Random random_;
  std::uint64_t next_order_ = 0;
  std::vector<Parcel> kept_;  // seen lately and long ago
  std::priority_queue<Parcel, std::vector<Parcel>, std::greater<>> under_way_;
  TapCounts counts_;
};

}  // namespace forerun::study
