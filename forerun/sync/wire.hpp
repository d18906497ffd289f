// The bytes of the protocol: what docs/protocol.md says, field by field. Pure translation, no state.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/base/time.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/reply.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::sync {

inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kLargestDatagram = 1200;  // passes every IPv6 path unfragmented

enum class DatagramType : std::uint8_t { hello = 1, retry = 2, welcome = 3, data = 4 };

enum class Role : std::uint8_t {
  none = 0,     // not welcome
  watch = 1,    // receives
  operate = 2,  // receives and commands
};
[[nodiscard]] const char* to_string(Role role) noexcept;

// -- greeting --------------------------------------------------------------------------------------------------------

inline constexpr std::size_t kTokenSize = 24;
using Token = std::array<std::uint8_t, kTokenSize>;  // all zeros: none

// What a viewer says, sealed, in its greeting, and what the robot side answers.
struct HelloContent {
  std::int64_t sent = 0;        // viewer's clock [ns]
  std::uint32_t replaces = 0;   // session of the same key that this one takes over; 0: none
  Role wanted = Role::operate;  // it may be given less
  std::uint16_t clock = 0;      // another number: the viewer's clock is another one than before
};
inline constexpr std::uint32_t kNoRoom = 1;  // in place of a session, with no role: all places are taken
struct WelcomeContent {
  std::int64_t sent = 0;      // robot side's clock [ns]
  std::uint32_t session = 0;  // to be named in datagrams to the robot side
  Role role = Role::none;
  std::uint16_t clock = 0;  // the same for the robot side's clock
};
inline constexpr std::size_t kGreetingContentSize = 16;

inline constexpr std::size_t kGreetingHeaderSize = 8;                                         // type, version, session
inline constexpr std::size_t kHelloNoiseAt = kGreetingHeaderSize + kTokenSize;                // 32
inline constexpr std::size_t kHelloSize = kHelloNoiseAt + 96 + kGreetingContentSize;          // 144
inline constexpr std::size_t kRetrySize = kGreetingHeaderSize + kTokenSize;                   // 32
inline constexpr std::size_t kWelcomeSize = kGreetingHeaderSize + 48 + kGreetingContentSize;  // 72

struct GreetingHeader {
  DatagramType type = DatagramType::hello;
  std::uint8_t version = kVersion;
  std::uint32_t session = 0;  // the viewer's
};
void write(const GreetingHeader& header, ByteWriter& out) noexcept;
[[nodiscard]] GreetingHeader read_greeting_header(ByteReader& in) noexcept;

void write(const HelloContent& content, ByteWriter& out) noexcept;
void write(const WelcomeContent& content, ByteWriter& out) noexcept;
[[nodiscard]] std::optional<HelloContent> decode_hello_content(Bytes body) noexcept;
[[nodiscard]] std::optional<WelcomeContent> decode_welcome_content(Bytes body) noexcept;

// -- data ------------------------------------------------------------------------------------------------------------

inline constexpr std::size_t kDataHeaderSize = 11;  // type, session, counter
inline constexpr std::size_t kStampSize = 14;
inline constexpr std::size_t kFrameHeaderSize = 3;  // kind, length
inline constexpr std::uint64_t kCounterLimit = std::uint64_t{1} << 48;

struct DataHeader {
  std::uint32_t session = 0;  // the receiver's
  std::uint64_t counter = 0;  // below kCounterLimit
};
void write(const DataHeader& header, ByteWriter& out) noexcept;
[[nodiscard]] DataHeader read_data_header(ByteReader& in) noexcept;  // begins at the type

// Begins the content of every data datagram: the time stamps from which both sides learn each other's clock.
struct Stamp {
  std::int64_t sent = 0;  // sender's clock [ns]
  struct Echo {
    std::uint16_t counter = 0;  // low bits of the newest datagram received from the other side
    std::uint32_t held_us = 0;  // how long ago that was
  };
  std::optional<Echo> echo;
};
void write(const Stamp& stamp, ByteWriter& out) noexcept;
[[nodiscard]] std::optional<Stamp> read_stamp(ByteReader& in) noexcept;

enum class FrameKind : std::uint8_t {
  padding = 0,
  sync = 1,
  command = 2,
  outcome = 3,
  challenge = 4,
  response = 5,
  request = 6,
  chunk = 7,
  offer = 8,
  bye = 9,
  verdict = 10,
  image = 11,
  look = 12,
};

struct Frame {
  std::uint8_t kind = 0;  // unknown ones are skipped
  Bytes body;
};
// The next frame; nothing at the end, or when what is left is no frame (then `in.ok()` is false).
[[nodiscard]] std::optional<Frame> read_frame(ByteReader& in) noexcept;
// Everything that is left can be read as frames, none of which is shorter than its kind needs; reads nothing itself.
[[nodiscard]] bool has_whole_frames(ByteReader in) noexcept;
void write_frame(FrameKind kind, Bytes body, ByteWriter& out) noexcept;

// -- frames ----------------------------------------------------------------------------------------------------------

struct GivenCommand {
  std::uint64_t number = 0;  // grows from command to command of one key
  OperatorTime given;
  robot::Command command;
};

enum class Outcome : std::uint8_t {
  executed = 0,
  stale = 1,        // older than the robot side allows, or given before it began
  superseded = 2,   // a newer command of the same key was executed before
  not_allowed = 3,  // the key may only watch
  no_clock = 4,     // its age cannot be judged yet
  impossible = 5,   // the robot refused it; see the refusal
  malformed = 6,
};
inline constexpr std::uint8_t kOutcomes = 7;
[[nodiscard]] const char* to_string(Outcome outcome) noexcept;

struct Answer {
  std::uint64_t number = 0;
  Outcome outcome = Outcome::executed;
  std::uint64_t highest = 0;  // number of the newest command of this key that was executed
  // why the robot refused it, where it is `impossible`; none from robot sides that do not say
  robot::Refusal refusal = robot::Refusal::none;
  robot::Words words;
};

inline constexpr std::size_t kFlippersSize = 8;  // behind a drive that moves flippers
inline constexpr std::size_t kLargestCommandBody = 31;
inline constexpr std::size_t kAnswerBodySize = 17;  // without a reason
inline constexpr std::size_t kRefusalSize = 2;      // kind, length of the words
inline constexpr std::size_t kLargestAnswerBody = kAnswerBodySize + kRefusalSize + robot::Words::kLongest;

// The command's numbers fit into their fields.
[[nodiscard]] bool can_be_sent(const robot::Command& command) noexcept;
// False, and nothing sensible is written, when they do not.
[[nodiscard]] bool write(const GivenCommand& command, ByteWriter& out) noexcept;
void write(const Answer& answer, ByteWriter& out) noexcept;
[[nodiscard]] std::optional<GivenCommand> decode_command(Bytes body) noexcept;
[[nodiscard]] std::optional<Answer> decode_answer(Bytes body) noexcept;

// Why the robot refused, behind an answer or a verdict.
void write_reason(robot::Refusal refusal, const robot::Words& words, ByteWriter& out) noexcept;
void read_reason(ByteReader& in, robot::Refusal& refusal, robot::Words& words) noexcept;

// 1970 to 2099: other time stamps cannot be.
inline constexpr std::int64_t kTimeLimit = std::int64_t{4'102'444'800} * 1'000'000'000;
[[nodiscard]] constexpr bool is_plausible_time(std::int64_t ns) noexcept { return ns >= 0 && ns < kTimeLimit; }

}  // namespace forerun::sync
