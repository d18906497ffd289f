// Files that may be packed with gzip.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"

namespace forerun::io {

[[nodiscard]] bool is_gzip(std::string_view bytes);
// At most `largest` bytes come out: a small file can unpack to a huge one.
[[nodiscard]] Result<std::string> unpack_gzip(std::string_view bytes, const std::string& file, std::size_t largest);
// The file's content, unpacked where it is packed.
[[nodiscard]] Result<std::string> read_unpacked(const std::string& path, std::size_t largest);

}  // namespace forerun::io
