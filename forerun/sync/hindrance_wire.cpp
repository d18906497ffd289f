#include "forerun/sync/hindrance_wire.hpp"

#include <algorithm>
#include <array>

#include "forerun/base/fixed_point.hpp"
#include "forerun/sync/units.hpp"

namespace forerun::sync {
namespace {

constexpr double kShareUnit = 1.0 / 255;
constexpr double kDistanceUnit = 1e-3;  // [m]
constexpr double kTimeUnit = 0.01;      // [s]

}  // namespace

bool add_hindrance(const robot::Hindrance& hindrance, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kHindranceHeaderSize + 2 * robot::Contact::kMostSides> content{};
  ByteWriter bytes(content);
  bool fits = true;
  const auto held = hindrance.held_back.value_or(robot::HeldBack{});
  const auto contact = hindrance.contact.value_or(robot::Contact{});
  const auto share = to_units_up_to<std::uint8_t>(held.share, kShareUnit, fits);
  // however little it is: 0 says that nothing is held back
  bytes.u8(hindrance.held_back ? std::max<std::uint8_t>(share, 1) : 0);
  bytes.u16(to_units_up_to<std::uint16_t>(held.distance, kDistanceUnit, fits));
  bytes.u16(heading_to_units(held.bearing, fits));
  bytes.u16(to_units_up_to<std::uint16_t>(contact.lasts, kTimeUnit, fits));
  bytes.u8(static_cast<std::uint8_t>(contact.bearings.size()));
  for (const double bearing : contact.bearings) bytes.u16(heading_to_units(bearing, fits));
  const std::size_t size = kHindranceHeaderSize + 2 * contact.bearings.size();
  return fits && out.add(SectionKind::hindrance, Bytes(content).first(size));
}

std::optional<robot::Hindrance> decode_hindrance(Bytes content) noexcept {
  ByteReader in(content);
  robot::HeldBack held;
  held.share = in.u8() / 255.0;
  held.distance = in.u16() / 1000.0;  // divided: short numbers stay short
  held.bearing = heading_from_units(in.u16());
  robot::Contact contact;
  contact.lasts = in.u16() / 100.0;
  const std::size_t n_sides = in.u8();
  if (n_sides > robot::Contact::kMostSides) return std::nullopt;
  for (std::size_t i = 0; i < n_sides; ++i) contact.bearings.push_back(heading_from_units(in.u16()));
  if (!in.ok()) return std::nullopt;
  robot::Hindrance hindrance;
  if (held.share > 0) hindrance.held_back = held;
  if (n_sides > 0) hindrance.contact = contact;
  return hindrance;
}

}  // namespace forerun::sync
