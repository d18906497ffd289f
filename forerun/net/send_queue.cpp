#include "forerun/net/send_queue.hpp"

#include <netinet/udp.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "forerun/base/check.hpp"

namespace forerun::net {
namespace {

constexpr std::size_t kMaxSegments = 64;         // older kernels refuse more
constexpr std::size_t kMaxMessageBytes = 65000;  // the kernel builds one long datagram first

}  // namespace

int KernelSendPort::send(std::span<mmsghdr> messages) noexcept {
  const int n = sendmmsg(descriptor_, messages.data(), static_cast<unsigned>(messages.size()), 0);
  return n >= 0 ? n : -errno;
}

void KernelSendPort::wait_for_room(int error) noexcept {
  // a full queue of the device does not show in poll
  pollfd room{descriptor_, POLLOUT, 0};
  poll(&room, error == EAGAIN ? 1 : 0, 1);
}

SendQueue::SendQueue(SendPort& port, int family, bool segmentation) noexcept
    : port_(&port), family_(family), segmentation_(segmentation) {
  for (std::size_t i = 0; i < kBatch; ++i) {
    headers_[i].msg_hdr.msg_name = &addresses_[i];
    headers_[i].msg_hdr.msg_iov = &pieces_[i];
    headers_[i].msg_hdr.msg_iovlen = 1;
  }
}

MutableBytes SendQueue::begin(std::size_t size, SocketCounts& counts) noexcept {
  FORERUN_CHECK(size <= kMaxDatagram);
  if (n_messages_ == kBatch || n_bytes_ + size > bytes_.size()) deliver(counts);
  begun_ = size;
  return MutableBytes(bytes_).subspan(n_bytes_, size);
}

void SendQueue::commit(std::size_t size, const Address& to, SocketCounts& counts) noexcept {
  FORERUN_CHECK(size <= begun_);
  begun_ = 0;
  if (joins(size, to)) {
    Message& message = messages_[n_messages_ - 1];
    ++message.n_datagrams;
    message.open = size == message.size;
    pieces_[n_messages_ - 1].iov_len += size;
    mark_segments(n_messages_ - 1);
  } else {
    msghdr& header = headers_[n_messages_].msg_hdr;
    header.msg_namelen = to_socket_address(to, family_, addresses_[n_messages_]);
    if (header.msg_namelen == 0) {
      ++counts.send_errors;
      return;
    }
    header.msg_control = nullptr;
    header.msg_controllen = 0;
    pieces_[n_messages_] = {bytes_.data() + n_bytes_, size};
    messages_[n_messages_++] = {.to = to, .size = size, .n_datagrams = 1, .open = size > 0};
  }
  n_bytes_ += size;
}

bool SendQueue::joins(std::size_t size, const Address& to) const noexcept {
  if (!segmentation_ || n_messages_ == 0 || size == 0) return false;
  const Message& last = messages_[n_messages_ - 1];
  return last.open && size <= last.size && last.to == to && last.n_datagrams < kMaxSegments &&
         (last.n_datagrams + 1) * last.size <= kMaxMessageBytes;
}

void SendQueue::mark_segments(std::size_t at) noexcept {
  msghdr& header = headers_[at].msg_hdr;
  header.msg_control = controls_[at].bytes.data();
  header.msg_controllen = controls_[at].bytes.size();
  cmsghdr* control = CMSG_FIRSTHDR(&header);
  control->cmsg_level = IPPROTO_UDP;
  control->cmsg_type = UDP_SEGMENT;
  control->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
  const auto size = static_cast<std::uint16_t>(messages_[at].size);
  std::memcpy(CMSG_DATA(control), &size, sizeof size);
}

void SendQueue::flush(SocketCounts& counts) noexcept {
  deliver(counts);
  waits_left_ = kMaxWaits;
}

void SendQueue::deliver(SocketCounts& counts) noexcept {
  bool retried = false;
  for (std::size_t at = 0; at < n_messages_;) {
    ++counts.send_calls;
    const int n = port_->send(std::span(headers_).subspan(at, n_messages_ - at));
    if (n > 0) {
      const std::size_t end = at + static_cast<std::size_t>(n);
      for (; at < end; ++at) count_sent(messages_[at], counts);
      retried = false;
      continue;
    }
    const Verdict verdict = judge(-n, messages_[at].n_datagrams > 1, retried);
    retried = verdict == Verdict::retry;
    if (verdict == Verdict::retry) continue;
    if (verdict == Verdict::give_up) {
      for (; at < n_messages_; ++at) counts.congested += messages_[at].n_datagrams;
      break;
    }
    if (verdict == Verdict::divide) send_one_by_one(at, counts);
    if (verdict == Verdict::skip) counts.send_errors += messages_[at].n_datagrams;
    if (verdict != Verdict::waited) ++at;
  }
  n_messages_ = 0;
  n_bytes_ = 0;
}

void SendQueue::count_sent(const Message& message, SocketCounts& counts) noexcept {
  counts.sent += message.n_datagrams;
  if (message.n_datagrams > 1) counts.segmented += message.n_datagrams;
}

SendQueue::Verdict SendQueue::judge(int error, bool segmented, bool retried) noexcept {
  switch (error) {
    case EINTR:
      return Verdict::waited;
    case EAGAIN:
    case ENOBUFS:
    case ENOMEM:
      if (waits_left_ == 0) return Verdict::give_up;
      --waits_left_;
      port_->wait_for_room(error);
      return Verdict::waited;
    case EIO:  // the device cannot
      if (segmented) segmentation_ = false;
      return segmented ? Verdict::divide : Verdict::skip;
    case EINVAL:  // one datagram is longer than the path to this address takes in one piece
    case EMSGSIZE:
    case EOPNOTSUPP:
      return segmented ? Verdict::divide : Verdict::skip;
    default:
      // the system may be reporting the fate of an earlier datagram; reported once, it is forgotten
      return retried ? Verdict::skip : Verdict::retry;
  }
}

void SendQueue::send_one_by_one(std::size_t at, SocketCounts& counts) noexcept {
  MutableBytes rest(static_cast<std::uint8_t*>(pieces_[at].iov_base), pieces_[at].iov_len);
  mmsghdr single = headers_[at];
  iovec piece{};
  single.msg_hdr.msg_iov = &piece;
  single.msg_hdr.msg_control = nullptr;
  single.msg_hdr.msg_controllen = 0;
  bool retried = false;
  while (!rest.empty()) {
    piece = {rest.data(), std::min(messages_[at].size, rest.size())};
    ++counts.send_calls;
    const int n = port_->send({&single, 1});
    const Verdict verdict = n > 0 ? Verdict::waited : judge(-n, false, retried);
    retried = verdict == Verdict::retry;
    if (n <= 0 && (verdict == Verdict::retry || verdict == Verdict::waited)) continue;
    ++(n > 0 ? counts.sent : verdict == Verdict::give_up ? counts.congested : counts.send_errors);
    rest = rest.subspan(piece.iov_len);
  }
}

}  // namespace forerun::net
