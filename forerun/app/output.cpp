#include "forerun/app/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "forerun/io/file.hpp"

namespace forerun::app {

Result<void> write_json(const std::string& destination, const nlohmann::ordered_json& document) {
  const std::string text = document.dump(2) + "\n";
  if (destination != "-") return io::write_file(destination, text);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  return Error{std::string("standard output cannot be written: ") + std::strerror(errno), ErrorKind::impossible};
}

Result<std::optional<io::PendingFile>> open_pending(const std::string& destination) {
  if (destination.empty() || destination == "-") return std::optional<io::PendingFile>();
  auto file = io::PendingFile::open(destination);
  if (!file) return file.error();
  return std::optional<io::PendingFile>(std::move(*file));
}

Result<void> write_json(const std::string& destination, std::optional<io::PendingFile> file,
                        const nlohmann::ordered_json& document) {
  if (destination.empty()) return {};
  if (!file) return write_json(destination, document);
  file->write(document.dump(2) + "\n");
  return file->commit();
}

std::string to_hex(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace forerun::app
