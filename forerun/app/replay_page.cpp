#include "forerun/app/replay_page.hpp"

#include <array>
#include <cstdio>

#include "forerun/cli/terminal.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/watch/replay.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::app {
namespace {

constexpr double kTurn = 0.04;  // [s]

// What the browsers ask for; of several wishes for a place only the last one matters.
void hear_browsers(web::WebServer& web, web::PageHub& hub, watch::Replay& replay) {
  web::ReplayWish all;
  bool any = false;
  for (const web::WebEvent& event : web.take_events()) {
    if (event.kind == web::WebEvent::Kind::joined) hub.welcome(event.browser);
    if (event.kind != web::WebEvent::Kind::said) continue;
    const auto wish = web::parse_page_wish(event.text, {});
    if (!wish || !wish->replay) {
      hub.refuse(event.browser, wish ? "this is a recording: nothing in it can be changed" : wish.error().message);
      continue;
    }
    any = true;
    if (wish->replay->at_s) all.at_s = wish->replay->at_s;
    if (wish->replay->pace) all.pace = wish->replay->pace;
    if (wish->replay->paused) all.paused = wish->replay->paused;
  }
  if (any) replay.take(all, net::read_steady_time());
}

}  // namespace

int show_replay(const std::string& path, const PageOptions& options, double duration) {
  auto replay = watch::Replay::open(path);
  if (!replay) return cli::complain(replay.error());
  if (replay->cut_off()) {
    std::fprintf(stderr, "forerun: %s was cut off: its first %.1f s are whole, and are shown\n", path.c_str(),
                 replay->state().duration_s);
  }
  auto web = open_local_page(options);
  if (!web) return cli::complain(web.error());
  web::PageHub hub(*web, web::PageMode::replay, FORERUN_VERSION, replay->n_robots());
  cli::catch_interrupts();
  const std::int64_t start = net::read_steady_time();
  replay->start(hub, start);
  announce_page(*web, options.open_browser);
  bool complained = false;
  const std::array<int, 1> pages{web->descriptor()};
  while (!cli::interrupted()) {
    (void)net::wait_readable(pages, kTurn);
    hear_browsers(*web, hub, *replay);
    const std::int64_t now = net::read_steady_time();
    replay->turn(now);
    if (!complained && !replay->problem().empty()) {
      complained = true;
      std::fprintf(stderr, "forerun: %s; such messages are left out\n", replay->problem().c_str());
    }
    if (duration > 0 && static_cast<double>(now - start) * 1e-9 >= duration) return cli::kDone;
  }
  return cli::kInterrupted;
}

}  // namespace forerun::app
