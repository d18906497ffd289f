#include "forerun/sync/posture_wire.hpp"

#include <array>

#include "forerun/base/fixed_point.hpp"

namespace forerun::sync {
namespace {

constexpr double kAngleUnit = 1e-4;   // [rad]
constexpr double kLengthUnit = 1e-3;  // [m], [m/s]

}  // namespace

bool add_posture(const robot::Posture& p, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kPostureSize> content{};
  ByteWriter bytes(content);
  bool fits = true;
  const auto put = [&](double value, double unit) { bytes.i16(to_units<std::int16_t>(value, unit, fits)); };
  put(p.height, kLengthUnit);
  put(p.roll, kAngleUnit);
  put(p.pitch, kAngleUnit);
  for (const double angle : p.flippers) put(angle, kFlipperUnit);
  put(p.left_speed, kLengthUnit);
  put(p.right_speed, kLengthUnit);
  bytes.u8(static_cast<std::uint8_t>(p.standing));
  return fits && out.add(SectionKind::attitude, content);
}

std::optional<robot::Posture> decode_posture(Bytes content) noexcept {
  ByteReader in(content);
  robot::Posture p;
  p.height = in.i16() * kLengthUnit;
  p.roll = in.i16() * kAngleUnit;
  p.pitch = in.i16() * kAngleUnit;
  for (double& angle : p.flippers) angle = in.i16() * kFlipperUnit;
  p.left_speed = in.i16() * kLengthUnit;
  p.right_speed = in.i16() * kLengthUnit;
  const std::uint8_t standing = in.u8();
  if (!in.ok() || standing >= robot::kStandings) return std::nullopt;
  p.standing = static_cast<robot::Standing>(standing);
  return p;
}

}  // namespace forerun::sync
