// The files that are being written under another name until they are whole, so that whoever ends the program in the
// middle can leave nothing of them behind.
#pragma once

#include <string>

namespace forerun::io {

// From here on until `forget_part_file` this file is none that anybody wants. Of very many at once some are not noted.
void note_part_file(const std::string& path) noexcept;
void forget_part_file(const std::string& path) noexcept;

// Removes all of them. May be called by a signal handler: it takes no lock and allocates nothing.
void remove_part_files() noexcept;

}  // namespace forerun::io
