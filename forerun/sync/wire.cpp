#include "forerun/sync/wire.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/fixed_point.hpp"
#include "forerun/image/wire.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/posture_wire.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/units.hpp"

namespace forerun::sync {
namespace {

constexpr std::uint32_t kNotHeld = 0xffffffff;  // `held_us` of a stamp without echo

std::optional<Role> role_from(std::uint8_t code) noexcept {
  if (code > static_cast<std::uint8_t>(Role::operate)) return std::nullopt;
  return static_cast<Role>(code);
}

std::size_t shortest_command(Bytes body) noexcept {
  constexpr std::size_t kCommon = 17;  // number, time, kind
  if (body.size() < kCommon) return kCommon;
  const auto kind = static_cast<robot::CommandKind>(body[kCommon - 1]);
  switch (kind) {
    case robot::CommandKind::goal:
      return kCommon + 8;
    case robot::CommandKind::start:
      return kCommon + 10;
    case robot::CommandKind::drive:
      return kCommon + 6;
    default:
      return kCommon;
  }
}

// A body that ends with a reason: as long as its words say.
std::size_t shortest_with_reason(Bytes body, std::size_t before) noexcept {
  const std::size_t with_kind = before + kRefusalSize;
  return body.size() < with_kind ? with_kind : with_kind + body[with_kind - 1];
}

// Behind the answer of a robot that refuses there may be a reason, and then it is there whole.
std::size_t shortest_answer(Bytes body) noexcept {
  const bool says_why = body.size() > kAnswerBodySize && body[8] == static_cast<std::uint8_t>(Outcome::impossible);
  return says_why ? shortest_with_reason(body, kAnswerBodySize) : kAnswerBodySize;
}

// What a body of this kind holds at least.
std::size_t shortest_body(const Frame& frame) noexcept {
  switch (static_cast<FrameKind>(frame.kind)) {
    case FrameKind::sync:
      return kReportBodySize;
    case FrameKind::command:
      return shortest_command(frame.body);
    case FrameKind::outcome:
      return shortest_answer(frame.body);
    case FrameKind::challenge:
    case FrameKind::response:
      return 8;
    case FrameKind::request:
      return kRequestSize;
    case FrameKind::chunk:
      return kChunkHeaderSize + 1;
    case FrameKind::offer:
      return kOfferSize;
    case FrameKind::verdict:
      return shortest_with_reason(frame.body, kVerdictSize);
    case FrameKind::image:
      return image::kHeaderSize + 1;
    case FrameKind::look:
      return image::kShortestLook;
    case FrameKind::padding:
    case FrameKind::bye:
      return 0;
  }
  return 0;  // of a newer version
}

}  // namespace

const char* to_string(Role role) noexcept {
  switch (role) {
    case Role::none:
      return "none";
    case Role::watch:
      return "watch";
    case Role::operate:
      return "operate";
  }
  return "unknown";
}

const char* to_string(Outcome outcome) noexcept {
  constexpr const char* kWords[kOutcomes] = {"executed", "stale",      "superseded", "not_allowed",
                                             "no_clock", "impossible", "malformed"};
  const auto place = static_cast<std::size_t>(outcome);
  return place < kOutcomes ? kWords[place] : "unknown";
}

void write(const GreetingHeader& header, ByteWriter& out) noexcept {
  out.u8(static_cast<std::uint8_t>(header.type));
  out.u8(header.version);
  out.u16(0);
  out.u32(header.session);
}

GreetingHeader read_greeting_header(ByteReader& in) noexcept {
  GreetingHeader header;
  header.type = static_cast<DatagramType>(in.u8());
  header.version = in.u8();
  in.u16();
  header.session = in.u32();
  return header;
}

void write(const HelloContent& content, ByteWriter& out) noexcept {
  out.i64(content.sent);
  out.u32(content.replaces);
  out.u8(static_cast<std::uint8_t>(content.wanted));
  out.u16(content.clock);
  out.u8(0);
}

void write(const WelcomeContent& content, ByteWriter& out) noexcept {
  out.i64(content.sent);
  out.u32(content.session);
  out.u8(static_cast<std::uint8_t>(content.role));
  out.u16(content.clock);
  out.u8(0);
}

std::optional<HelloContent> decode_hello_content(Bytes body) noexcept {
  ByteReader in(body);
  HelloContent content;
  content.sent = in.i64();
  content.replaces = in.u32();
  const auto wanted = role_from(in.u8());
  content.clock = in.u16();
  if (!in.ok() || !wanted || !is_plausible_time(content.sent)) return std::nullopt;
  content.wanted = *wanted;
  return content;
}

std::optional<WelcomeContent> decode_welcome_content(Bytes body) noexcept {
  ByteReader in(body);
  WelcomeContent content;
  content.sent = in.i64();
  content.session = in.u32();
  const auto role = role_from(in.u8());
  content.clock = in.u16();
  if (!in.ok() || !role || !is_plausible_time(content.sent)) return std::nullopt;
  content.role = *role;
  return content;
}

void write(const DataHeader& header, ByteWriter& out) noexcept {
  out.u8(static_cast<std::uint8_t>(DatagramType::data));
  out.u32(header.session);
  out.u48(header.counter);
}

DataHeader read_data_header(ByteReader& in) noexcept {
  in.u8();
  DataHeader header;
  header.session = in.u32();
  header.counter = in.u48();
  return header;
}

void write(const Stamp& stamp, ByteWriter& out) noexcept {
  out.i64(stamp.sent);
  out.u16(stamp.echo ? stamp.echo->counter : std::uint16_t{0});
  out.u32(stamp.echo ? stamp.echo->held_us : kNotHeld);
}

std::optional<Stamp> read_stamp(ByteReader& in) noexcept {
  Stamp stamp;
  stamp.sent = in.i64();
  const std::uint16_t counter = in.u16();
  const std::uint32_t held = in.u32();
  if (!in.ok()) return std::nullopt;
  if (held != kNotHeld) stamp.echo = Stamp::Echo{counter, held};
  return stamp;
}

std::optional<Frame> read_frame(ByteReader& in) noexcept {
  if (in.remaining() == 0) return std::nullopt;
  Frame frame;
  frame.kind = in.u8();
  frame.body = in.bytes(in.u16());
  if (!in.ok()) return std::nullopt;
  return frame;
}

bool has_whole_frames(ByteReader in) noexcept {
  while (const auto frame = read_frame(in)) {
    if (frame->body.size() < shortest_body(*frame)) return false;
  }
  return in.finished();
}

void write_frame(FrameKind kind, Bytes body, ByteWriter& out) noexcept {
  out.u8(static_cast<std::uint8_t>(kind));
  out.u16(static_cast<std::uint16_t>(body.size()));
  out.bytes(body);
}

bool can_be_sent(const robot::Command& command) noexcept {
  std::array<std::uint8_t, kLargestCommandBody> body;
  ByteWriter out(body);
  return write(GivenCommand{.command = command}, out);
}

bool write(const GivenCommand& given, ByteWriter& out) noexcept {
  bool fits = true;
  const robot::Command& command = given.command;
  out.u64(given.number);
  out.i64(given.given.ns);
  out.u8(static_cast<std::uint8_t>(command.kind));
  if (command.kind == robot::CommandKind::goal) {
    out.i32(to_units<std::int32_t>(command.goal.x, kGoalUnit, fits));
    out.i32(to_units<std::int32_t>(command.goal.y, kGoalUnit, fits));
  } else if (command.kind == robot::CommandKind::drive) {
    out.i16(to_units<std::int16_t>(command.velocity.vx, kSpeedUnit, fits));
    out.i16(to_units<std::int16_t>(command.velocity.vy, kSpeedUnit, fits));
    out.i16(to_units<std::int16_t>(command.velocity.w, kTurnRateUnit, fits));
    if (command.flippers) {
      for (const double angle : *command.flippers) out.i16(to_units<std::int16_t>(angle, kFlipperUnit, fits));
    }
  } else if (command.kind == robot::CommandKind::start) {
    out.u64(command.mission);
    out.u16(command.starts);
  }
  const bool far = std::max(std::abs(command.goal.x), std::abs(command.goal.y)) > kFarthest;
  return fits && !far && out.ok();
}

void write(const Answer& answer, ByteWriter& out) noexcept {
  out.u64(answer.number);
  out.u8(static_cast<std::uint8_t>(answer.outcome));
  out.u64(answer.highest);
  if (answer.outcome != Outcome::impossible || answer.refusal == robot::Refusal::none) return;
  write_reason(answer.refusal, answer.words, out);
}

void write_reason(robot::Refusal refusal, const robot::Words& words, ByteWriter& out) noexcept {
  const std::string_view text = words.view();
  out.u8(static_cast<std::uint8_t>(refusal));
  out.u8(static_cast<std::uint8_t>(text.size()));
  out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void read_reason(ByteReader& in, robot::Refusal& refusal, robot::Words& words) noexcept {
  // a kind of refusal that is newer than we are, or none, is another one
  const std::uint8_t kind = in.u8();
  refusal = kind > 0 && kind < robot::kRefusals ? static_cast<robot::Refusal>(kind) : robot::Refusal::other;
  const Bytes text = in.bytes(in.u8());
  if (in.ok()) words = robot::Words({reinterpret_cast<const char*>(text.data()), text.size()});
}

std::optional<GivenCommand> decode_command(Bytes body) noexcept {
  ByteReader in(body);
  GivenCommand given;
  given.number = in.u64();
  given.given.ns = in.i64();
  robot::Command& command = given.command;
  command.kind = static_cast<robot::CommandKind>(in.u8());
  switch (command.kind) {
    case robot::CommandKind::goal:
      command.goal.x = in.i32() * kGoalUnit;
      command.goal.y = in.i32() * kGoalUnit;
      break;
    case robot::CommandKind::drive:
      command.velocity.vx = in.i16() * kSpeedUnit;
      command.velocity.vy = in.i16() * kSpeedUnit;
      command.velocity.w = in.i16() * kTurnRateUnit;
      if (in.remaining() >= kFlippersSize) {
        for (double& angle : command.flippers.emplace()) angle = in.i16() * kFlipperUnit;
      }
      break;
    case robot::CommandKind::start:
      command.mission = in.u64();
      command.starts = in.u16();
      break;
    case robot::CommandKind::cancel:
    case robot::CommandKind::stop:
      break;
    default:
      return std::nullopt;
  }
  const bool far = std::max(std::abs(command.goal.x), std::abs(command.goal.y)) > kFarthest;
  if (!in.ok() || given.number == 0 || far || !is_plausible_time(given.given.ns)) return std::nullopt;
  return given;
}

std::optional<Answer> decode_answer(Bytes body) noexcept {
  ByteReader in(body);
  Answer answer;
  answer.number = in.u64();
  const std::uint8_t outcome = in.u8();
  answer.highest = in.u64();
  if (!in.ok() || outcome >= kOutcomes) return std::nullopt;
  answer.outcome = static_cast<Outcome>(outcome);
  if (answer.outcome != Outcome::impossible || in.remaining() == 0) return answer;
  read_reason(in, answer.refusal, answer.words);
  return in.ok() ? std::optional(answer) : std::nullopt;
}

}  // namespace forerun::sync
