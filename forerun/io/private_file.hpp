// Small files that only their owner may touch.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"

namespace forerun::io {

enum class Privacy {
  nobody_else_reads,   // nor writes
  nobody_else_writes,  // but may read
};

// The content; nothing where there is no such file. Refused: links and anything else that is no plain file, files of
// another user, files that group or others have more access to than allowed, and more than 1 MiB.
[[nodiscard]] Result<std::optional<std::string>> read_private(const std::string& path, Privacy privacy);

// A new file; an existing one is an error.
[[nodiscard]] Result<void> write_new(const std::string& path, std::string_view text, mode_t mode);
// A file that appears at once, whole, whether there was one or not.
[[nodiscard]] Result<void> write_over(const std::string& path, std::string_view text, mode_t mode);

// Refuses a folder that anybody else could put files into: of another user than this one and the administrator, or one
// that group or others may write to. What does not exist is no danger.
[[nodiscard]] Result<void> check_private_folder(const std::string& path);

// Makes the folder, for its owner only, and those above it; one that exists is checked.
[[nodiscard]] Result<void> make_private_folder(const std::string& path);

// Keeps others who ask for the same lock waiting, in any process; gone with the object, or with the process.
class FolderLock {
 public:
  [[nodiscard]] static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) noexcept : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace forerun::io
