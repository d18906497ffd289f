#include "forerun/io/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "forerun/io/text.hpp"

namespace forerun::io {

namespace {

constexpr std::size_t kMostElements = 20000;          // of one list: more is a mistake or an attack
constexpr std::size_t kLongestWord = 200;             // names and paths
constexpr double kLargestExact = 9007199254740992.0;  // 2⁵³: whole numbers beyond it are not exact as double

bool is_nan_word(std::string_view text) {
  return text == ".nan" || text == ".NaN" || text == ".NAN" || text == ".inf" || text == "-.inf" || text == "+.inf" ||
         text == ".Inf" || text == "-.Inf" || text == ".INF" || text == "-.INF";
}

std::string allowed_range(const Field& field) {
  return "must lie between " + show(field.low) + " and " + show(field.high);
}

std::string shape_of(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  if (node.IsScalar()) return quote(node.Scalar());
  return "empty";
}

// Takes no notice of anything.
struct DeafHandler : YAML::EventHandler {
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// YAML::Load() ignores what follows the first document, and YAML::LoadAll() never ends on some inputs (",").
bool has_more(std::string_view text) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  DeafHandler handler;
  parser.HandleNextDocument(handler);
  return static_cast<bool>(parser);
}

}  // namespace

YamlMap::YamlMap(const YAML::Node& node, std::string path, YamlSource& source)
    : path_(std::move(path)), source_(&source), line_(node.Mark().line + 1) {
  if (!node.IsMap()) {
    fail("", "is " + shape_of(node) + ", but must be a mapping of keys to values");
    return;
  }
  for (const auto& item : node) {
    const int line = item.first.Mark().line + 1;
    if (!item.first.IsScalar()) {
      line_ = line;
      fail("", "has a key that is " + shape_of(item.first) + ", but keys must be words");
      return;
    }
    const std::string& key = item.first.Scalar();
    const bool added = entries_.emplace(key, Entry{item.second, line, false}).second;
    if (!added) {
      line_ = line;
      fail("", "has the key " + quote(key) + " twice, but each key must be given once");
      return;
    }
  }
}

std::string YamlMap::path_of(std::string_view key) const {
  if (key.empty()) return path_.empty() ? "the file" : path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void YamlMap::fail(std::string_view key, const std::string& what) {
  if (failed()) return;
  const auto entry = entries_.find(key);
  const int line = entry == entries_.end() ? line_ : entry->second.line;
  source_->problem = Error{source_->file + ":" + std::to_string(line) + ": " + path_of(key) + " " + what};
}

const YAML::Node* YamlMap::find(std::string_view key) {
  known_.emplace_back(key);
  const auto entry = entries_.find(key);
  if (entry == entries_.end() || failed()) return nullptr;
  entry->second.used = true;
  return &entry->second.value;
}

bool YamlMap::has(std::string_view key) { return find(key) != nullptr; }

void YamlMap::require(std::string_view key) { required_.emplace_back(key); }

bool YamlMap::read_number(const YAML::Node& node, std::string_view key, double& value, const Field& field) {
  if (!node.IsScalar()) {
    fail(key, "is " + shape_of(node) + ", but must be a number");
    return false;
  }
  const std::string& text = node.Scalar();
  const std::optional<double> number = parse_number(text);
  if (is_nan_word(text) || (number && !std::isfinite(*number))) {
    fail(key, "is " + one_line(text.substr(0, 60)) + ", but must be a finite number");
    return false;
  }
  if (!number) {
    fail(key, "is " + quote(text) + ", but must be a number");
    return false;
  }
  if (*number < field.low || *number > field.high) {
    fail(key, "is " + show(*number) + ", but " + allowed_range(field));
    return false;
  }
  value = *number;
  return true;
}

void YamlMap::read(std::string_view key, double& value, const Field& field) {
  if (const YAML::Node* node = find(key)) read_number(*node, key, value, field);
}

void YamlMap::read(std::string_view key, int& value, const Field& field) {
  double number = value;
  const YAML::Node* node = find(key);
  if (node == nullptr || !read_number(*node, key, number, field)) return;
  if (number != std::floor(number)) {
    fail(key, "is " + show(number) + ", but must be a whole number");
    return;
  }
  value = static_cast<int>(number);
}

void YamlMap::read(std::string_view key, std::uint64_t& value, const Field& field) {
  double number = 0;
  const YAML::Node* node = find(key);
  const Field range{std::max(field.low, 0.0), std::min(field.high, kLargestExact), field.about};
  if (node == nullptr || !read_number(*node, key, number, range)) return;
  if (number != std::floor(number)) {
    fail(key, "is " + show(number) + ", but must be a whole number");
    return;
  }
  value = static_cast<std::uint64_t>(number);
}

bool YamlMap::read_word(const YAML::Node& node, std::string_view key, std::string& word) {
  if (!node.IsScalar() || node.Scalar().empty()) {
    fail(key, "is " + (node.IsScalar() ? "empty" : shape_of(node)) + ", but must be a text");
    return false;
  }
  if (node.Scalar().size() > kLongestWord) {
    fail(key, "is " + quote(node.Scalar()) + ", but must have at most " + std::to_string(kLongestWord) + " bytes");
    return false;
  }
  word = node.Scalar();
  return true;
}

void YamlMap::read(std::string_view key, std::string& value, const Field&) {
  if (const YAML::Node* node = find(key)) read_word(*node, key, value);
}

void YamlMap::read(std::string_view key, bool& value, const Field&) {
  int choice = value ? 1 : 0;
  read_choice(key, choice, {"false", "true"});
  value = choice == 1;
}

void YamlMap::read_choice(std::string_view key, int& value, const std::vector<std::string>& choices) {
  const YAML::Node* node = find(key);
  if (node == nullptr) return;
  const std::string word = node->IsScalar() ? node->Scalar() : std::string();
  const auto place = std::find(choices.begin(), choices.end(), word);
  if (place == choices.end()) {
    fail(key, "is " + shape_of(*node) + ", but must be " + join_choices(choices));
    return;
  }
  value = static_cast<int>(place - choices.begin());
}

bool YamlMap::check_list(const YAML::Node& node, std::string_view key, const char* of_what) {
  if (!node.IsSequence()) {
    fail(key, "is " + shape_of(node) + ", but must be a list of " + of_what);
    return false;
  }
  if (node.size() > kMostElements) {
    fail(key,
         "has " + std::to_string(node.size()) + " elements, but must have at most " + std::to_string(kMostElements));
    return false;
  }
  return true;
}

bool YamlMap::read_tuple(std::string_view key, std::vector<double>& values, std::size_t size, const Field& field) {
  const YAML::Node* node = find(key);
  if (node == nullptr) return false;
  if (!node->IsSequence() || node->size() != size) {
    fail(key, "is " + shape_of(*node) + ", but must be a list of " + std::to_string(size) + " numbers");
    return false;
  }
  values.assign(size, 0.0);
  std::size_t i = 0;
  for (const auto& item : *node) {
    if (!read_number(item, key, values[i++], field)) return false;
  }
  return true;
}

void YamlMap::read(std::string_view key, Vec2& value, const Field& field) {
  std::vector<double> numbers;
  if (read_tuple(key, numbers, 2, field)) value = {numbers[0], numbers[1]};
}

void YamlMap::read(std::string_view key, Pose2& value, const Field& field) {
  std::vector<double> numbers;
  if (read_tuple(key, numbers, 3, field)) value = {numbers[0], numbers[1], numbers[2]};
}

void YamlMap::read(std::string_view key, std::vector<double>& values, const Field& field) {
  const YAML::Node* node = find(key);
  if (node == nullptr || !check_list(*node, key, "numbers")) return;
  values.clear();
  for (const auto& item : *node) {
    double value = 0;
    if (!read_number(item, key, value, field)) return;
    values.push_back(value);
  }
}

void YamlMap::read(std::string_view key, std::vector<Vec2>& points, const Field& field) {
  const YAML::Node* node = find(key);
  if (node == nullptr || !check_list(*node, key, "points [x, y]")) return;
  points.clear();
  for (const auto& item : *node) {
    Vec2 point;
    if (!item.IsSequence() || item.size() != 2) {
      fail(key, "has the element " + shape_of(item) + ", but must be a list of points [x, y]");
      return;
    }
    if (!read_number(item[0], key, point.x, field) || !read_number(item[1], key, point.y, field)) return;
    points.push_back(point);
  }
}

void YamlMap::read(std::string_view key, std::vector<std::string>& words, const Field&) {
  const YAML::Node* node = find(key);
  if (node == nullptr || !check_list(*node, key, "words")) return;
  words.clear();
  for (const auto& item : *node) {
    std::string word;
    if (!read_word(item, key, word)) return;
    words.push_back(word);
  }
}

void YamlMap::with(std::string_view key, const std::function<void(YamlMap&)>& fill) {
  const YAML::Node* node = find(key);
  if (node == nullptr) return;
  YamlMap child(*node, path_of(key), *source_);
  if (!failed()) fill(child);
  child.finish();
}

void YamlMap::each(std::string_view key, const std::function<void(YamlMap&)>& fill) {
  const YAML::Node* node = find(key);
  if (node == nullptr || !check_list(*node, key, "mappings")) return;
  std::size_t i = 0;
  for (const auto& item : *node) {
    YamlMap child(item, path_of(key) + "[" + std::to_string(i++) + "]", *source_);
    if (!failed()) fill(child);
    child.finish();
    if (failed()) return;
  }
}

void YamlMap::finish() {
  for (const auto& [key, entry] : entries_) {
    if (failed() || entry.used) continue;
    line_ = entry.line;
    fail("", "has the unknown key " + quote(key) + "; the nearest known one is " + quote(nearest_word(key, known_)));
  }
  for (const std::string& key : required_) {
    if (entries_.find(key) == entries_.end()) fail(key, "is missing");
  }
}

Result<void> read_yaml(std::string_view text, const std::string& file, const std::function<void(YamlMap&)>& fill) {
  try {
    const YAML::Node document = YAML::Load(std::string(text));
    if (document.IsNull()) return Error{file + " is empty, but must be a YAML mapping"};
    if (has_more(text)) return Error{file + " goes on after its first YAML document, but must hold one"};
    YamlSource source{file, {}};
    YamlMap root(document, "", source);
    if (!root.failed()) fill(root);
    root.finish();
    if (source.problem) return *source.problem;
    return {};
  } catch (const YAML::Exception& exception) {
    return Error{file + ":" + std::to_string(exception.mark.line + 1) + ": not valid YAML: " + one_line(exception.msg)};
  } catch (const std::exception& exception) {
    return Error{file + " cannot be read as YAML: " + one_line(exception.what())};
  }
}

}  // namespace forerun::io
