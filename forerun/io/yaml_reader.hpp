// Strict reading of YAML: unknown keys, wrong types, numbers out of range and NaN are errors that name file, line and
// key. The first error counts; after it, reading goes on with defaults so that callers need no checks in between.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::io {

// The file being read and the first thing found wrong with it.
struct YamlSource {
  std::string file;
  std::optional<Error> problem;
};

// One mapping of keys to values. A key that is absent leaves the caller's value as it is.
class YamlMap {
 public:
  YamlMap(const YAML::Node& node, std::string path, YamlSource& source);

  void read(std::string_view key, double& value, const Field& field);
  void read(std::string_view key, int& value, const Field& field);
  void read(std::string_view key, std::uint64_t& value, const Field& field);
  void read(std::string_view key, std::string& value, const Field& field = {});
  void read(std::string_view key, bool& value, const Field& field = {});
  void read(std::string_view key, Vec2& value, const Field& field);
  void read(std::string_view key, Pose2& value, const Field& field);
  void read(std::string_view key, std::vector<double>& values, const Field& field);
  void read(std::string_view key, std::vector<Vec2>& points, const Field& field);
  void read(std::string_view key, std::vector<std::string>& words, const Field& field = {});
  // One of a few words; `value` becomes its place among the choices.
  void read_choice(std::string_view key, int& value, const std::vector<std::string>& choices);
  // Every field of a parameter struct, from its own list.
  template <class Params>
  void read_fields(Params& params) {
    visit_fields(params, [&](const char* key, auto& value, const Field& field) { read(key, value, field); });
  }

  // Calls `fill` for the mapping under the key, if there is one; then unknown keys in it are errors.
  void with(std::string_view key, const std::function<void(YamlMap&)>& fill);
  // Calls `fill` for each mapping of the list under the key.
  void each(std::string_view key, const std::function<void(YamlMap&)>& fill);

  [[nodiscard]] bool has(std::string_view key);
  // The key must be there; said at the end, because a misspelt key explains itself better.
  void require(std::string_view key);
  // Reports the first problem: "FILE:LINE: PATH.KEY <what>".
  void fail(std::string_view key, const std::string& what);
  [[nodiscard]] bool failed() const { return source_->problem.has_value(); }
  // Keys that nobody asked for, and required ones that are absent, are errors.
  void finish();

 private:
  struct Entry {
    YAML::Node value;
    int line = 0;
    bool used = false;
  };

  const YAML::Node* find(std::string_view key);
  [[nodiscard]] std::string path_of(std::string_view key) const;
  bool read_number(const YAML::Node& node, std::string_view key, double& value, const Field& field);
  bool read_word(const YAML::Node& node, std::string_view key, std::string& word);
  bool read_tuple(std::string_view key, std::vector<double>& values, std::size_t size, const Field& field);
  bool check_list(const YAML::Node& node, std::string_view key, const char* of_what);

  std::string path_;
  YamlSource* source_;
  int line_ = 0;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> known_;
  std::vector<std::string> required_;
};

// Reads the one document of `text`, a mapping, by `fill`. `file` is the name used in messages.
Result<void> read_yaml(std::string_view text, const std::string& file, const std::function<void(YamlMap&)>& fill);

}  // namespace forerun::io
