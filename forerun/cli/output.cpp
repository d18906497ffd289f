#include "forerun/cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "forerun/io/file.hpp"

namespace forerun::cli {

Result<void> flush_output() {
  errno = 0;  // what could not be written earlier has left no reason
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  const std::string why = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  return Error{"standard output cannot be written" + why, ErrorKind::impossible};
}

namespace {

Result<void> write_standard_output(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
  return flush_output();
}

}  // namespace

Result<void> write_json(const std::string& destination, const nlohmann::ordered_json& document) {
  const std::string text = document.dump(2) + "\n";
  return destination == "-" ? write_standard_output(text) : io::write_file(destination, text);
}

Result<std::optional<io::PendingFile>> open_pending(const std::string& destination) {
  if (destination.empty() || destination == "-") return std::optional<io::PendingFile>();
  auto file = io::PendingFile::open(destination);
  if (!file) return file.error();
  return std::optional<io::PendingFile>(std::move(*file));
}

Result<void> write_json(const std::string& destination, std::optional<io::PendingFile> file,
                        const nlohmann::ordered_json& document) {
  return write_text(destination, std::move(file), destination.empty() ? "" : document.dump(2) + "\n");
}

Result<void> write_text(const std::string& destination, std::optional<io::PendingFile> file, const std::string& text) {
  if (destination.empty()) return {};
  if (!file) return write_standard_output(text);
  file->write(text);
  return file->commit();
}

namespace {

// Both lead there, whatever they are called: also where nothing is yet.
bool is_same_place(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return !a.empty() && a == b;
  std::error_code unknown;
  const auto whole = [&](const std::string& path) {
    const auto found = std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
    return unknown ? std::filesystem::path(path) : found;
  };
  return whole(a) == whole(b);
}

}  // namespace

Result<void> keep_apart(const std::vector<std::pair<std::string, std::string>>& files) {
  for (auto a = files.begin(); a != files.end(); ++a) {
    for (auto b = a + 1; b != files.end(); ++b) {
      if (is_same_place(a->second, b->second))
        return Error{a->first + " and " + b->first + " name the same file, " + a->second};
    }
  }
  return {};
}

Result<void> keep_inputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      std::error_code unknown;  // files that do not exist are not the same
      if (output.empty() || !std::filesystem::equivalent(input, output, unknown)) continue;
      return Error{output + " is read, and would be overwritten: choose another file to write to"};
    }
  }
  return {};
}

}  // namespace forerun::cli
