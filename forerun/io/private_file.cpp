#include "forerun/io/private_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace forerun::io {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;  // bytes; thousands of keys

std::string system_reason() { return std::strerror(errno); }

std::string show_mode(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

// What is wrong with the file itself; empty when nothing is.
std::string find_fault(int descriptor, Privacy privacy) {
  struct stat about {};
  if (fstat(descriptor, &about) != 0) return "cannot be examined: " + system_reason();
  if (!S_ISREG(about.st_mode)) return "is not a plain file";
  if (about.st_uid != geteuid()) return "belongs to another user";
  const std::string mode = show_mode(about.st_mode);
  if (privacy == Privacy::nobody_else_reads && (about.st_mode & 077) != 0) {
    return "has mode " + mode + ", but only its owner may have access (chmod 600)";
  }
  if ((about.st_mode & 022) != 0) {
    return "has mode " + mode + ", but only its owner may write it (chmod 600)";
  }
  if (about.st_size > static_cast<off_t>(kLargest)) return "has more than 1 MiB, the most allowed";
  return "";
}

Result<std::string> read_all(int descriptor, const std::string& path) {
  std::string text(kLargest, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = ::read(descriptor, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{path + " cannot be read: " + system_reason()};
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Result<std::optional<std::string>> read_private(const std::string& path, Privacy privacy) {
  // a pipe must not make us wait, and a link could lead anywhere
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    if (errno == ELOOP) return Error{path + " is a link, but must be a plain file"};
    return Error{path + " cannot be opened: " + system_reason()};
  }
  const std::string fault = find_fault(descriptor, privacy);
  Result<std::string> text = fault.empty() ? read_all(descriptor, path) : Error{path + " " + fault};
  ::close(descriptor);
  if (!text) return text.error();
  return std::optional<std::string>(std::move(*text));
}

Result<void> write_new(const std::string& path, std::string_view text, mode_t mode) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) {
    if (errno == EEXIST) return Error{path + " exists already"};
    return Error{path + " cannot be written: " + system_reason(), ErrorKind::impossible};
  }
  bool good = fchmod(descriptor, mode) == 0 && write_all(descriptor, text) && fsync(descriptor) == 0;
  const std::string reason = good ? "" : system_reason();
  good = ::close(descriptor) == 0 && good;
  if (good) return {};
  ::unlink(path.c_str());
  return Error{path + " cannot be written: " + reason, ErrorKind::impossible};
}

Result<void> write_over(const std::string& path, std::string_view text, mode_t mode) {
  const std::string temporary = path + ".part-" + std::to_string(::getpid());
  ::unlink(temporary.c_str());  // of a process of the same number that was killed
  if (const auto written = write_new(temporary, text, mode); !written) return written.error();
  if (::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const std::string reason = system_reason();
  ::unlink(temporary.c_str());
  return Error{path + " cannot be written: " + reason, ErrorKind::impossible};
}

Result<void> check_private_folder(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) {
    if (errno == ENOENT) return {};
    return Error{path + " cannot be examined: " + system_reason()};
  }
  if (!S_ISDIR(about.st_mode)) return Error{path + " is a file, but must be a folder"};
  if (about.st_uid != geteuid() && about.st_uid != 0) {
    return Error{path + " belongs to another user; keys are safe only in a folder of your own (chown)"};
  }
  if ((about.st_mode & 022) == 0) return {};
  return Error{path + " has mode " + show_mode(about.st_mode) +
               ", but only its owner may write to a folder of keys (chmod go-w)"};
}

Result<void> make_private_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path above = fs::path(path).parent_path();
  if (!above.empty()) fs::create_directories(above, error);
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno == EEXIST) return check_private_folder(path);
  return Error{path + " cannot be made: " + system_reason(), ErrorKind::impossible};
}

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Error{folder + " cannot be opened: " + system_reason()};
  FolderLock lock(descriptor);
  while (flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return Error{folder + " cannot be locked: " + system_reason(), ErrorKind::impossible};
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace forerun::io
