#include "forerun/io/key_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "forerun/base/wipe.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/private_file.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {
namespace {

constexpr std::size_t kLongestName = 64;

std::string secret_path(const std::string& folder) { return folder + "/secret.key"; }
std::string public_path(const std::string& folder) { return folder + "/public.key"; }
std::string allowed_path(const std::string& folder) { return folder + "/allowed"; }

void wipe_text(std::string& text) { wipe(MutableBytes(reinterpret_cast<std::uint8_t*>(text.data()), text.size())); }

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Cuts the first word off.
std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line = trim(line.substr(word.size()));
  return word;
}

Result<void> check_name(std::string_view name, const std::string& subject) {
  const bool printable = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) != 0x7f;
  });
  if (printable && name.size() <= kLongestName) return {};
  return Error{subject + " has the name " + quote(name) + ", but a name is one line of up to " +
               std::to_string(kLongestName) + " bytes"};
}

// A line of `allowed`; nothing when it is a remark or empty. `where` is file and line.
Result<std::optional<AllowedKey>> parse_line(std::string_view line, const std::string& where) {
  std::string_view rest = trim(line);
  if (rest.empty() || rest.front() == '#') return std::optional<AllowedKey>();
  const auto role = parse_role(take_word(rest));
  if (!role) return Error{where + ": " + role.error().message};
  const auto key = parse_key(take_word(rest), where + ": the public key");
  if (!key) return key.error();
  if (const auto good = check_name(rest, where); !good) return good.error();
  return std::optional<AllowedKey>({*key, *role, std::string(rest)});
}

// The file's own text, beside what it means.
struct AllowedText {
  std::vector<std::pair<std::string, std::optional<AllowedKey>>> lines;
};

Result<AllowedText> read_lines(std::string_view text, const std::string& path) {
  AllowedText result;
  std::map<sync::Key, int> line_of_key;
  Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string where = path + ":" + std::to_string(lines.number());
    auto entry = parse_line(line, where);
    if (!entry) return entry.error();
    if (*entry) {
      const auto [earlier, first] = line_of_key.emplace((*entry)->key, lines.number());
      if (!first) return Error{where + ": this key stands in line " + std::to_string(earlier->second) + " already"};
    }
    result.lines.emplace_back(line, std::move(*entry));
  }
  return result;
}

Result<AllowedText> read_allowed(const std::string& folder) {
  if (const auto safe = check_private_folder(folder); !safe) return safe.error();
  const std::string path = allowed_path(folder);
  const auto text = read_private(path, Privacy::nobody_else_writes);
  if (!text) return text.error();
  return *text ? read_lines(**text, path) : AllowedText{};
}

Result<std::vector<AllowedKey>> keys_of(Result<AllowedText> content) {
  if (!content) return content.error();
  std::vector<AllowedKey> allowed;
  for (auto& line : content->lines) {
    if (line.second) allowed.push_back(std::move(*line.second));
  }
  return allowed;
}

Result<void> write_allowed(const std::string& folder, const AllowedText& content) {
  std::string text;
  for (const auto& line : content.lines) text += line.first + "\n";
  return write_over(allowed_path(folder), text, 0600);
}

std::string compose_line(const AllowedKey& allowed) {
  const std::string line = sync::to_string(allowed.role) + (" " + show_key(allowed.key));
  return allowed.name.empty() ? line : line + " " + allowed.name;
}

auto find_line(AllowedText& content, const sync::Key& key) {
  return std::find_if(content.lines.begin(), content.lines.end(),
                      [&](const auto& line) { return line.second && line.second->key == key; });
}

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace

Result<std::string> find_key_folder(const std::string& given) {
  if (!given.empty()) return given;
  if (const auto folder = environment("FORERUN_KEYS")) return *folder;
  if (const auto folder = environment("XDG_CONFIG_HOME")) return *folder + "/forerun";
  if (const auto folder = environment("HOME")) return *folder + "/.config/forerun";
  return Error{"there is no folder for keys: neither --keys nor FORERUN_KEYS, XDG_CONFIG_HOME or HOME is set"};
}

std::string show_key(const sync::Key& key) {
  return encode_base64({reinterpret_cast<const char*>(key.data()), key.size()});
}

Result<sync::Key> parse_key(std::string_view text, const std::string& subject) {
  auto bytes = decode_base64(trim(text));
  // the text itself is not shown: it may be a secret
  if (!bytes) return Error{subject + " is not base64; allowed is a key of 44 letters"};
  if (bytes->size() != sync::kKeySize) {
    return Error{subject + " has " + std::to_string(bytes->size()) + " bytes, but a key has " +
                 std::to_string(sync::kKeySize)};
  }
  sync::Key key;
  std::transform(bytes->begin(), bytes->end(), key.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
  wipe_text(*bytes);
  return key;
}

Result<sync::Role> parse_role(std::string_view text) {
  for (const sync::Role role : {sync::Role::watch, sync::Role::operate}) {
    if (text == sync::to_string(role)) return role;
  }
  return Error{"there is no role " + quote(text) + "; the nearest one is " +
               quote(nearest_word(text, {"watch", "operate"})) + " (watch and operate are all)"};
}

Result<void> create_keys(const std::string& folder, const sync::KeyPair& pair, Existing existing) {
  if (const auto made = make_private_folder(folder); !made) return made;
  const auto lock = FolderLock::take(folder);
  if (!lock) return lock.error();
  const std::string path = secret_path(folder);
  std::string text = show_key(pair.secret);
  text += '\n';
  auto written = existing == Existing::replace ? write_over(path, text, 0600) : write_new(path, text, 0600);
  wipe_text(text);
  if (!written) return written;
  return write_over(public_path(folder), show_key(pair.open) + "\n", 0644);
}

Result<sync::KeyPair> load_keys(const std::string& folder, const OpenHalf& open_half) {
  if (const auto safe = check_private_folder(folder); !safe) return safe.error();
  const std::string path = secret_path(folder);
  auto text = read_private(path, Privacy::nobody_else_reads);
  if (!text) return text.error();
  if (!*text) return Error{path + " does not exist; \"forerun keys new\" makes it"};
  const auto secret = parse_key(**text, path);
  wipe_text(**text);
  if (!secret) return secret.error();
  return sync::KeyPair{*secret, open_half(*secret)};
}

Result<std::vector<AllowedKey>> parse_allowed(std::string_view text, const std::string& path) {
  return keys_of(read_lines(text, path));
}

Result<std::vector<AllowedKey>> load_allowed(const std::string& folder) { return keys_of(read_allowed(folder)); }

Result<void> allow_key(const std::string& folder, const AllowedKey& allowed) {
  if (const auto good = check_name(allowed.name, "the key " + show_key(allowed.key)); !good) return good;
  if (const auto made = make_private_folder(folder); !made) return made;
  const auto lock = FolderLock::take(folder);
  if (!lock) return lock.error();
  auto content = read_allowed(folder);
  if (!content) return content.error();
  const auto line = find_line(*content, allowed.key);
  if (line == content->lines.end()) {
    content->lines.emplace_back(compose_line(allowed), allowed);
  } else {
    AllowedKey changed = allowed;
    if (changed.name.empty()) changed.name = line->second->name;
    line->first = compose_line(changed);
  }
  return write_allowed(folder, *content);
}

Result<void> forbid_key(const std::string& folder, const sync::Key& key) {
  if (const auto safe = check_private_folder(folder); !safe) return safe;
  const auto lock = FolderLock::take(folder);
  if (!lock) return lock.error();
  auto content = read_allowed(folder);
  if (!content) return content.error();
  const auto line = find_line(*content, key);
  if (line == content->lines.end()) {
    return Error{allowed_path(folder) + " does not allow the key " + show_key(key) + ", so nothing changed"};
  }
  content->lines.erase(line);
  return write_allowed(folder, *content);
}

}  // namespace forerun::io
