// WebSocket frames (RFC 6455): whole messages for browsers, and what browsers send, which may be anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/base/bytes.hpp"

namespace forerun::web {

enum class WebOpcode : std::uint8_t { more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Why a connection ends.
enum class WebClose : std::uint16_t {
  normal = 1000,
  protocol_error = 1002,
  not_text = 1007,
  policy = 1008,
  too_big = 1009,
};

// The bytes of an unmasked, unfragmented frame, as they go over the wire.
[[nodiscard]] std::string frame_bytes(WebOpcode opcode, std::string_view payload);
[[nodiscard]] std::string close_bytes(WebClose code);

// What a browser says, from bytes in pieces of any size. Keeps at most one message, and one control frame within it.
class WebFrameReader {
 public:
  enum class Kind : std::uint8_t { nothing, text, binary, ping, pong, close, broken };
  struct Said {
    Kind kind = Kind::nothing;        // `nothing`: all bytes are taken, and more are needed
    std::string payload;              // of a ping, pong, or message
    WebClose why = WebClose::normal;  // of `broken`
  };

  explicit WebFrameReader(std::size_t largest_message) noexcept : largest_(largest_message) {}

  // Takes bytes off the front of `bytes` up to the end of the first message or control frame. Once it is broken, it
  // stays so.
  [[nodiscard]] Said take(Bytes& bytes);

 private:
  static constexpr std::size_t kLargestHeader = 14;

  [[nodiscard]] bool take_header(Bytes& bytes);
  // Nothing wrong: `normal`.
  [[nodiscard]] WebClose check_header() const noexcept;
  [[nodiscard]] WebClose check_length(std::uint64_t length) const noexcept;
  void take_payload(Bytes& bytes);
  [[nodiscard]] Said end_frame();
  [[nodiscard]] Said end_control();
  [[nodiscard]] Said broken(WebClose why);
  [[nodiscard]] bool is_control() const noexcept { return (header_[0] & 0x08u) != 0; }
  [[nodiscard]] std::size_t header_size() const noexcept;

  std::size_t largest_;
  std::uint8_t header_[kLargestHeader] = {};
  std::size_t n_header_ = 0;          // bytes of it that are here
  bool in_payload_ = false;           // the header is whole and allowed
  std::uint64_t length_ = 0;          // of this frame's payload
  std::uint64_t n_taken_ = 0;         // of it
  WebOpcode kind_ = WebOpcode::more;  // of the message under way; `more`: none is
  std::size_t n_fragments_ = 0;       // of it
  std::string message_;
  std::string control_;
  WebClose broken_ = WebClose::normal;
};

// True for text that is well-formed.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace forerun::web
