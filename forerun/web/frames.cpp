#include "forerun/web/frames.hpp"

#include <algorithm>

#include "forerun/base/utf8.hpp"

namespace forerun::web {
namespace {

constexpr std::uint8_t kLast = 0x80;      // of the message; in the first byte
constexpr std::uint8_t kMasked = 0x80;    // in the second
constexpr std::uint8_t kReserved = 0x70;  // extensions; we offer none
constexpr std::size_t kMaskSize = 4;
constexpr std::size_t kMostFragments = 64;  // of a message; empty ones could go on forever
constexpr std::uint64_t kLargestControl = 125;

constexpr std::uint64_t kTwoBytes = 126;    // the length follows in two bytes,
constexpr std::uint64_t kEightBytes = 127;  // or in eight

std::size_t length_size(std::uint8_t second) noexcept {
  const std::uint64_t length = second & 0x7fu;
  return length == kTwoBytes ? 2 : length == kEightBytes ? 8 : 0;
}

// Those that may be sent (RFC 6455, 7.4).
bool is_close_code(unsigned code) noexcept {
  const bool defined = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
  return defined || (code >= 3000 && code <= 4999);
}

}  // namespace

std::string frame_bytes(WebOpcode opcode, std::string_view payload) {
  std::string bytes;
  bytes.reserve(payload.size() + 10);
  bytes.push_back(static_cast<char>(kLast | static_cast<std::uint8_t>(opcode)));
  const int n_length = payload.size() < kTwoBytes ? 0 : payload.size() <= UINT16_MAX ? 2 : 8;
  const std::uint64_t first = n_length == 0 ? payload.size() : n_length == 2 ? kTwoBytes : kEightBytes;
  bytes.push_back(static_cast<char>(first));
  for (int i = n_length - 1; i >= 0; --i) bytes.push_back(static_cast<char>(payload.size() >> (8 * i)));
  bytes.append(payload);
  return bytes;
}

std::string close_bytes(WebClose code) {
  const auto number = static_cast<std::uint16_t>(code);
  const char payload[] = {static_cast<char>(number >> 8), static_cast<char>(number)};
  return frame_bytes(WebOpcode::close, {payload, sizeof payload});
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t n = first_character(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

std::size_t WebFrameReader::header_size() const noexcept {
  return n_header_ < 2 ? 2 : 2 + length_size(header_[1]) + kMaskSize;
}

WebClose WebFrameReader::check_header() const noexcept {
  const bool last = (header_[0] & kLast) != 0;
  const auto opcode = static_cast<WebOpcode>(header_[0] & 0x0fu);
  if ((header_[0] & kReserved) != 0 || (header_[1] & kMasked) == 0) return WebClose::protocol_error;
  switch (opcode) {
    case WebOpcode::more:
      return kind_ == WebOpcode::more ? WebClose::protocol_error : WebClose::normal;
    case WebOpcode::text:
    case WebOpcode::binary:
      return kind_ == WebOpcode::more ? WebClose::normal : WebClose::protocol_error;
    case WebOpcode::close:
    case WebOpcode::ping:
    case WebOpcode::pong:
      return last && (header_[1] & 0x7fu) <= kLargestControl ? WebClose::normal : WebClose::protocol_error;
  }
  return WebClose::protocol_error;
}

WebClose WebFrameReader::check_length(std::uint64_t length) const noexcept {
  const std::size_t n = length_size(header_[1]);
  const bool shortest = n == 0 || (n == 2 && length >= kTwoBytes) || (n == 8 && length > UINT16_MAX);
  if (!shortest || length >> 63 != 0) return WebClose::protocol_error;
  if (!is_control() && length > largest_ - message_.size()) return WebClose::too_big;
  return WebClose::normal;
}

// True when there is a whole one that is allowed.
bool WebFrameReader::take_header(Bytes& bytes) {
  while (!bytes.empty() && n_header_ < header_size()) {
    header_[n_header_++] = bytes[0];
    bytes = bytes.subspan(1);
    if (n_header_ == 2) broken_ = check_header();
    if (broken_ != WebClose::normal) return false;
  }
  if (n_header_ < header_size()) return false;
  length_ = header_[1] & 0x7fu;
  const std::size_t n = length_size(header_[1]);
  if (n > 0) length_ = 0;
  for (std::size_t i = 0; i < n; ++i) length_ = length_ << 8 | header_[2 + i];
  broken_ = check_length(length_);
  if (broken_ != WebClose::normal) return false;
  if (!is_control() && kind_ == WebOpcode::more) kind_ = static_cast<WebOpcode>(header_[0] & 0x0fu);
  n_taken_ = 0;
  in_payload_ = true;
  return true;
}

void WebFrameReader::take_payload(Bytes& bytes) {
  const std::uint8_t* mask = header_ + n_header_ - kMaskSize;
  std::string& to = is_control() ? control_ : message_;
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), length_ - n_taken_));
  for (std::size_t i = 0; i < n; ++i) to.push_back(static_cast<char>(bytes[i] ^ mask[(n_taken_ + i) % kMaskSize]));
  n_taken_ += n;
  bytes = bytes.subspan(n);
}

WebFrameReader::Said WebFrameReader::broken(WebClose why) {
  broken_ = why;
  message_ = {};
  control_ = {};
  return {Kind::broken, {}, why};
}

WebFrameReader::Said WebFrameReader::end_control() {
  std::string payload = std::move(control_);
  control_.clear();
  const auto opcode = static_cast<WebOpcode>(header_[0] & 0x0fu);
  if (opcode == WebOpcode::ping) return {.kind = Kind::ping, .payload = std::move(payload)};
  if (opcode == WebOpcode::pong) return {.kind = Kind::pong, .payload = std::move(payload)};
  if (payload.empty()) return {.kind = Kind::close};
  const auto at = [&](std::size_t i) { return unsigned{static_cast<unsigned char>(payload[i])}; };
  if (payload.size() == 1 || !is_close_code(at(0) << 8 | at(1))) return broken(WebClose::protocol_error);
  if (!is_utf8(std::string_view(payload).substr(2))) return broken(WebClose::not_text);
  return {.kind = Kind::close};
}

WebFrameReader::Said WebFrameReader::end_frame() {
  in_payload_ = false;
  n_header_ = 0;
  if (is_control()) return end_control();
  if (++n_fragments_ > kMostFragments) return broken(WebClose::policy);
  if ((header_[0] & kLast) == 0) return {};
  n_fragments_ = 0;
  const bool text = kind_ == WebOpcode::text;
  kind_ = WebOpcode::more;
  std::string payload = std::move(message_);
  message_.clear();
  if (text && !is_utf8(payload)) return broken(WebClose::not_text);
  return {.kind = text ? Kind::text : Kind::binary, .payload = std::move(payload)};
}

WebFrameReader::Said WebFrameReader::take(Bytes& bytes) {
  while (broken_ == WebClose::normal) {
    if (!in_payload_ && !take_header(bytes)) break;
    take_payload(bytes);
    if (n_taken_ < length_) return {};
    Said said = end_frame();
    if (said.kind != Kind::nothing) return said;
    if (bytes.empty()) return {};
  }
  return broken_ == WebClose::normal ? Said{} : broken(broken_);
}

}  // namespace forerun::web
