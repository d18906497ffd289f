#include "forerun/sync/seen_things_wire.hpp"

#include <algorithm>
#include <array>

#include "forerun/base/fixed_point.hpp"
#include "forerun/sync/units.hpp"

namespace forerun::sync {
namespace {

using robot::Change;
using robot::MovingThing;
using robot::SeenThings;

constexpr double kReportUnit = 1e-4;            // in which reports say where the robot is [m]
constexpr std::int64_t kUnitsInStep = 100;      // places are in whole centimetres
constexpr std::int64_t kFarthestSteps = 32767;  // from the robot
constexpr double kSizeUnit = 0.01;              // [m]; up to 2.55 m
constexpr double kHeadingUnit = kPi / 256;      // of a rectangle half a turn is none
constexpr double kSpeedStep = 0.02;             // [m/s]; ±2.54 m/s
constexpr double kOpeningUnit = 1.0 / 255;

constexpr std::size_t kMostContent = kSeenHeaderSize + decltype(SeenThings::changes)::capacity() * kSeenBoxSize +
                                     decltype(SeenThings::moving)::capacity() * kMovingThingSize;

// Both sides find the same of the robot's place, because they begin with the number that travels.
std::int64_t in_steps(double metres) noexcept {
  const auto units = static_cast<std::int64_t>(std::floor(metres / kReportUnit + 0.5));
  const std::int64_t shifted = units + kUnitsInStep / 2;
  return (shifted - (shifted < 0 ? kUnitsInStep - 1 : 0)) / kUnitsInStep;
}

bool is_place(Vec2 p) noexcept {
  return p.x >= -kFarthest && p.x <= kFarthest && p.y >= -kFarthest && p.y <= kFarthest;
}

bool is_near(Vec2 place, Vec2 here) noexcept {
  const auto fits = [](double to, double from) { return std::abs(in_steps(to) - in_steps(from)) <= kFarthestSteps; };
  return is_place(place) && fits(place.x, here.x) && fits(place.y, here.y);
}

// Writes quantities as whole steps, and places as seen from `here`.
class SeenWriter {
 public:
  SeenWriter(MutableBytes room, Vec2 here) noexcept : out_(room), here_(here) {}

  void header(const SeenThings& things, std::size_t n_changes, std::size_t n_moving) noexcept {
    out_.u16(things.first);
    out_.u16(things.last);
    out_.u8(static_cast<std::uint8_t>(n_changes));
    out_.u8(static_cast<std::uint8_t>(n_moving));
  }
  void change(const Change& c) noexcept {
    out_.u16(c.number);
    out_.u8(static_cast<std::uint8_t>(c.kind));
    if (c.kind == Change::Kind::door) {
      out_.u16(c.door);
      small(c.opening, kOpeningUnit);
      return;
    }
    place(c.pose.position());
    small(c.half_length, kSizeUnit);
    small(c.half_width, kSizeUnit);
    // half a turn more is the same rectangle, so that the largest step and none are neighbours
    const double turn = c.pose.theta / kHeadingUnit;
    fits_ = fits_ && turn > -1e9 && turn < 1e9;
    out_.u8(fits_ ? static_cast<std::uint8_t>(static_cast<std::int64_t>(std::floor(turn + 0.5)) & 0xff) : 0);
  }
  void moving(const MovingThing& m) noexcept {
    place(m.position);
    out_.i8(to_units<std::int8_t>(clamp(m.velocity.x, -2.54, 2.54), kSpeedStep, fits_));
    out_.i8(to_units<std::int8_t>(clamp(m.velocity.y, -2.54, 2.54), kSpeedStep, fits_));
    small(m.radius, kSizeUnit);
  }
  [[nodiscard]] bool fits() const noexcept { return fits_ && out_.ok(); }

 private:
  void place(Vec2 p) noexcept {
    out_.i16(static_cast<std::int16_t>(in_steps(p.x) - in_steps(here_.x)));
    out_.i16(static_cast<std::int16_t>(in_steps(p.y) - in_steps(here_.y)));
  }
  void small(double value, double unit) noexcept { out_.u8(to_units_up_to<std::uint8_t>(value, unit, fits_)); }

  ByteWriter out_;
  Vec2 here_;
  bool fits_ = true;
};

class SeenReader {
 public:
  SeenReader(Bytes content, Vec2 here) noexcept : in_(content), here_(here) {}

  std::optional<SeenThings> read() noexcept {
    SeenThings things;
    things.first = in_.u16();
    things.last = in_.u16();
    const std::size_t n_changes = in_.u8(), n_moving = in_.u8();
    if (n_changes > things.changes.capacity() || n_moving > things.moving.capacity()) return std::nullopt;
    for (std::size_t i = 0; i < n_changes; ++i) things.changes.push_back(change());
    for (std::size_t i = 0; i < n_moving; ++i) things.moving.push_back(moving());
    const auto in_order = [](const Change& a, const Change& b) { return a.number >= b.number; };
    good_ = good_ && std::adjacent_find(things.changes.begin(), things.changes.end(), in_order) == things.changes.end();
    return in_.ok() && good_ ? std::optional(things) : std::nullopt;
  }

 private:
  Change change() noexcept {
    Change c;
    c.number = in_.u16();
    const std::uint8_t kind = in_.u8();
    good_ = good_ && kind < Change::kKinds;
    c.kind = kind == 1 ? Change::Kind::door : Change::Kind::box;
    if (c.kind == Change::Kind::door) {
      c.door = in_.u16();
      c.opening = in_.u8() / 255.0;
      return c;
    }
    const Vec2 middle = place();
    c.half_length = in_.u8() / 100.0;  // divided: short numbers stay short
    c.half_width = in_.u8() / 100.0;
    c.pose = {middle.x, middle.y, in_.u8() * kHeadingUnit};
    return c;
  }
  MovingThing moving() noexcept {
    MovingThing m;
    m.position = place();
    m.velocity.x = in_.i8() / 50.0;
    m.velocity.y = in_.i8() / 50.0;
    m.radius = in_.u8() / 100.0;
    return m;
  }
  Vec2 place() noexcept {
    const std::int64_t x = in_steps(here_.x) + in_.i16();
    const std::int64_t y = in_steps(here_.y) + in_.i16();
    const Vec2 p{static_cast<double>(x) / 100.0, static_cast<double>(y) / 100.0};
    good_ = good_ && is_place(p);
    return p;
  }

  ByteReader in_;
  Vec2 here_;
  bool good_ = true;
};

}  // namespace

bool add_seen_things(const robot::SeenThings& things, Vec2 here, SectionWriter& out) noexcept {
  if (!is_place(here)) return false;
  const auto is_told = [&](const Change& c) {
    return c.kind == Change::Kind::door || is_near(c.pose.position(), here);
  };
  const auto is_seen = [&](const MovingThing& m) { return is_near(m.position, here); };
  const auto n_changes = std::count_if(things.changes.begin(), things.changes.end(), is_told);
  const auto n_moving = std::count_if(things.moving.begin(), things.moving.end(), is_seen);
  std::array<std::uint8_t, kMostContent> room{};
  SeenWriter writer(room, here);
  writer.header(things, static_cast<std::size_t>(n_changes), static_cast<std::size_t>(n_moving));
  std::size_t size = kSeenHeaderSize;
  for (const Change& c : things.changes) {
    if (!is_told(c)) continue;
    writer.change(c);
    size += c.kind == Change::Kind::door ? kSeenDoorSize : kSeenBoxSize;
  }
  for (const MovingThing& m : things.moving) {
    if (!is_seen(m)) continue;
    writer.moving(m);
    size += kMovingThingSize;
  }
  return writer.fits() && out.add(SectionKind::things_seen, Bytes(room).first(size));
}

std::optional<robot::SeenThings> decode_seen_things(Bytes content, Vec2 here) noexcept {
  if (!is_place(here)) return std::nullopt;
  return SeenReader(content, here).read();
}

}  // namespace forerun::sync
