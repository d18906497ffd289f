// Whole files, read with a size limit and written so that nobody ever sees half of one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"

namespace forerun::io {

inline constexpr std::size_t kLargestText = std::size_t{16} << 20;   // hand-written files [bytes]
inline constexpr std::size_t kLargestData = std::size_t{512} << 20;  // maps, models and logs [bytes]

[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t largest);

// A file that appears under its name only when it is complete: written beside it, then renamed.
class PendingFile {
 public:
  static Result<PendingFile> open(const std::string& path);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&& other) noexcept;
  ~PendingFile();  // without commit() nothing is left behind

  void write(std::string_view bytes);
  // The first failure of any write shows here.
  [[nodiscard]] Result<void> commit();

 private:
  PendingFile(std::string path, std::string temporary, std::FILE* file);
  void discard() noexcept;
  void remove_temporary() noexcept;

  std::string path_;
  std::string temporary_;  // the same as `path_` for a device, which is written in place
  std::FILE* file_ = nullptr;
  bool good_ = true;
};

[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view bytes);

enum class FileKind { world, robot, scenario, profile };

// A file as given, or the file that a bare name stands for: `turtle` is robots/turtle.yaml. Looked up beside
// `referring_file` (may be empty), in the current folder, and in the data folders (data_folders.hpp).
[[nodiscard]] Result<std::string> find_file(FileKind kind, const std::string& name,
                                            const std::string& referring_file = "");

}  // namespace forerun::io
