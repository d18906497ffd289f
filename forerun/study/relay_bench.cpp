#include "forerun/study/relay_bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "forerun/net/resolve.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/study/bench_browsers.hpp"
#include "forerun/study/bench_process.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::study {
namespace {

constexpr double kConnectTime = 120;  // longest [s]
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

class RelayBench {
 public:
  RelayBench(const RelayBenchParams& params, web::WebServer& web, BrowserBoard& board,
             const RelayBenchProgress& on_progress)
      : params_(params),
        web_(web),
        hub_(web, web::PageMode::watch, "bench", 1),
        board_(board),
        on_progress_(on_progress),
        pages_{web.descriptor()} {}

  Result<RelayBenchResult> run() {
    const double before = resident_bytes();
    if (auto connected = connect(); !connected) return connected.error();
    RelayBenchResult result{.browsers = params_.browsers, .rate_hz = params_.rate_hz};
    result.memory_per_browser_kib = std::max(0.0, resident_bytes() - before) / params_.browsers / 1024;
    if (auto measured = measure(result); !measured) return measured.error();
    return result;
  }

 private:
  static Error stopped() { return {"the benchmark was stopped", ErrorKind::impossible}; }

  void publish() {
    robot::Report report;
    report.sequence = n_published_++;
    report.time = {net::read_steady_time()};
    report.state.velocity.vx = 0.3;
    hub_.report(kRobot, {report, *sync::encode_report(report)}, report.time);
    next_ns_ += from_seconds(1 / params_.rate_hz).ns;
  }

  // Welcomes browsers until the next report is due.
  void wait() {
    while (true) {
      const double left = static_cast<double>(next_ns_ - net::read_steady_time()) * 1e-9;
      if (left <= 0) return;
      if (!net::wait_readable(pages_, left)) continue;
      for (const web::WebEvent& event : web_.take_events()) {
        if (event.kind == web::WebEvent::Kind::joined) hub_.welcome(event.browser);
      }
    }
  }

  Result<void> connect() {
    const std::int64_t start = next_ns_ = net::read_steady_time();
    while (board_.connected < params_.browsers) {
      if (board_.failed) return Error{"a browser could not connect", ErrorKind::impossible};
      if (static_cast<double>(next_ns_ - start) * 1e-9 > kConnectTime) {
        return Error{"only " + std::to_string(board_.connected) + " of " + std::to_string(params_.browsers) +
                         " browsers connected within " + std::to_string(static_cast<int>(kConnectTime)) + " s",
                     ErrorKind::impossible};
      }
      publish();
      wait();
      if (!on_progress_(board_.connected / static_cast<double>(params_.browsers) / 2)) return stopped();
    }
    return {};
  }

  Result<void> measure(RelayBenchResult& result) {
    const auto n_rounds = static_cast<std::uint32_t>(std::max(1.0, params_.duration_s * params_.rate_hz));
    board_.count_until = n_published_ + n_rounds;
    board_.count_from = n_published_;
    const std::int64_t start = net::read_steady_time();
    const double cpu_start = cpu_time();
    for (std::uint32_t i = 0; i < n_rounds; ++i) {
      publish();
      wait();
      if (!on_progress_(0.5 + 0.5 * i / n_rounds)) return stopped();
    }
    const double elapsed = static_cast<double>(net::read_steady_time() - start) * 1e-9;
    result.server_cpu_fraction = (cpu_time() - cpu_start) / elapsed;
    // what is still under way
    next_ns_ = net::read_steady_time() + from_seconds(1).ns;
    wait();
    result.delivered_fraction =
        static_cast<double>(board_.received) / (static_cast<double>(n_rounds) * params_.browsers);
    result.latency_ms_p50 = latency_ms(board_, 0.5);
    result.latency_ms_p99 = latency_ms(board_, 0.99);
    result.latency_ms_max = static_cast<double>(board_.longest_ns.load()) * 1e-6;
    return {};
  }

  RelayBenchParams params_;
  web::WebServer& web_;
  web::PageHub hub_;
  BrowserBoard& board_;
  const RelayBenchProgress& on_progress_;
  std::array<int, 1> pages_;
  std::int64_t next_ns_ = 0;
  std::uint32_t n_published_ = 0;
};

}  // namespace

Result<RelayBenchResult> run_relay_bench(const RelayBenchParams& params, const RelayBenchProgress& on_progress) {
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
      web ? RelayBench(params, *web, *board, on_progress).run() : Result<RelayBenchResult>(web.error());
  board->quit = true;
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace forerun::study
