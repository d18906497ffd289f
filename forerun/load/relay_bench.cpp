#include "forerun/load/relay_bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "forerun/load/bench_browsers.hpp"
#include "forerun/load/bench_process.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::load {
namespace {

constexpr std::uint32_t kRobot = 1;

double latency_ms(const BrowserBoard& board, double share) {
  const double wanted = share * static_cast<double>(board.received.load());
  double seen = 0;
  for (std::size_t i = 0; i < kLatencyBins; ++i) {
    seen += board.latency[i];
    if (seen >= wanted && seen > 0) return static_cast<double>(i + 1) * kLatencyBin * 1e3;
  }
  return static_cast<double>(kLatencyBins) * kLatencyBin * 1e3;
}

class RelayServer final : public LoadedServer {
 public:
  explicit RelayServer(web::WebServer& web)
      : web_(web), hub_(web, web::PageMode::watch, "bench", 1), pages_{web.descriptor()} {}

  void publish(const robot::Report& report) override {
    hub_.report(kRobot, {report, *sync::encode_report(report)}, report.time);
  }
  void serve_until(std::int64_t time_ns) override {
    while (true) {
      const double left = static_cast<double>(time_ns - net::read_steady_time()) * 1e-9;
      if (left <= 0) return;
      if (!net::wait_readable(pages_, left)) continue;
      for (const web::WebEvent& event : web_.take_events()) {
        if (event.kind == web::WebEvent::Kind::joined) hub_.welcome(event.browser);
      }
    }
  }

 private:
  web::WebServer& web_;
  web::PageHub hub_;
  std::array<int, 1> pages_;
};

Result<RelayBenchResult> measure(const RelayBenchParams& params, web::WebServer& web, BrowserBoard& board,
                                 const LoadProgress& on_progress) {
  RelayServer loaded(web);
  const auto figures =
      run_load({"browsers", params.browsers, params.rate_hz, params.duration_s}, loaded, board, on_progress);
  if (!figures) return figures.error();
  return RelayBenchResult{.browsers = params.browsers,
                          .rate_hz = params.rate_hz,
                          .delivered_fraction = figures->delivered_fraction,
                          .server_cpu_fraction = figures->cpu_s / figures->elapsed_s,
                          .latency_ms_p50 = latency_ms(board, 0.5),
                          .latency_ms_p99 = latency_ms(board, 0.99),
                          .latency_ms_max = static_cast<double>(board.longest_ns.load()) * 1e-6,
                          .memory_per_browser_kib = figures->memory_per_client_bytes / 1024};
}

}  // namespace

Result<RelayBenchResult> run_relay_bench(const RelayBenchParams& params, const LoadProgress& on_progress) {
  const SharedBoard<BrowserBoard> shared;
  BrowserBoard* const board = shared.get();
  if (board == nullptr) return Error{"there is no memory to share", ErrorKind::impossible};
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  // a process with threads cannot be forked: the browsers are told the port when it is known
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) return Error{"a pipe could not be made", ErrorKind::impossible};
  const pid_t child = start_beside([&] {
    BrowsersSetup browsers{.count = params.browsers};
    close(pipe_ends[1]);
    if (read(pipe_ends[0], &browsers.port, sizeof browsers.port) == sizeof browsers.port) {
      run_browsers(browsers, *board);
    }
  });
  close(pipe_ends[0]);
  if (child < 0) {
    close(pipe_ends[1]);
    return Error{"a second process could not be started", ErrorKind::impossible};
  }
  web::WebSetup setup{.listen = *listen, .limits = {}};
  setup.limits.connections = params.browsers + 16;
  auto web = web::WebServer::open(setup);
  std::uint16_t port = web ? web->local_address().port : 0;
  if (web) (void)!write(pipe_ends[1], &port, sizeof port);
  close(pipe_ends[1]);
  Result<RelayBenchResult> result =
      web ? measure(params, *web, *board, on_progress) : Result<RelayBenchResult>(web.error());
  board->quit = true;
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace forerun::load
