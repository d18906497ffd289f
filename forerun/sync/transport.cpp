#include "forerun/sync/transport.hpp"

#include <algorithm>

namespace forerun::sync {
namespace {

bool begins_with_image(Bytes content) noexcept {
  return content.size() > kStampSize && content[kStampSize] == static_cast<std::uint8_t>(FrameKind::image);
}

}  // namespace

std::size_t Transport::seal(const Cipher& cipher, MutableBytes datagram, std::size_t content_size) noexcept {
  FORERUN_CHECK(next_counter_ < kCounterLimit);
  ByteWriter header(datagram);
  write(DataHeader{remote_session_, next_counter_}, header);
  const MutableBytes sealed = datagram.subspan(kDataHeaderSize, content_size + kTagSize);
  cipher.seal(keys_.send, next_counter_, header.written(), sealed.first(content_size), sealed);
  ++next_counter_;
  return kDataHeaderSize + sealed.size();
}

Transport::Opened Transport::open(const Cipher& cipher, Bytes datagram, std::int64_t now,
                                  MutableBytes buffer) noexcept {
  if (datagram.size() < kDataHeaderSize + kStampSize + kTagSize) return {.problem = Drop::too_short};
  if (datagram.size() > kLargestDatagram) return {.problem = Drop::too_long};
  ByteReader in(datagram);
  const std::uint64_t counter = read_data_header(in).counter;
  if (!window_.fresh(counter)) return {.problem = Drop::replayed};
  const Bytes sealed = datagram.subspan(kDataHeaderSize);
  const MutableBytes content = buffer.first(sealed.size() - kTagSize);
  if (!cipher.open(keys_.receive, counter, datagram.first(kDataHeaderSize), sealed, content)) {
    return {.problem = Drop::bad_tag};
  }
  window_.mark(counter);
  const std::uint64_t n_sent = counter >= n_known_ ? counter + 1 - n_known_ : 0;
  n_known_ += n_sent;
  const bool newest = (!heard_ || counter > heard_counter_) && !begins_with_image(content);
  if (newest) {
    heard_ = true;
    heard_counter_ = counter;
    heard_at_ = now;
  }
  return {.content = content, .counter = counter, .newest = newest, .n_sent = n_sent};
}

Stamp Transport::stamp(std::int64_t now) const noexcept {
  Stamp stamp{.sent = now};
  // a clock that was set back in between holds nothing
  const std::int64_t held_us = (now - heard_at_) / 1000;
  if (heard_ && held_us >= 0 && held_us < 0xffffffff) {
    stamp.echo = Stamp::Echo{static_cast<std::uint16_t>(heard_counter_), static_cast<std::uint32_t>(held_us)};
  }
  return stamp;
}

Draft::Draft(Transport& transport, const Cipher& cipher, Outbox& outbox, std::int64_t now) noexcept
    : transport_(transport),
      cipher_(cipher),
      outbox_(outbox),
      datagram_(outbox.begin()),
      content_(datagram_.subspan(kDataHeaderSize, kLargestDatagram - kDataHeaderSize - kTagSize)) {
  write(transport.stamp(now), content_);
}

bool Draft::add(FrameKind kind, Bytes body) noexcept {
  const std::size_t room = kLargestDatagram - kDataHeaderSize - kTagSize - content_.size();
  if (kFrameHeaderSize + body.size() > room) return false;
  write_frame(kind, body, content_);
  return true;
}

void Draft::send(const Address& to) noexcept { outbox_.send(transport_.seal(cipher_, datagram_, content_.size()), to); }

}  // namespace forerun::sync
