#include "forerun/app/link_option.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "forerun/base/wipe.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"

namespace forerun::app {
namespace {

// Some keys, such as one of zeros, agree with no other: no robot side would ever answer.
Result<sync::Key> parse_server_key(const std::string& text, net::SodiumCipher& cipher) {
  const auto key = io::parse_key(text, "--server-key");
  if (!key) return key;
  sync::KeyPair trial = sync::make_key_pair(cipher);
  sync::Key shared;
  const bool usable = cipher.agree(trial.secret, *key, shared);
  wipe(trial.secret);
  wipe(shared);
  if (!usable) return Error{"--server-key is a key that nobody can have; forerun serve prints the right one"};
  return key;
}

}  // namespace

void add_link_options(CLI::App& app, LinkOptions& options) {
  app.add_option("--connect", options.connect, "the robot side: HOST:PORT");
  app.add_option("--server-key", options.server_key, "its public key, as forerun serve prints it");
  app.add_option("--keys", options.keys, "folder with your key (see forerun keys); without one you can only watch");
}

Result<net::Viewer::Setup> make_viewer_setup(const LinkOptions& options) {
  net::Viewer::Setup setup{.server = options.connect};
  net::SodiumCipher cipher;
  const auto server_key = parse_server_key(options.server_key, cipher);
  if (!server_key) return server_key.error();
  setup.server_key = *server_key;
  const auto folder = io::find_key_folder(options.keys);
  const bool has_keys = folder && access((*folder + "/secret.key").c_str(), F_OK) == 0;
  if (!has_keys && !options.keys.empty())
    return Error{options.keys + " holds no secret.key; forerun keys new makes one"};
  if (options.watch || !has_keys) setup.params.wanted = sync::Role::watch;
  if (!has_keys) {
    setup.keys = sync::make_key_pair(cipher);
    return setup;
  }
  const auto keys = io::load_keys(*folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
  if (!keys) return keys.error();
  setup.keys = *keys;
  return setup;
}

}  // namespace forerun::app
