#include "tests/tools/functions.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace forerun::test {
namespace {

enum class Scope { declarations, function, other };

// What opens a brace that is preceded by `head`, all that was written since the statement began.
Scope scope_of(const std::string& head) {
  static const std::regex kDeclarations(
      R"(^\s*(template\s*<[^{]*>\s*)?(inline\s+)?(namespace|class|struct|union|extern)\b)");
  const auto last = head.find_last_not_of(" \n");
  if (last == head.npos) return Scope::other;
  // attached to a name it is an initialiser, as after `=`, `,` and `(`
  if (last + 1 == head.size() || head[last] == '=' || head[last] == ',' || head[last] == '(') return Scope::other;
  if (std::regex_search(head, kDeclarations) && head.find(')') == head.npos) return Scope::declarations;
  return head.find('(') == head.npos ? Scope::other : Scope::function;
}

// The word before the first parenthesis.
std::string name_in(const std::string& head) {
  static const std::regex kName(R"(((?:[\w~]+::)*(?:operator\W+|[\w~]+))\()");
  std::smatch match;
  return std::regex_search(head, match, kName) ? match[1].str() : "?";
}

bool is_access(const std::string& head) { return head == "public" || head == "protected" || head == "private"; }

class Scanner {
 public:
  explicit Scanner(const SourceFile& file) : path_(file.path), code_(blank_out(file.text, {.literals = true})) {
    drop_directives();
  }

  std::vector<FunctionLength> run() {
    for (const char c : code_) {
      const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (c == '{') {
        open();
      } else if (c == '}') {
        close();
      } else if (c == ';' || (c == ':' && is_access(head_))) {
        head_.clear();
      } else if (!head_.empty() || !space) {
        if (head_.empty()) begin_ = line_;
        head_ += c;
      }
      if (c == '\n') ++line_;
    }
    return std::move(found_);
  }

 private:
  // Lines of the preprocessor are no statements.
  void drop_directives() {
    bool directive = false;
    bool at_start = true;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (at_start && code_[i] == '#') directive = true;
      if (code_[i] == '\n') {
        directive = directive && i > 0 && code_[i - 1] == '\\';
        at_start = true;
        continue;
      }
      at_start = at_start && code_[i] == ' ';
      if (directive && code_[i] != '\\') code_[i] = ' ';
    }
  }

  void open() {
    const bool inside = std::count(scopes_.begin(), scopes_.end(), Scope::function) > 0;
    const Scope scope = inside ? Scope::other : scope_of(head_);
    scopes_.push_back(scope);
    if (scope == Scope::function) found_.push_back({path_ + ":" + std::to_string(begin_), name_in(head_), 1 - begin_});
    // an initialiser is part of its statement
    if (scope != Scope::other) head_.clear();
  }

  void close() {
    if (scopes_.empty()) return;
    if (scopes_.back() == Scope::function) found_.back().lines += line_;
    const bool other = scopes_.back() == Scope::other;
    scopes_.pop_back();
    if (!other) head_.clear();
  }

  std::string path_;
  std::string code_;
  std::string head_;
  int line_ = 1;
  int begin_ = 1;  // of the head
  std::vector<Scope> scopes_;
  std::vector<FunctionLength> found_;
};

}  // namespace

std::vector<FunctionLength> measure_functions(const SourceFile& file) { return Scanner(file).run(); }

}  // namespace forerun::test
