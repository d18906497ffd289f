#include "tests/support/source_tree.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/source_path.hpp"

namespace forerun::test {
namespace {

namespace fs = std::filesystem;

bool ends_with_one_of(const std::string& name, const std::vector<std::string>& endings) {
  if (endings.empty()) return true;
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) { return name.ends_with(ending); });
}

bool part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks over C++ text and blanks it out piece by piece.
class Blanker {
 public:
  Blanker(const std::string& code, Blank what) : text_(code), what_(what) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return text_;
  }

 private:
  bool sees(const char* piece) const { return text_.compare(at_, std::char_traits<char>::length(piece), piece) == 0; }

  void step() {
    if (sees("//")) {
      blank_up_to(std::min(text_.find('\n', at_), text_.size()));
    } else if (sees("/*")) {
      blank_up_to(after("*/", at_ + 2));
    } else if (sees("R\"")) {
      const std::size_t open = text_.find('(', at_);
      skip_literal(after((")" + text_.substr(at_ + 2, open - at_ - 2) + "\"").c_str(), open));
    } else if (text_[at_] == '"') {
      skip_literal(end_of_quote('"'));
    } else if (text_[at_] == '\'' && (at_ == 0 || !part_of_word(text_[at_ - 1]))) {
      skip_literal(end_of_quote('\''));  // after a digit it only groups digits
    } else {
      ++at_;
    }
  }

  std::size_t after(const char* piece, std::size_t from) const {
    const std::size_t found = text_.find(piece, from);
    return found == std::string::npos ? text_.size() : found + std::char_traits<char>::length(piece);
  }

  std::size_t end_of_quote(char quote) const {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text_.size());
  }

  void blank_up_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') text_[at_] = ' ';
    }
  }

  void skip_literal(std::size_t end) {
    if (what_.literals) blank_up_to(end);
    at_ = end;
  }

  std::string text_;
  Blank what_;
  std::size_t at_ = 0;
};

}  // namespace

SourceFile read_source(const std::string& path) {
  std::ifstream file(fs::path(test::source_path()) / path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return {path, text.str()};
}

std::vector<SourceFile> read_tree(const std::string& folder, const std::vector<std::string>& endings) {
  const fs::path root(source_path());
  std::vector<SourceFile> files;
  if (!fs::exists(root / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file() || !ends_with_one_of(entry.path().filename(), endings)) continue;
    files.push_back(read_source(entry.path().lexically_relative(root)));
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string blank_out(const std::string& code, Blank what) { return Blanker(code, what).run(); }

}  // namespace forerun::test
