#include "forerun/io/data_folders.hpp"

#include <cstdlib>
#include <sstream>

namespace forerun::io {

namespace fs = std::filesystem;

std::vector<fs::path> data_folders(const fs::path& program, const std::string& system_folders) {
  std::vector<fs::path> folders;
  if (!program.empty()) {
    const fs::path beside = program.parent_path();
    folders.push_back(beside / "share" / "forerun");
    folders.push_back(beside.parent_path() / "share" / "forerun");
  }
  std::istringstream list(system_folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    // a relative one would change its meaning with the current folder
    if (fs::path(folder).is_absolute()) folders.push_back(fs::path(folder) / "forerun");
  }
  return folders;
}

std::vector<fs::path> data_folders() {
  std::error_code unknown;
  const char* given = std::getenv("XDG_DATA_DIRS");
  const bool set = given != nullptr && *given != '\0';
  auto folders = data_folders(fs::read_symlink("/proc/self/exe", unknown), set ? given : "/usr/local/share:/usr/share");
  if (const char* data = std::getenv("FORERUN_DATA")) folders.emplace_back(data);
  return folders;
}

}  // namespace forerun::io
