// Keys on disk. One folder holds `secret.key` (for the owner's eyes only), `public.key` (to give away) and `allowed`:
// who may connect, a line each, `ROLE PUBLICKEY NAME`, where lines that begin with # are remarks.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::io {

// All that reads or writes such a folder refuses it when another user could put files into it.
struct AllowedKey {
  sync::Key key{};
  sync::Role role = sync::Role::watch;
  std::string name;  // for people; may be empty
  bool operator==(const AllowedKey&) const = default;
};

// Computes the public half of a secret key; ciphers live elsewhere.
using OpenHalf = std::function<sync::Key(const sync::Key& secret)>;

// The folder given, or $FORERUN_KEYS, $XDG_CONFIG_HOME/forerun, ~/.config/forerun: the first that is set.
[[nodiscard]] Result<std::string> find_key_folder(const std::string& given);

// A public key as text: 44 letters of base64. `subject` begins the complaint.
[[nodiscard]] std::string show_key(const sync::Key& key);
[[nodiscard]] Result<sync::Key> parse_key(std::string_view text, const std::string& subject);
// "watch" or "operate".
[[nodiscard]] Result<sync::Role> parse_role(std::string_view text);

enum class Existing { keep, replace };
// Writes both halves, and makes the folder where it is missing. An existing secret key is lost only with `replace`.
[[nodiscard]] Result<void> create_keys(const std::string& folder, const sync::KeyPair& pair, Existing existing);
// Refuses a secret key that is not a plain file of this user, or that anybody else could read or change.
[[nodiscard]] Result<sync::KeyPair> load_keys(const std::string& folder, const OpenHalf& open_half);

// The text of an `allowed` file; `path` begins the complaint.
[[nodiscard]] Result<std::vector<AllowedKey>> parse_allowed(std::string_view text, const std::string& path);
// No keys where there is no such file. Refuses a file that belongs to another user, or that one could change.
[[nodiscard]] Result<std::vector<AllowedKey>> load_allowed(const std::string& folder);
// Adds a key, or changes its role and, unless the new one is empty, its name. All other lines stay as they are, whoever
// else is writing.
[[nodiscard]] Result<void> allow_key(const std::string& folder, const AllowedKey& allowed);
[[nodiscard]] Result<void> forbid_key(const std::string& folder, const sync::Key& key);

}  // namespace forerun::io
