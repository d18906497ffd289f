#include "forerun/serve/allowed_file.hpp"

#include "forerun/io/key_file.hpp"

namespace forerun::serve {

Result<std::vector<sync::AllowedKey>> AllowedFile::load() {
  time_ = change_time();
  const auto allowed = io::load_allowed(folder_);
  if (!allowed) return allowed.error();
  std::vector<sync::AllowedKey> keys;
  for (const io::AllowedKey& entry : *allowed) keys.push_back({entry.key, entry.role});
  return keys;
}

std::optional<std::filesystem::file_time_type> AllowedFile::change_time() const {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(folder_ + "/allowed", error);
  return error ? std::nullopt : std::optional(time);
}

}  // namespace forerun::serve
