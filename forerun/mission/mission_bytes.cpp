#include "forerun/mission/mission_bytes.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "forerun/base/fixed_point.hpp"
#include "forerun/base/utf8.hpp"

namespace forerun::mission {
namespace {

// The second is of missions with actions: who does not know actions refuses it.
constexpr std::array<std::uint8_t, 8> kMark{'f', 'r', 'm', 'i', 's', 's', 'n', '1'};
constexpr std::array<std::uint8_t, 8> kActingMark{'f', 'r', 'm', 'i', 's', 's', 'n', '2'};
constexpr double kTimeUnit = 1e-4;      // [s]
constexpr double kPlaceUnit = 1e-4;     // [m]
constexpr double kHeadingUnit = 1e-5;   // [rad]
constexpr double kSpeedUnit = 5e-4;     // [m/s]
constexpr double kTurnRateUnit = 1e-3;  // [rad/s]
constexpr std::size_t kPointSize = 4 + 3 * 4 + 3 * 2;
constexpr std::size_t kLongestName = 255;

void write_text(const std::string& text, ByteWriter& out) noexcept {
  out.u8(static_cast<std::uint8_t>(text.size()));
  out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// Nothing where it is no text. As it may be shown: control characters, and those that turn the direction of writing,
// have no place in a name.
std::optional<std::string> read_text(ByteReader& in) {
  const Bytes bytes = in.bytes(in.u8());
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string text;
  while (!rest.empty()) {
    const std::size_t n = first_character(rest);
    if (n == 0) return std::nullopt;
    text += is_control(rest.substr(0, n)) ? " " : rest.substr(0, n);
    rest.remove_prefix(n);
  }
  return text;
}

bool write_point(const TimedPoint& p, ByteWriter& out) noexcept {
  bool fits = true;
  out.u32(to_units<std::uint32_t>(p.time, kTimeUnit, fits));
  out.i32(to_units<std::int32_t>(p.pose.x, kPlaceUnit, fits));
  out.i32(to_units<std::int32_t>(p.pose.y, kPlaceUnit, fits));
  out.i32(to_units<std::int32_t>(p.pose.theta, kHeadingUnit, fits));
  out.i16(to_units<std::int16_t>(p.velocity.vx, kSpeedUnit, fits));
  out.i16(to_units<std::int16_t>(p.velocity.vy, kSpeedUnit, fits));
  out.i16(to_units<std::int16_t>(p.velocity.w, kTurnRateUnit, fits));
  return fits && out.ok();
}

TimedPoint read_point(ByteReader& in) noexcept {
  TimedPoint p;
  p.time = in.u32() * kTimeUnit;
  p.pose.x = in.i32() * kPlaceUnit;
  p.pose.y = in.i32() * kPlaceUnit;
  p.pose.theta = in.i32() * kHeadingUnit;
  p.velocity.vx = in.i16() * kSpeedUnit;
  p.velocity.vy = in.i16() * kSpeedUnit;
  p.velocity.w = in.i16() * kTurnRateUnit;
  return p;
}

std::size_t size_of(std::span<const Action> actions) noexcept {
  std::size_t size = actions.empty() ? 0 : 2;
  for (const Action& action : actions) size += 4 + 1 + action.name.size();
  return size;
}

bool write_actions(std::span<const Action> actions, ByteWriter& out) noexcept {
  bool fits = true;
  out.u16(static_cast<std::uint16_t>(actions.size()));
  for (const Action& action : actions) {
    out.u32(to_units<std::uint32_t>(action.time, kTimeUnit, fits));
    write_text(action.name, out);
  }
  return fits && out.ok();
}

// All that is left. Nothing where it is damaged.
std::optional<std::vector<Action>> read_actions(ByteReader& in) {
  const std::uint16_t n = in.u16();
  if (!in.ok() || n == 0 || n > kMostActions) return std::nullopt;
  std::vector<Action> actions;
  for (std::uint16_t i = 0; i < n; ++i) {
    const double time = in.u32() * kTimeUnit;
    const auto name = read_text(in);
    if (!in.ok() || !name) return std::nullopt;
    actions.push_back({time, *name});
  }
  if (!in.finished()) return std::nullopt;
  return actions;
}

}  // namespace

Result<std::vector<std::uint8_t>> to_bytes(const Mission& mission) {
  if (auto ok = check_actions(mission.actions, mission.path); !ok) return ok.error();
  std::size_t size = kMark.size() + 8 + 4 + kPointSize * mission.path.size() + size_of(mission.actions);
  for (const std::string* text : {&mission.name, &mission.world, &mission.robot}) {
    if (text->size() > kLongestName) return Error{"the mission has a name of more than 255 letters"};
    size += 1 + text->size();
  }
  std::vector<std::uint8_t> bytes(size);
  ByteWriter out(bytes);
  out.bytes(mission.actions.empty() ? kMark : kActingMark);
  for (const std::string* text : {&mission.name, &mission.world, &mission.robot}) write_text(*text, out);
  out.u64(mission.fingerprint);
  out.u32(static_cast<std::uint32_t>(mission.path.size()));
  for (const TimedPoint& point : mission.path) {
    if (!write_point(point, out)) return Error{"the mission has numbers that are too large to be sent"};
  }
  if (!mission.actions.empty() && !write_actions(mission.actions, out)) return Error{"the mission has no good actions"};
  return bytes;
}

Result<Mission> mission_from_bytes(Bytes bytes) {
  ByteReader in(bytes);
  const Bytes mark = in.bytes(kMark.size());
  const bool acts = std::equal(mark.begin(), mark.end(), kActingMark.begin(), kActingMark.end());
  if (!acts && !std::equal(mark.begin(), mark.end(), kMark.begin(), kMark.end())) return Error{"it is no mission"};
  Mission mission;
  for (std::string* text : {&mission.name, &mission.world, &mission.robot}) {
    auto read = read_text(in);
    if (!read) return Error{"the mission has a name that is no text"};
    *text = std::move(*read);
  }
  mission.fingerprint = in.u64();
  const std::uint32_t n = in.u32();
  const std::uint64_t size = std::uint64_t{n} * kPointSize;
  if (!in.ok() || n < 2 || (acts ? size >= in.remaining() : size != in.remaining())) {
    return Error{"the mission is damaged"};
  }
  mission.path.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const TimedPoint point = read_point(in);
    const bool in_order = i == 0 ? point.time == 0 : point.time > mission.path.back().time;
    if (!in_order) return Error{"the mission's times are not in order"};
    mission.path.push_back(point);
  }
  if (!acts) return mission;
  auto actions = read_actions(in);
  if (!actions) return Error{"the mission is damaged"};
  mission.actions = std::move(*actions);
  if (auto ok = check_actions(mission.actions, mission.path); !ok) return ok.error();
  return mission;
}

std::vector<std::uint8_t> pack_signed(const Seal& seal, Bytes mission) {
  std::vector<std::uint8_t> object(seal.key.size() + seal.signature.size() + mission.size());
  ByteWriter out(object);
  out.bytes(seal.key);
  out.bytes(seal.signature);
  out.bytes(mission);
  return object;
}

std::optional<SignedMission> unpack_signed(Bytes object) noexcept {
  ByteReader in(object);
  SignedMission read;
  const Bytes key = in.bytes(read.seal.key.size()), signature = in.bytes(read.seal.signature.size());
  if (!in.ok()) return std::nullopt;
  std::copy(key.begin(), key.end(), read.seal.key.begin());
  std::copy(signature.begin(), signature.end(), read.seal.signature.begin());
  read.mission = in.bytes(in.remaining());
  return read;
}

}  // namespace forerun::mission
