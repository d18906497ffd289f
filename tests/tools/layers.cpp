#include "tests/tools/layers.hpp"

#include <regex>
#include <sstream>

namespace forerun::test {
namespace {

// Standard headers that reach outside the core, and such that give other bits elsewhere.
const std::set<std::string> kBannedHeaders = {"atomic",       "chrono",       "condition_variable",
                                              "csignal",      "ctime",        "exception",
                                              "filesystem",   "format",       "fstream",
                                              "future",       "iomanip",      "ios",
                                              "iostream",     "istream",      "locale",
                                              "mutex",        "ostream",      "random",
                                              "regex",        "shared_mutex", "sstream",
                                              "stdexcept",    "stop_token",   "syncstream",
                                              "system_error", "thread",       "typeindex",
                                              "typeinfo"};

// libm's functions differ between machines in the last bits; those of IEEE 754 (sqrt, floor, fabs …) do not.
const std::regex kBannedFunctions(
    R"((std::|[^:\w]::|__builtin_)(a?sinh?|a?cosh?|a?tanh?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|fma|erfc?|[lt]gamma|s?rand)[fl]?\s*\()");
const std::regex kBannedWords(R"(\b(throw|try|catch|dynamic_cast|typeid|reinterpret_pointer_cast)\b)");
const std::regex kBannedPragmas(R"(fast[-_]math|float_control|FP_CONTRACT|associative[-_]math|optimize\s*\()");
const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");

class Checker {
 public:
  Checker(const Layers& layers, const SourceFile& file)
      : layers_(layers), file_(file), room_name_(room_of(file.path)) {}

  std::vector<std::string> run() {
    const auto room = layers_.find(room_name_);
    if (room == layers_.end()) return {file_.path + ": '" + room_name_ + "' is no room of tools/layers.txt"};
    for (const auto& line : split_lines(blank_out(file_.text, {.literals = false}))) check_include(room->second, line);
    if (room->second.core) {
      line_ = 0;
      for (const auto& line : split_lines(blank_out(file_.text, {.literals = true}))) check_core(line);
    }
    return complaints_;
  }

 private:
  void complain(const std::string& what) {
    complaints_.push_back(file_.path + ":" + std::to_string(line_) + ": " + what);
  }

  void check_include(const Room& room, const std::string& line) {
    ++line_;
    std::smatch match;
    if (!std::regex_search(line, match, kInclude)) return;
    const std::string header = match[2];
    if (header.rfind("forerun/", 0) == 0) {
      const std::string other = room_of(header);
      if (room.may_include.count(other) == 0) complain(room_name_ + " may not include " + other + " (" + header + ")");
    } else if (match[1] == "\"") {
      complain("\"" + header + "\" must be included from the repository's root (forerun/…)");
    } else if (room.core && kBannedHeaders.count(header) != 0) {
      complain("the core may not include <" + header + ">");
    } else if (room.core && header.find_first_of("./") != std::string::npos) {
      complain("the core may include only the standard library, not <" + header + ">");
    }
  }

  void check_core(const std::string& line) {
    ++line_;
    std::smatch match;
    if (std::regex_search(line, match, kBannedFunctions))
      complain("the core takes " + match[2].str() + " from base/math.hpp");
    if (std::regex_search(line, match, kBannedWords))
      complain("the core has no exceptions and no run-time types: " + match[1].str());
    if (std::regex_search(line, match, kBannedPragmas)) complain("the core's arithmetic is exact: " + match[0].str());
  }

  const Layers& layers_;
  const SourceFile& file_;
  std::string room_name_;
  int line_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace

Layers parse_layers(const std::string& text) {
  Layers layers;
  std::set<std::string> core;
  for (const auto& line : split_lines(text)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind;
    std::string name;
    if (!(words >> kind >> name)) continue;
    name.pop_back();  // the colon
    Room& room = layers[name];
    room.core = kind == "core";
    room.may_include.insert(name);
    if (room.core) core.insert(name);
    for (std::string other; words >> other;) {
      if (other == "core") {
        room.may_include.insert(core.begin(), core.end());
      } else {
        room.may_include.insert(other);
      }
    }
  }
  return layers;
}

std::string room_of(const std::string& path) {
  const std::size_t begin = path.find('/') + 1;
  return path.substr(begin, path.find('/', begin) - begin);
}

std::vector<std::string> check_layers(const Layers& layers, const SourceFile& file) {
  return Checker(layers, file).run();
}

}  // namespace forerun::test
