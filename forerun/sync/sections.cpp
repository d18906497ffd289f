#include "forerun/sync/sections.hpp"

namespace forerun::sync {

std::optional<Section> read_section(ByteReader& in) noexcept {
  if (in.remaining() == 0) return std::nullopt;
  Section section;
  section.kind = in.u8();
  section.content = in.bytes(in.u16());
  return in.ok() ? std::optional(section) : std::nullopt;
}

bool has_whole_sections(Bytes sections) noexcept {
  return visit_sections(sections, [](const Section&) {});
}

std::optional<Bytes> find_section(Bytes sections, SectionKind kind) noexcept {
  std::optional<Bytes> found;
  visit_sections(sections, [&](const Section& section) {
    if (!found && section.kind == static_cast<std::uint8_t>(kind)) found = section.content;
  });
  return found;
}

bool SectionWriter::add(SectionKind kind, Bytes content) noexcept {
  const std::size_t before = room_.size();
  if (content.size() + kSectionHeaderSize > kMostSectionBytes - before) return false;
  room_.resize(before + kSectionHeaderSize + content.size());
  ByteWriter out(MutableBytes(room_.data(), room_.size()).subspan(before));
  out.u8(static_cast<std::uint8_t>(kind));
  out.u16(static_cast<std::uint16_t>(content.size()));
  out.bytes(content);
  return true;
}

}  // namespace forerun::sync
