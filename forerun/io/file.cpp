#include "forerun/io/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "forerun/io/data_folders.hpp"
#include "forerun/io/part_files.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

namespace fs = std::filesystem;

namespace {

struct Naming {
  const char* word;
  const char* folder;
  const char* ending;
};

Naming naming_of(FileKind kind) {
  switch (kind) {
    case FileKind::world:
      return {"world", "worlds", ".world.yaml"};
    case FileKind::robot:
      return {"robot", "robots", ".yaml"};
    case FileKind::profile:
      return {"link profile", "profiles", ".yaml"};
    case FileKind::scenario:
      break;
  }
  return {"scenario", "scenarios", ".yaml"};
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Folders to look in, nearest first.
std::vector<fs::path> search_folders(const std::string& referring_file) {
  std::vector<fs::path> folders;
  if (!referring_file.empty()) {
    const fs::path beside = fs::path(referring_file).parent_path();
    folders.push_back(beside);
    folders.push_back(beside / "..");  // scenarios/ stands beside worlds/ and robots/
  }
  folders.emplace_back("");
  for (fs::path& folder : data_folders()) folders.push_back(std::move(folder));
  return folders;
}

// Bare names for which there are files.
std::vector<std::string> known_names(const Naming& naming, const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / naming.folder, error)) {
      const std::string file = entry.path().filename().string();
      const std::string ending = naming.ending;
      if (file.size() <= ending.size() || !file.ends_with(ending)) continue;
      names.push_back(file.substr(0, file.size() - ending.size()));
    }
  }
  return names;
}

std::string system_reason() { return std::strerror(errno); }

// What is wrong with a path that should lead to something; nothing where it does. What the system does not let us see
// may well exist.
std::optional<Error> missing(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::not_found) return Error{path + " does not exist"};
  if (type == fs::file_type::none) return Error{path + " cannot be opened: " + error.message()};
  return std::nullopt;
}

// Where a bare name was looked for.
std::string places_of(const Naming& naming, const std::vector<fs::path>& folders) {
  std::string places;
  for (const fs::path& folder : folders) {
    places += (places.empty() ? "" : ", ") + (folder / naming.folder).lexically_normal().string();
  }
  return places;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t largest) {
  if (const auto wrong = missing(path)) return *wrong;
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{path + " is a folder, but must be a file"};
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Error{path + " cannot be opened: " + system_reason()};

  std::string bytes;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) {
    bytes.append(buffer, n);
    if (bytes.size() > largest) break;
  }
  const bool bad = std::ferror(file) != 0;
  std::fclose(file);
  if (bad) return Error{path + " cannot be read"};
  if (bytes.size() > largest)
    return Error{path + " has more than " + std::to_string(largest) + " bytes, the most allowed"};
  return bytes;
}

PendingFile::PendingFile(std::string path, std::string temporary, std::FILE* file)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(file) {}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, nullptr)),
      good_(other.good_) {}

PendingFile& PendingFile::operator=(PendingFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temporary_ = std::move(other.temporary_);
  file_ = std::exchange(other.file_, nullptr);
  good_ = other.good_;
  return *this;
}

PendingFile::~PendingFile() { discard(); }

void PendingFile::discard() noexcept {
  if (file_ == nullptr) return;
  std::fclose(std::exchange(file_, nullptr));
  remove_temporary();
}

void PendingFile::remove_temporary() noexcept {
  if (temporary_ == path_) return;
  std::remove(temporary_.c_str());
  forget_part_file(temporary_);
}

Result<PendingFile> PendingFile::open(const std::string& path) {
  if (path.empty()) return Error{"the name of the file to write is empty"};
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{path + " is a folder, but must be a file"};
  // a link stays a link, and a device is written to, never replaced
  const bool exists = fs::exists(path, error);
  const std::string target = exists ? fs::canonical(path, error).string() : path;
  const bool in_place = exists && !fs::is_regular_file(path, error);
  std::string temporary = in_place ? target : target + ".part-" + std::to_string(::getpid());
  if (!in_place) note_part_file(temporary);
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) {
    const std::string reason = system_reason();
    forget_part_file(temporary);
    return Error{path + " cannot be written: " + reason};
  }
  return PendingFile(target, std::move(temporary), file);
}

void PendingFile::write(std::string_view bytes) {
  if (file_ == nullptr) return;
  good_ = std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() && good_;
}

Result<void> PendingFile::commit() {
  if (file_ == nullptr) return Error{path_ + " is already closed"};
  const bool flushed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed || !good_) {
    remove_temporary();
    return Error{path_ + " cannot be written: the disk may be full"};
  }
  if (temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string reason = system_reason();
    remove_temporary();
    return Error{path_ + " cannot be written: " + reason};
  }
  forget_part_file(temporary_);
  return {};
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
  Result<PendingFile> file = PendingFile::open(path);
  if (!file) return file.error();
  file->write(bytes);
  return file->commit();
}

Result<std::string> find_file(FileKind kind, const std::string& name, const std::string& referring_file) {
  const Naming naming = naming_of(kind);
  if (name.empty()) return Error{std::string("the name of the ") + naming.word + " is empty"};
  const std::vector<fs::path> folders = search_folders(referring_file);

  // a file as given
  if (fs::path(name).is_absolute()) {
    if (is_file(name)) return name;
    return missing(name).value_or(Error{name + " is not an ordinary file"});
  }
  for (const fs::path& folder : folders) {
    if (is_file(folder / name)) return (folder / name).lexically_normal().string();
  }

  // a bare name
  const std::string file_name = name + naming.ending;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : {folder / file_name, folder / naming.folder / file_name}) {
      if (is_file(path)) return path.lexically_normal().string();
    }
  }
  std::error_code error;
  if (fs::status(name, error).type() == fs::file_type::none) return *missing(name);
  const std::string nearest = nearest_word(name, known_names(naming, folders));
  return Error{quote(name) + " is neither a file nor the name of a " + naming.word +
               (nearest.empty() ? "; looked in " + places_of(naming, folders) + " ($FORERUN_DATA names one more)"
                                : "; the nearest known name is " + quote(nearest))};
}

}  // namespace forerun::io
