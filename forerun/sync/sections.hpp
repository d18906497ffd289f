// What may follow the fixed part of a report: typed sections, each a kind, a length and bytes (docs/protocol.md). A
// reader takes the kinds that it knows and passes over the others. Who passes a report on passes on all of them, as
// they came.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/base/fixed_vector.hpp"

namespace forerun::sync {

// Kinds are never given out twice. A kind that is not in this list is a newer writer's.
enum class SectionKind : std::uint8_t {
  attitude = 1,      // how a robot on rough ground stands, and its flippers
  planned_path = 2,  // a few points, of robots whose planner we do not have
  things_seen = 3,   // where the world is not as its model says
  calibration = 4,   // what the robot has found out about its wheels
  models = 5,        // numbers of further objects that the report belongs to
  mission = 6,       // which mission the robot has, and how far it is
  response = 7,      // what the robot has found out about how it answers its commands
  hindrance = 8,     // what holds the operator's hand back, and what touches the robot
  live_scan = 9,     // what its lasers see all round it, coarsely
};

inline constexpr std::size_t kSectionHeaderSize = 3;   // kind, length
inline constexpr std::size_t kMostSectionBytes = 940;  // of one report; leaves room in a datagram for other frames

struct Section {
  std::uint8_t kind = 0;
  Bytes content;
};
// The next section; nothing at the end, or when what is left is no section (then `in.ok()` is false).
[[nodiscard]] std::optional<Section> read_section(ByteReader& in) noexcept;

// Calls `visit(section)` for each; false when the bytes are not whole sections.
template <class Visit>
bool visit_sections(Bytes sections, Visit&& visit) {
  ByteReader in(sections);
  while (const auto section = read_section(in)) visit(*section);
  return in.finished();
}
[[nodiscard]] bool has_whole_sections(Bytes sections) noexcept;
// The first section of this kind.
[[nodiscard]] std::optional<Bytes> find_section(Bytes sections, SectionKind kind) noexcept;

class SectionWriter {
 public:
  // False, and nothing changes, when there is no room for it.
  [[nodiscard]] bool add(SectionKind kind, Bytes content) noexcept;
  [[nodiscard]] Bytes written() const noexcept { return room_; }

 private:
  FixedVector<std::uint8_t, kMostSectionBytes> room_;
};

}  // namespace forerun::sync
