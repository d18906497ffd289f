// Files within the program. The list is written by tools/embed.cmake when the program is built.
#pragma once

#include <cstdint>
#include <span>

namespace forerun::web {

struct EmbeddedFile {
  const char* path;  // "/assets/…"
  const std::uint8_t* begin;
  const std::uint8_t* end;  // compressed with gzip
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files() noexcept;

}  // namespace forerun::web
