// `forerun keys`: makes and shows this machine's key, and says whose keys may connect.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/base/wipe.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"

namespace forerun::app {
namespace {

struct Options {
  std::string folder;
  std::string json;
  std::string public_key;
  std::string role;
  std::string name;
  bool force = false;
};

int finish(const Result<void>& result) { return result ? cli::kDone : cli::complain(result.error()); }

// Alone on its line, for other programs to take.
void print_key(const sync::Key& key) { std::printf("%s\n", io::show_key(key).c_str()); }

int make_new(const Options& options) {
  net::SodiumCipher cipher;
  sync::KeyPair pair = sync::make_key_pair(cipher);
  const auto existing = options.force ? io::Existing::replace : io::Existing::keep;
  const auto created = io::create_keys(options.folder, pair, existing);
  wipe(pair.secret);
  if (!created) {
    const bool hint = !options.force && created.error().message.ends_with("exists already");
    return cli::complain(
        {created.error().message + (hint ? "; --force replaces it, and whoever knew it must learn the new one" : ""),
         created.error().kind});
  }
  print_key(pair.open);
  return cli::kDone;
}

nlohmann::ordered_json describe(const Options& options, const sync::Key& key,
                                const std::vector<io::AllowedKey>& allowed) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& entry : allowed) {
    list.push_back(
        {{"role", sync::to_string(entry.role)}, {"public_key", io::show_key(entry.key)}, {"name", entry.name}});
  }
  return {{"folder", options.folder}, {"public_key", io::show_key(key)}, {"allowed", list}};
}

int show(const Options& options) {
  const net::SodiumCipher cipher;
  auto pair = io::load_keys(options.folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
  if (!pair) return cli::complain(pair.error());
  wipe(pair->secret);
  if (options.json.empty()) {
    print_key(pair->open);
    return cli::kDone;
  }
  const auto allowed = io::load_allowed(options.folder);
  if (!allowed) return cli::complain(allowed.error());
  if (options.json != "-") print_key(pair->open);
  return finish(cli::write_json(options.json, describe(options, pair->open, *allowed)));
}

int allow(const Options& options) {
  const auto key = io::parse_key(options.public_key, "the public key " + io::quote(options.public_key));
  if (!key) return cli::complain(key.error());
  const auto role = io::parse_role(options.role);
  if (!role) return cli::complain({"--role: " + role.error().message});
  return finish(io::allow_key(options.folder, {*key, *role, options.name}));
}

int forbid(const Options& options) {
  const auto key = io::parse_key(options.public_key, "the public key " + io::quote(options.public_key));
  if (!key) return cli::complain(key.error());
  return finish(io::forbid_key(options.folder, *key));
}

struct Subcommands {
  CLI::App* make_new;
  CLI::App* show;
  CLI::App* allow;
  CLI::App* forbid;
};

Subcommands add_subcommands(CLI::App& app, Options& options) {
  CLI::App* make_new = app.add_subcommand("new", "Makes a key for this machine and prints its public half.");
  make_new->add_flag("--force", options.force, "replace the key that exists");
  make_new->footer("Example:\n  forerun keys new");

  CLI::App* show = app.add_subcommand("show", "Prints the public key of this machine, to be allowed by others.");
  show->add_option("--json", options.json,
                   "write folder, public key and allowed keys as JSON to this file; - for standard output");
  show->footer("Example:\n  ssh robot forerun keys allow $(forerun keys show) --role operate --name desk");

  CLI::App* allow = app.add_subcommand("allow", "Lets the owner of a public key connect, or changes the role.");
  allow->add_option("PUBLICKEY", options.public_key, "44 letters, as \"forerun keys show\" prints them")->required();
  allow->add_option("--role", options.role, "watch (sees the robot) or operate (also commands it)")->required();
  allow->add_option("--name", options.name, "whose key it is, for people");
  allow->footer("Example:\n  forerun keys allow KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk= --role watch --name hall");

  CLI::App* forbid = app.add_subcommand("forbid", "Takes a public key off the list of allowed ones.");
  forbid->add_option("PUBLICKEY", options.public_key, "44 letters")->required();
  forbid->footer("Example:\n  forerun keys forbid KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk=");

  for (CLI::App* subcommand : {make_new, show, allow, forbid}) {
    subcommand->add_option("--keys", options.folder,
                           "folder of the keys; else $FORERUN_KEYS, $XDG_CONFIG_HOME/forerun or ~/.config/forerun");
  }
  return {make_new, show, allow, forbid};
}

}  // namespace

int run_keys(cli::Arguments arguments) {
  Options options;
  CLI::App app("Makes and shows the key of this machine, and says whose keys may connect to it.", "keys");
  app.footer(
      "Example:\n  forerun keys new\n  forerun keys show\n"
      "  forerun keys allow $(ssh desk forerun keys show) --role operate --name desk");
  app.require_subcommand(1);
  const Subcommands commands = add_subcommands(app, options);
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;

  const auto folder = io::find_key_folder(options.folder);
  if (!folder) return cli::complain(folder.error());
  options.folder = *folder;
  if (commands.make_new->parsed()) return make_new(options);
  if (commands.show->parsed()) return show(options);
  return commands.allow->parsed() ? allow(options) : forbid(options);
}

}  // namespace forerun::app
