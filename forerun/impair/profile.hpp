// What a network does to datagrams, each way. Plain data, as read from profiles/*.yaml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"

namespace forerun::impair {

enum class Way : std::uint8_t { up, down };  // to the robot, from the robot

// One direction. Everything that is zero does not happen; a fresh path carries all datagrams at once.
struct LinkPath {
  // delay = the smallest one + where the path has jumped to + jitter, at most the largest one
  double delay = 0;               // [s]
  double jitter = 0;              // mean of a queueing delay that is distributed exponentially [s]
  double jitter_correlation = 1;  // its autocorrelation falls to 1/e within this time [s]
  double max_delay = 0;           // [s]; 0: no such bound
  double jump_every = 0;          // mean time between changes of the path [s]; 0: never
  double jump = 0;                // each adds between nothing and this to the smallest delay [s]
  // losses: independent ones, and those of a Gilbert–Elliott channel in continuous time
  double loss = 0;             // [share]
  double burst_good = 0;       // mean length of good times [s]; 0: no bursts
  double burst_bad = 0;        // mean length of bad times [s]; 0: no bursts
  double burst_good_loss = 0;  // [share]
  double burst_bad_loss = 1;   // [share]
  // order
  double reorder = 0;           // share of datagrams that are held back, so that later ones overtake them
  double reorder_hold = 0.05;   // held back by at most this [s]
  double duplicate = 0;         // share of datagrams that arrive twice
  double duplicate_lag = 0.01;  // the copy comes at most this much later [s]
  // bottleneck
  double rate = 0;       // [bit/s]; 0: unlimited
  double queue = 64000;  // waiting before the bottleneck, the datagram on the wire included [bytes]
};

template <class Visit>
void visit_fields(LinkPath& p, Visit&& visit) {
  visit("delay_s", p.delay, Field{0, 60, "smallest delay [s]"});
  visit("jitter_s", p.jitter, Field{0, 60, "mean of the queueing delay, which is distributed exponentially [s]"});
  visit("jitter_correlation_s", p.jitter_correlation,
        Field{0.0001, 3600, "the queueing delay's autocorrelation falls to 1/e within this [s]"});
  visit("max_delay_s", p.max_delay, Field{0, 120, "largest delay beyond the rate limit's queue [s]; 0: no bound"});
  visit("jump_every_s", p.jump_every, Field{0, 1e6, "mean time between changes of the path [s]; 0: never"});
  visit("jump_s", p.jump, Field{0, 60, "a change adds from 0 to this to the smallest delay [s]"});
  visit("loss", p.loss, Field{0, 1, "share lost, each independently"});
  visit("burst_good_s", p.burst_good, Field{0, 1e6, "mean length of good times [s]; 0: no bursts"});
  visit("burst_bad_s", p.burst_bad, Field{0, 1e6, "mean length of bad times [s]; 0: no bursts"});
  visit("burst_good_loss", p.burst_good_loss, Field{0, 1, "share lost in good times"});
  visit("burst_bad_loss", p.burst_bad_loss, Field{0, 1, "share lost in bad times"});
  visit("reorder", p.reorder, Field{0, 1, "share held back, so that later datagrams overtake them"});
  visit("reorder_hold_s", p.reorder_hold, Field{0, 60, "held back by at most this [s]"});
  visit("duplicate", p.duplicate, Field{0, 1, "share that arrives twice"});
  visit("duplicate_lag_s", p.duplicate_lag, Field{0, 60, "the copy comes at most this much later [s]"});
  visit("rate_bps", p.rate, Field{0, 1e11, "bottleneck [bit/s]; 0: unlimited"});
  visit("queue_bytes", p.queue, Field{1, 1e9, "room before the bottleneck [bytes]; more is dropped"});
}

// A time in which nothing passes, in either direction.
struct Blackout {
  double at = 0;      // [s] after the link began
  double every = 0;   // again after this time [s]; 0: only once
  double length = 0;  // [s]
};

template <class Visit>
void visit_fields(Blackout& p, Visit&& visit) {
  visit("at_s", p.at, Field{0, 1e6, "begins [s]; every_s where only that is given"});
  visit("every_s", p.every, Field{0, 1e6, "and again after this time [s]; 0: only once"});
  visit("for_s", p.length, Field{0.001, 1e6, "length [s]"});
}

// One recorded round trip; it stands for all datagrams sent from its time until the next one's.
struct TraceSample {
  double at = 0;          // [s] since the first one
  double round_trip = 0;  // [s]
};

inline constexpr int kMaxBlackouts = 256;

struct LinkProfile {
  std::string name = "link";
  double sync_interval = 0.1;  // how often the robot is to send over this link [s]
  LinkPath up;
  LinkPath down;
  std::vector<Blackout> blackouts;
  // a recording that is played on top, from its beginning and over again
  std::string trace_file;          // where it comes from; empty: nothing is played
  std::vector<TraceSample> trace;  // in the order of time, the first one at 0
  double trace_length = 0;         // the trace starts over after this [s]; beyond the last sample
  double trace_rate_hz = 10;       // of recordings without times
  double trace_lost_above = 10;    // longer round trips were disconnections [s]
  double trace_split = 0.5;        // share of the round trip that belongs to the way up

  [[nodiscard]] const LinkPath& path(Way way) const noexcept { return way == Way::up ? up : down; }
};

template <class Visit>
void visit_fields(LinkProfile& p, Visit&& visit) {
  visit("name", p.name, Field{0, 0, "what it is called"});
  visit("sync_interval_s", p.sync_interval, Field{0.001, 3600, "the robot sends this often over such a link [s]"});
  visit("trace", p.trace_file, Field{0, 0, "file of recorded round trips that are played, beside the profile"});
  visit("trace_rate_hz", p.trace_rate_hz, Field{0.001, 10000, "round trips per second of a recording without times"});
  visit("trace_lost_above_s", p.trace_lost_above, Field{0.001, 1e6, "longer recorded round trips are losses [s]"});
  visit("split", p.trace_split, Field{0, 1, "share of a recorded round trip that belongs to the way up"});
}

}  // namespace forerun::impair
