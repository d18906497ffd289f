#include "forerun/sync/greeter.hpp"

#include <algorithm>

#include "forerun/sync/prologue.hpp"

namespace forerun::sync {
namespace {

constexpr Duration kSoonest = from_seconds(0.05);  // forged retries cannot make us greet more often

}  // namespace

Greeter::Greeter(Cipher& cipher, const KeyPair& own, const Key& server_key, const GreeterParams& params) noexcept
    : cipher_(cipher), own_(own), server_key_(server_key), params_(params) {}

void Greeter::start(OperatorTime now, const HelloContent& content) noexcept {
  const bool fresh = active() && now >= made_ && now - made_ < from_seconds(params_.fresh_s);
  // refused for longer than can be: the clock was set back
  const bool set_back = refused_until_ - now > from_seconds(params_.refused_s);
  if (!fresh && (now >= refused_until_ || set_back)) compose(now, content);
}

void Greeter::compose(OperatorTime now, const HelloContent& content) noexcept {
  std::array<std::uint8_t, 4> id;
  cipher_.draw(id);
  local_id_ = ByteReader(id).u32();
  ByteWriter out(hello_);
  write(GreetingHeader{DatagramType::hello, kVersion, local_id_}, out);
  // a token that was given lately may still be good: it stays
  std::array<std::uint8_t, kGreetingContentSize> sealed;
  ByteWriter content_out(sealed);
  write(content, content_out);
  handshake_ = Handshake::initiate(cipher_, make_prologue(hello_), own_, server_key_);
  if (!handshake_->write_first(sealed, MutableBytes(hello_).subspan(kHelloNoiseAt))) handshake_.reset();
  if (!active()) return;
  made_ = due_ = now;
  wait_ = from_seconds(params_.repeat_s);
}

std::optional<Bytes> Greeter::due(OperatorTime now) noexcept {
  // due later than it can be: the clock was set back
  const bool set_back = due_ - now > from_seconds(params_.slowest_s);
  if (!active() || (now < due_ && !set_back)) return std::nullopt;
  due_ = now + wait_;
  wait_ = std::min(from_seconds(to_seconds(wait_) * 1.25), from_seconds(params_.slowest_s));
  ++n_unanswered_;
  return Bytes(hello_);
}

std::optional<Drop> Greeter::on_retry(OperatorTime now, Bytes datagram) noexcept {
  if (datagram.size() < kRetrySize) return Drop::too_short;
  ByteReader in(datagram);
  const GreetingHeader header = read_greeting_header(in);
  if (!active() || header.session != local_id_) return Drop::unexpected;
  if (header.version != kVersion) {
    server_version_ = header.version;
    return Drop::wrong_version;
  }
  const Bytes token = in.bytes(kTokenSize);
  std::copy(token.begin(), token.end(), hello_.begin() + kGreetingHeaderSize);
  due_ = std::min(due_, std::max(now, hastened_at_ + kSoonest));
  hastened_at_ = now;
  n_unanswered_ = 0;
  wait_ = from_seconds(params_.repeat_s);  // it is there
  return std::nullopt;
}

Greeter::Welcomed Greeter::on_welcome(OperatorTime now, Bytes datagram) noexcept {
  if (datagram.size() != kWelcomeSize) return {.problem = Drop::too_short};
  // nothing may be altered unnoticed, not even what means nothing
  if (datagram[1] != kVersion || datagram[2] != 0 || datagram[3] != 0) return {.problem = Drop::bad_greeting};
  ByteReader in(datagram);
  const GreetingHeader header = read_greeting_header(in);
  if (!active() || header.session != local_id_) return {.problem = Drop::unexpected};
  std::array<std::uint8_t, kGreetingContentSize> content;
  if (!handshake_->read_second(datagram.subspan(kGreetingHeaderSize), content)) return {.problem = Drop::bad_greeting};
  // an authentic answer ends the handshake, even one that cannot be understood: that is as good as a refusal
  const auto welcome = decode_welcome_content(content);
  Welcomed welcomed{.keys = handshake_->split(), .local_id = local_id_};
  stop();
  n_unanswered_ = 0;
  server_version_ = 0;
  if (!welcome || welcome->role == Role::none) refused_until_ = now + from_seconds(params_.refused_s);
  if (!welcome) return {.problem = Drop::malformed};
  welcomed.content = *welcome;
  return welcomed;
}

}  // namespace forerun::sync
