// `forerun relay`: one session per robot, many browsers.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "forerun/app/commands.hpp"
#include "forerun/app/page_option.hpp"
#include "forerun/app/record_option.hpp"
#include "forerun/base/wipe.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/open_files.hpp"
#include "forerun/net/ready.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/watch/watched_robot.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::app {
namespace {

constexpr std::size_t kMostRobots = 64;   // each has a thread
constexpr std::size_t kOtherFiles = 256;  // open beside the browsers' connections

struct RelayOptions {
  std::vector<std::string> robots;  // KEY@HOST:PORT
  std::string listen = ":8080";
  std::string keys;
  std::vector<std::string> host_names;
  std::string tls_cert, tls_key;
  std::size_t max_browsers = 4096;
  std::string record;   // empty: nothing is recorded
  double duration = 0;  // [s]; 0: until Ctrl-C
};

Result<sync::KeyPair> own_keys(const std::string& folder, net::SodiumCipher& cipher) {
  if (folder.empty()) return sync::make_key_pair(cipher);
  return io::load_keys(folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
}

Result<net::Viewer> open_viewer(const std::string& robot, const sync::KeyPair& keys) {
  const auto at = robot.find('@');
  if (at == robot.npos) {
    return Error{"the robot " + io::quote(robot) + " must be named as KEY@HOST:PORT, as forerun serve prints both"};
  }
  const auto key = io::parse_key(robot.substr(0, at), "the key of " + io::quote(robot));
  if (!key) return key.error();
  net::Viewer::Setup setup{.server = robot.substr(at + 1), .server_key = *key, .keys = keys};
  setup.params.wanted = sync::Role::watch;
  auto viewer = net::Viewer::open(setup);
  wipe(setup.keys.secret);
  return viewer;
}

Result<web::WebServer> open_web(const RelayOptions& options) {
  const auto listen = net::resolve(options.listen);
  if (!listen) return Error{"--listen: " + listen.error().message, listen.error().kind};
  web::WebSetup setup{.listen = *listen,
                      .host_names = options.host_names,
                      .tls_cert = options.tls_cert,
                      .tls_key = options.tls_key,
                      .limits = {}};
  setup.limits.connections = options.max_browsers;
  setup.limits.messages_wanted = false;
  auto web = web::WebServer::open(setup);
  if (web) put_page(*web);
  return web;
}

void announce(const web::WebServer& web, const RelayOptions& options) {
  const std::string scheme = options.tls_cert.empty() ? "http" : "https";
  const std::string host = options.host_names.empty() ? "localhost" : options.host_names.front();
  std::printf("%s://%s:%u\n", scheme.c_str(), host.c_str(), web.local_address().port);
  std::fflush(stdout);
}

// Until Ctrl-C or the end of the time.
void serve(web::WebServer& web, web::PageHub& hub, double duration) {
  cli::StatusLine line;
  const std::array<int, 1> pages{web.descriptor()};
  const auto start = std::chrono::steady_clock::now();
  while (!cli::interrupted()) {
    (void)net::wait_readable(pages, 0.1);
    for (const web::WebEvent& event : web.take_events()) {
      if (event.kind == web::WebEvent::Kind::joined) hub.welcome(event.browser);
    }
    if (line.due()) {
      const web::WebCounts counts = web.counts();
      line.show(std::to_string(counts.browsers) + " browsers   " + std::to_string(counts.sent) + " messages   " +
                std::to_string(counts.replaced) + " left out for newer ones");
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (duration > 0 && elapsed.count() >= duration) return;
  }
}

void watch_robots(std::vector<net::Viewer> viewers, const RelayOptions& options, web::WebServer& web, web::PageHub& hub,
                  record::Recording* recording) {
  std::vector<std::unique_ptr<watch::WatchedRobot>> upstreams;
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    const std::string place = options.robots[i].substr(options.robots[i].find('@') + 1);
    upstreams.push_back(std::make_unique<watch::WatchedRobot>(std::move(viewers[i]), hub, recording,
                                                              static_cast<std::uint32_t>(i + 1), place));
  }
  cli::catch_interrupts();
  announce(web, options);
  net::notify_ready();
  serve(web, hub, options.duration);
}

int relay(const RelayOptions& options) {
  if (options.robots.size() > kMostRobots) {
    return cli::complain(Error{std::to_string(options.robots.size()) + " robots are named, but at most " +
                               std::to_string(kMostRobots) + " are allowed"});
  }
  if (auto allowed = net::allow_open_files(options.max_browsers + kOtherFiles); !allowed)
    return cli::complain(allowed.error());
  net::SodiumCipher cipher;
  auto keys = own_keys(options.keys, cipher);
  if (!keys) return cli::complain(keys.error());
  std::vector<net::Viewer> viewers;
  for (const std::string& robot : options.robots) {
    auto viewer = open_viewer(robot, *keys);
    if (!viewer) return cli::complain(viewer.error());
    viewers.push_back(std::move(*viewer));
  }
  wipe(keys->secret);
  auto web = open_web(options);
  if (!web) return cli::complain(web.error());
  web::PageHub hub(*web, web::PageMode::watch, FORERUN_VERSION, viewers.size());
  auto recording = record::Recording::open(options.record);
  if (!recording) return cli::complain(recording.error());
  watch_robots(std::move(viewers), options, *web, hub, recording->get());
  return finish_recording(recording->get(), cli::interrupted() ? cli::kInterrupted : cli::kDone);
}

}  // namespace

int run_relay(cli::Arguments arguments) {
  RelayOptions options;
  CLI::App app("Lets many browsers watch robots, with one session for each robot. Nobody commands through it.",
               "relay");
  app.add_option("robots", options.robots, "the robots, KEY@HOST:PORT each")->required();
  app.add_option("--listen", options.listen, "where browsers come to: HOST:PORT, or :PORT for all of this machine's")
      ->capture_default_str();
  app.add_option("--host-name", options.host_names,
                 "a name under which browsers ask, beside localhost and addresses in numbers");
  auto* cert = app.add_option("--tls-cert", options.tls_cert, "certificate chain in PEM: serve https");
  auto* key = app.add_option("--tls-key", options.tls_key, "its private key in PEM");
  cert->needs(key);
  key->needs(cert);
  app.add_option("--max-browsers", options.max_browsers, "connections at the same time")
      ->capture_default_str()
      ->check(cli::check_range(cli::field_of<web::WebLimits>("connections")));
  app.add_option("--keys", options.keys, "folder with a key that the robots allow to watch (a new one)");
  add_record_option(app, options.record);
  app.add_option("--for-s", options.duration, "end after this time (0: with Ctrl-C)")->check(CLI::Range(0.0, 1e9));
  app.footer(
      "Example:\n"
      "  forerun relay KEY@robot.example:7420 --listen :8080 --host-name watch.example");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (const auto right = check_record_option(app, options.record); !right) return cli::complain(right.error());
  return relay(options);
}

}  // namespace forerun::app
