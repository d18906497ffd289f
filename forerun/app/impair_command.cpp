// `forerun impair`: a bad network between real programs, the same one that studies run in virtual time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/link_profile_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/bad_network.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/socket_address.hpp"

namespace forerun::app {
namespace {

constexpr Duration kExtraBlackout = from_seconds(30);
constexpr Duration kLongestTurn = from_seconds(0.1);  // how late a flag is noticed at the latest

struct ImpairOptions {
  std::string listen = "127.0.0.1:0";
  std::string to;
  std::string profile;
  std::uint64_t seed = 1;
  double for_s = 0;  // 0: until Ctrl-C
  std::string json;
};

volatile std::sig_atomic_t g_blackout_wanted = 0;

void note_blackout(int) { g_blackout_wanted = 1; }

void catch_blackout_signal() {
  struct sigaction action {};
  action.sa_handler = note_blackout;
  sigaction(SIGUSR1, &action, nullptr);
}

nlohmann::ordered_json counts_of(const net::BadNetworkCounts& counts) {
  return {{"received", counts.received},        {"sent", counts.sent},           {"lost", counts.lost},
          {"duplicated", counts.duplicated},    {"reordered", counts.reordered}, {"dropped", counts.dropped},
          {"mean_delay_s", counts.mean_delay()}};
}

nlohmann::ordered_json result_of(const net::BadNetwork& relay, const impair::LinkProfile& profile,
                                 const ImpairOptions& options) {
  return {{"profile", profile.name},
          {"seed", options.seed},
          {"duration_s", to_seconds(relay.age())},
          {"up", counts_of(relay.counts(impair::Way::up))},
          {"down", counts_of(relay.counts(impair::Way::down))}};
}

void print_way(const char* name, const net::BadNetworkCounts& counts) {
  std::printf("%-4s  %llu received, %llu sent, %llu lost, %llu duplicated, %llu reordered, %.1f ms mean delay\n", name,
              static_cast<unsigned long long>(counts.received), static_cast<unsigned long long>(counts.sent),
              static_cast<unsigned long long>(counts.lost), static_cast<unsigned long long>(counts.duplicated),
              static_cast<unsigned long long>(counts.reordered), counts.mean_delay() * 1e3);
}

std::string status_text(const net::BadNetwork& relay) {
  const net::BadNetworkCounts& up = relay.counts(impair::Way::up);
  const net::BadNetworkCounts& down = relay.counts(impair::Way::down);
  char text[160];
  std::snprintf(text, sizeof text, "%8.1f s   up %llu, %llu lost   down %llu, %llu lost   %zu on their way%s",
                to_seconds(relay.age()), static_cast<unsigned long long>(up.received),
                static_cast<unsigned long long>(up.lost), static_cast<unsigned long long>(down.received),
                static_cast<unsigned long long>(down.lost), relay.waiting(), relay.black() ? "   BLACK" : "");
  return text;
}

// Until the time is up; false when the user stopped it.
bool run(net::BadNetwork& relay, const ImpairOptions& options) {
  cli::StatusLine line;
  const Duration end = from_seconds(options.for_s);
  while (!cli::interrupted()) {
    const Duration left = options.for_s > 0 ? end - relay.age() : kLongestTurn;
    if (left <= Duration{}) return true;
    relay.turn(std::min(left, kLongestTurn));
    if (g_blackout_wanted != 0) {
      g_blackout_wanted = 0;
      relay.black_out(kExtraBlackout);
    }
    if (line.due()) line.show(status_text(relay));
  }
  return false;
}

// Scripts wait for this line; standard output is the document's alone where it goes there.
void say_ready(const net::BadNetwork& relay, const net::Address& to, const impair::LinkProfile& profile,
               const ImpairOptions& options) {
  std::FILE* out = options.json == "-" ? stderr : stdout;
  std::fprintf(out, "listening on %s, relaying to %s, profile %s, seed %llu\n",
               net::to_string(relay.local_address()).c_str(), net::to_string(to).c_str(),
               io::one_line(profile.name).c_str(), static_cast<unsigned long long>(options.seed));
  std::fflush(out);
}

Result<net::Address> address_of(const char* flag, const std::string& text) {
  Result<net::Address> address = net::resolve(text);
  if (!address) return Error{std::string(flag) + ": " + address.error().message, address.error().kind};
  return address;
}

Result<net::Address> target_of(const std::string& text) {
  Result<net::Address> to = address_of("--to", text);
  if (!to) return to;
  if (to->port == 0 || net::is_any(*to)) {
    return Error{"--to is " + io::quote(text) + ", but must name one host and its port, such as 127.0.0.1:7700"};
  }
  return to;
}

int relay_until_done(net::BadNetwork& relay, const impair::LinkProfile& profile, const ImpairOptions& options,
                     std::optional<io::PendingFile> json) {
  const bool in_time = run(relay, options);
  const auto written = cli::write_json(options.json, std::move(json), result_of(relay, profile, options));
  if (!written) return cli::complain(written.error());
  if (options.json != "-") {
    print_way("up", relay.counts(impair::Way::up));
    print_way("down", relay.counts(impair::Way::down));
  }
  return in_time ? cli::kDone : cli::kInterrupted;
}

int impair(const ImpairOptions& options) {
  const auto profile = io::load_link_profile(options.profile);
  if (!profile) return cli::complain(profile.error());
  const auto listen = address_of("--listen", options.listen);
  if (!listen) return cli::complain(listen.error());
  const auto to = target_of(options.to);
  if (!to) return cli::complain(to.error());
  if (net::leads_to_itself(*listen, *to)) {
    return cli::complain(Error{"--listen " + io::quote(options.listen) + " and --to " + io::quote(options.to) +
                               " are the same place, but must be two"});
  }
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto relay = net::BadNetwork::open({.listen = *listen, .to = *to, .seed = options.seed}, *profile);
  if (!relay) return cli::complain(relay.error());
  cli::catch_interrupts();
  catch_blackout_signal();
  say_ready(*relay, *to, *profile, options);
  return relay_until_done(*relay, *profile, options, std::move(*json));
}

}  // namespace

int run_impair(cli::Arguments arguments) {
  ImpairOptions options;
  CLI::App app("Relays UDP datagrams between clients and one server over a bad network, in real time.", "impair");
  app.add_option("--listen", options.listen, "where clients send to, HOST:PORT; port 0 picks a free one")
      ->capture_default_str();
  app.add_option("--to", options.to, "the server on the robot's side, HOST:PORT")->required();
  app.add_option("--profile", options.profile,
                 "what the network does: a file, a bare name such as 4g, or recorded round trips (.csv, .txt, .gz)")
      ->required();
  app.add_option("--seed", options.seed, "number that all chance is drawn from")->capture_default_str();
  app.add_option("--for-s", options.for_s, "end after this time [s]; 0: with Ctrl-C")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--json", options.json, "write the counts of both ways as JSON to this file; -: standard output");
  app.footer(
      "It prints the address that it listens on when it is ready, and counts at its end. The signal USR1\n"
      "(kill -USR1 PID) starts an extra blackout of 30 s. Up is towards the server, down is back.\n"
      "\n"
      "Example:\n"
      "  forerun impair --listen 127.0.0.1:7701 --to 127.0.0.1:7700 --profile 4g --seed 7");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return impair(options);
}

}  // namespace forerun::app
