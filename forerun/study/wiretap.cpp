#include "forerun/study/wiretap.hpp"

#include <utility>

namespace forerun::study {
namespace {

constexpr std::size_t kKept = 4096;  // datagrams that the hostile one can remember

}  // namespace

Wiretap::Wiretap(const impair::LinkProfile& profile, const TapHabits& habits, std::uint64_t seed)
    : habits_(habits),
      up_(profile, impair::Way::up, seed),
      down_(profile, impair::Way::down, seed),
      random_(seed, 0x7a9) {}

TrueTime Wiretap::next_arrival() const noexcept {
  return under_way_.empty() ? TrueTime{INT64_MAX} : under_way_.top().at;
}

Parcel Wiretap::take() {
  Parcel parcel = under_way_.top();
  under_way_.pop();
  return parcel;
}

void Wiretap::deliver(Parcel parcel, Duration delay) {
  parcel.at = parcel.at + delay;
  parcel.order = next_order_++;
  under_way_.push(std::move(parcel));
}

void Wiretap::send(TrueTime now, impair::Way way, const sync::Address& from, Bytes datagram) {
  Parcel parcel{.at = now,
                .sent = now,
                .order = 0,
                .id = counts_.sent++,
                .way = way,
                .origin = Origin::sent,
                .from = from,
                .bytes = {datagram.begin(), datagram.end()}};
  const auto delays = (way == impair::Way::up ? up_ : down_).carry(now - TrueTime{}, datagram.size());
  keep(parcel);
  if (!delays.empty()) ++counts_.arrived;
  if (!delays.empty() && random_.uniform() < habits_.withhold) {
    parcel.origin = Origin::withheld;
    deliver(parcel, from_seconds(random_.uniform(2, 60)));
  } else {
    for (std::size_t i = 0; i < delays.size(); ++i) {
      parcel.origin = i == 0 ? Origin::sent : Origin::doubled;
      deliver(parcel, delays[i]);
    }
  }
  if (random_.uniform() < habits_.replay) replay(now);
  if (random_.uniform() < habits_.forge) forge(now, parcel);
}

void Wiretap::keep(const Parcel& parcel) {
  if (kept_.size() < kKept) {
    kept_.push_back(parcel);
  } else {
    kept_[random_.below(kKept)] = parcel;
  }
}

// Anything seen so far, from where it came from or from elsewhere, in its own direction or thrown back.
void Wiretap::replay(TrueTime now) {
  Parcel parcel = kept_[random_.below(kept_.size())];
  parcel.at = parcel.sent = now;
  parcel.origin = Origin::replayed;
  if (random_.uniform() < 0.3) parcel.from.port ^= 0x55;
  if (random_.uniform() < 0.1) parcel.way = parcel.way == impair::Way::up ? impair::Way::down : impair::Way::up;
  ++counts_.replayed;
  deliver(std::move(parcel), from_seconds(random_.uniform(0.001, 3)));
}

// Bits flipped, cut short, made longer, or noise behind a true header.
void Wiretap::forge(TrueTime now, const Parcel& model) {
  Parcel parcel = model;
  parcel.at = parcel.sent = now;
  parcel.origin = Origin::forged;
  auto& bytes = parcel.bytes;
  switch (random_.below(4)) {
    case 0:
      bytes[random_.below(bytes.size())] ^= static_cast<std::uint8_t>(1u << random_.below(8));
      break;
    case 1:
      bytes.resize(random_.below(bytes.size()));
      break;
    case 2:
      bytes.push_back(static_cast<std::uint8_t>(random_.bits()));
      break;
    default:
      for (std::size_t i = 11; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(random_.bits());
  }
  ++counts_.forged;
  deliver(std::move(parcel), from_seconds(random_.uniform(0.001, 0.5)));
}

}  // namespace forerun::study
