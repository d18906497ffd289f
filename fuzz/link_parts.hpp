// What both ends of the link need to be fuzzed: ciphers that repeat themselves, a mailbox, addresses and reports.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/robot/report_fields.hpp"
#include "forerun/sync/outbox.hpp"
#include "forerun/sync/prologue.hpp"
#include "forerun/sync/transport.hpp"
#include "fuzz/checks.hpp"

namespace forerun::fuzz {

// Real primitives, but what is drawn is the same in every run. Agreements are therefore the same too: they are kept, as
// they would take most of the time.
class RepeatingCipher final : public sync::Cipher {
 public:
  [[nodiscard]] sync::Digest hash(Bytes message) const noexcept override { return real_.hash(message); }
  [[nodiscard]] sync::Digest mac(Bytes key, Bytes message) const noexcept override { return real_.mac(key, message); }
  [[nodiscard]] bool agree(const sync::Key& secret, const sync::Key& open, sync::Key& shared) const noexcept override {
    static std::map<std::pair<sync::Key, sync::Key>, sync::Key> known;
    if (const auto found = known.find({secret, open}); found != known.end()) {
      shared = found->second;
      return true;
    }
    const bool good = real_.agree(secret, open, shared);
    if (good && known.size() < kMostKnown) known.emplace(std::pair{secret, open}, shared);
    return good;
  }
  [[nodiscard]] sync::Key open_half(const sync::Key& secret) const noexcept override {
    static std::map<sync::Key, sync::Key> known;
    if (const auto found = known.find(secret); found != known.end()) return found->second;
    const sync::Key open = real_.open_half(secret);
    if (known.size() < kMostKnown) known.emplace(secret, open);
    return open;
  }
  void seal(const sync::Key& key, std::uint64_t counter, Bytes associated, Bytes message,
            MutableBytes sealed) const noexcept override {
    real_.seal(key, counter, associated, message, sealed);
  }
  [[nodiscard]] bool open(const sync::Key& key, std::uint64_t counter, Bytes associated, Bytes sealed,
                          MutableBytes message) const noexcept override {
    return real_.open(key, counter, associated, sealed, message);
  }
  void draw(MutableBytes bytes) noexcept override {
    std::array<std::uint8_t, 8> number;
    ByteWriter(number).u64(++n_drawn_);
    const sync::Digest digest = real_.hash(number);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = digest[i % digest.size()];
  }

  [[nodiscard]] sync::KeyPair pair_of(std::uint8_t number) const noexcept {
    sync::Key secret;
    secret.fill(number);
    return {secret, open_half(secret)};
  }

 private:
  static constexpr std::size_t kMostKnown = 1000;

  net::SodiumCipher real_;
  std::uint64_t n_drawn_ = 0;
};

using Datagram = std::vector<std::uint8_t>;

struct Letter {
  sync::Address to;
  Datagram bytes;
};

class Mailbox final : public sync::Outbox {
 public:
  MutableBytes begin() noexcept override { return room_; }
  void send(std::size_t size, const sync::Address& to) noexcept override {
    FORERUN_CHECK(size > 0 && size <= room_.size());
    letters.push_back({to, {room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(size)}});
  }

  std::vector<Letter> letters;

 private:
  std::array<std::uint8_t, sync::kLargestDatagram> room_{};
};

inline sync::Address place(std::uint8_t number) { return {{10, 0, 0, number}, 7000}; }

inline std::int64_t nanoseconds(std::int64_t ms) { return ms * 1'000'000; }
constexpr std::int64_t kFuzzStart = 1'800'000'000'000'000'000;  // in the year 2027 [ns]

// An authentic datagram with this content, cut to what fits.
inline Datagram seal(sync::Transport& transport, const sync::Cipher& cipher, Bytes content) {
  constexpr std::size_t kRoom = sync::kLargestDatagram - sync::kDataHeaderSize - sync::kTagSize;
  content = content.first(std::min(content.size(), kRoom));
  Datagram datagram(sync::kLargestDatagram);
  std::copy(content.begin(), content.end(), datagram.begin() + sync::kDataHeaderSize);
  datagram.resize(transport.seal(cipher, datagram, content.size()));
  return datagram;
}

inline Datagram frame_of(sync::FrameKind kind, Bytes body) {
  Datagram frame(sync::kFrameHeaderSize + body.size());
  ByteWriter out(frame);
  sync::write_frame(kind, body, out);
  return frame;
}

// No number of a report is infinite or none.
struct FiniteFields {
  bool& finite;

  void operator()(const robot::ReportField&, double value) const { finite = finite && std::isfinite(value); }
  void operator()(const robot::ReportField& field, const std::optional<Vec2>& point) const {
    if (point) (*this)(field, point->x + point->y);
  }
  void operator()(const robot::ReportField& field, const std::optional<Pose2>& pose) const {
    if (pose) (*this)(field, pose->x + pose->y + pose->theta);
  }
  void operator()(const robot::ReportField&, auto) const {}  // whole numbers
};
inline bool is_finite(const robot::Report& report) {
  bool finite = true;
  visit_report(report, FiniteFields{finite});
  return finite;
}

// What to do, from which of `n_places`, and with what.
struct Record {
  std::uint8_t what = 0;
  std::uint8_t from = 0;
  Bytes bytes;
};
inline Record read_record(ByteReader& in, std::uint8_t n_places) {
  Record record;
  record.what = in.u8();
  record.from = static_cast<std::uint8_t>(in.u8() % n_places);
  const std::size_t length = in.u16();
  record.bytes = in.bytes(std::min(length, in.remaining()));
  return record;
}

}  // namespace forerun::fuzz
