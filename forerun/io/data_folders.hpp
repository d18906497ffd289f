// Where the ready worlds, robots, scenarios and link profiles are that came with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace forerun::io {

// Folders that may hold worlds/, robots/, scenarios/ and profiles/, nearest first: `share/forerun` beside the program
// and beside its folder (bin/forerun and share/forerun), then `forerun` in each folder of `system_folders`, which are
// separated by colons.
[[nodiscard]] std::vector<std::filesystem::path> data_folders(const std::filesystem::path& program,
                                                              const std::string& system_folders);

// The same for this program and $XDG_DATA_DIRS; $FORERUN_DATA, where it is set, comes last.
[[nodiscard]] std::vector<std::filesystem::path> data_folders();

}  // namespace forerun::io
