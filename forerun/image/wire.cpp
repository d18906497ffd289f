#include "forerun/image/wire.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/fixed_point.hpp"

namespace forerun::image {
namespace {

// as everywhere in the protocol
constexpr double kFarthest = 100e3;                                               // [m]
constexpr std::int64_t kTimeLimit = std::int64_t{4'102'444'800} * 1'000'000'000;  // the year 2100 [ns]

constexpr double kPlaceUnit = 1e-4;  // [m]
constexpr double kViewUnit = 1e-4;   // [rad]
constexpr double kWidestView = 3.0;  // [rad]
constexpr double kLostUnit = 1.0 / 255;
constexpr double kWaitUnit = 1e-3;  // [s]
constexpr std::uint8_t kEncodings = 16;

bool can_be(const Info& info) noexcept {
  const bool far = std::max({std::fabs(info.place.x), std::fabs(info.place.y), std::fabs(info.place.z)}) > kFarthest;
  const bool sized = info.width > 0 && info.height > 0 && info.width <= kWidestImage && info.height <= kWidestImage;
  const bool looks = info.field_of_view > 0 && info.field_of_view <= kWidestView;
  const bool known = static_cast<std::uint8_t>(info.encoding) < kEncodings && info.camera < kMostCameras;
  return !far && sized && looks && known && info.size > 0 && info.size <= kLargestImage && info.taken.ns >= 0 &&
         info.taken.ns < kTimeLimit;
}

}  // namespace

Bytes encode(const Part& part, std::array<std::uint8_t, kHeaderSize + kLargestPart>& body) noexcept {
  const Info& info = part.info;
  bool fits = can_be(info);
  ByteWriter out(body);
  out.u32(info.number);
  out.i64(info.taken.ns);
  for (const double place : {info.place.x, info.place.y, info.place.z}) {
    out.i32(to_units<std::int32_t>(place, kPlaceUnit, fits));
  }
  for (const double angle : {info.attitude.yaw, info.attitude.pitch, info.attitude.roll}) {
    out.u16(heading_to_units(angle, fits));
  }
  out.u16(to_units<std::uint16_t>(info.field_of_view, kViewUnit, fits));
  out.u16(info.width);
  out.u16(info.height);
  out.u8(static_cast<std::uint8_t>(static_cast<std::uint8_t>(info.encoding) + info.camera * kEncodings));
  out.u32(info.size);
  out.u8(part.index);
  out.u8(static_cast<std::uint8_t>(n_parts(info.size)));
  out.bytes(part.bytes);
  return fits && out.ok() ? out.written() : Bytes{};
}

std::optional<Part> decode_part(Bytes body) noexcept {
  ByteReader in(body);
  Part part;
  Info& info = part.info;
  info.number = in.u32();
  info.taken = {in.i64()};
  for (double* place : {&info.place.x, &info.place.y, &info.place.z}) *place = in.i32() * kPlaceUnit;
  for (double* angle : {&info.attitude.yaw, &info.attitude.pitch, &info.attitude.roll}) {
    *angle = heading_from_units(in.u16());
  }
  info.field_of_view = in.u16() * kViewUnit;
  info.width = in.u16();
  info.height = in.u16();
  const std::uint8_t what = in.u8();
  info.encoding = static_cast<Encoding>(what % kEncodings);
  info.camera = what / kEncodings;
  info.size = in.u32();
  part.index = in.u8();
  const std::size_t n = in.u8();
  if (!in.ok() || !can_be(info) || part.index >= kMostSentParts || n != n_parts(info.size)) return std::nullopt;
  part.bytes = in.bytes(in.remaining());
  if (part.bytes.size() != part_size(info.size)) return std::nullopt;
  return part;
}

std::array<std::uint8_t, kLookSize> encode(const Look& look) noexcept {
  std::array<std::uint8_t, kLookSize> body;
  ByteWriter out(body);
  bool fits = true;
  out.u8(to_units_up_to<std::uint8_t>(look.lost, kLostUnit, fits));
  out.u16(to_units_up_to<std::uint16_t>(look.wait_s, kWaitUnit, fits));
  out.u8(look.cameras);
  return body;
}

std::optional<Look> decode_look(Bytes body) noexcept {
  ByteReader in(body);
  Look look;
  look.lost = in.u8() * kLostUnit;
  look.wait_s = in.u16() * kWaitUnit;
  if (!in.ok()) return std::nullopt;
  if (in.remaining() > 0) look.cameras = in.u8();
  return look;
}

}  // namespace forerun::image
