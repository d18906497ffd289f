#include "forerun/load/load_run.hpp"

#include <algorithm>
#include <string>

#include "forerun/load/bench_process.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::load {
namespace {

constexpr double kConnectTime = 120;  // longest [s]

double seconds_since(std::int64_t start_ns) { return static_cast<double>(net::read_steady_time() - start_ns) * 1e-9; }

class LoadRun {
 public:
  LoadRun(const LoadPlan& plan, LoadedServer& server, LoadBoard& board, const LoadProgress& on_progress)
      : plan_(plan), server_(server), board_(board), on_progress_(on_progress) {}

  Result<LoadFigures> run() {
    const double before = resident_bytes();
    if (auto connected = connect(); !connected) return connected.error();
    LoadFigures figures{.memory_per_client_bytes = std::max(0.0, resident_bytes() - before) / plan_.clients};
    if (auto measured = measure(figures); !measured) return measured.error();
    return figures;
  }

 private:
  static Error stopped() { return {"the benchmark was stopped", ErrorKind::impossible}; }

  // One report, and what else comes until the next is due.
  void publish() {
    robot::Report report;
    report.sequence = n_published_++;
    report.time = {net::read_steady_time()};
    report.state.velocity.vx = 0.3;
    server_.publish(report);
    next_ns_ += from_seconds(1 / plan_.rate_hz).ns;
    server_.serve_until(next_ns_);
  }

  Result<void> connect() {
    const std::int64_t start = next_ns_ = net::read_steady_time();
    const std::string clients = plan_.clients_name;
    while (board_.connected < plan_.clients) {
      if (board_.failed) return Error{"one of the " + clients + " could not connect", ErrorKind::impossible};
      if (seconds_since(start) > kConnectTime) {
        return Error{"only " + std::to_string(board_.connected) + " of " + std::to_string(plan_.clients) + " " +
                         clients + " connected within " + std::to_string(static_cast<int>(kConnectTime)) + " s",
                     ErrorKind::impossible};
      }
      publish();
      if (!on_progress_(board_.connected / static_cast<double>(plan_.clients) / 2)) return stopped();
    }
    return {};
  }

  Result<void> measure(LoadFigures& figures) {
    const auto n_rounds = static_cast<std::uint32_t>(std::max(1.0, plan_.duration_s * plan_.rate_hz));
    board_.count_until = n_published_ + n_rounds;
    board_.count_from = n_published_;
    server_.begin();
    const std::int64_t start = net::read_steady_time();
    const double cpu_start = cpu_time();
    for (std::uint32_t i = 0; i < n_rounds; ++i) {
      publish();
      server_.after_report();
      if (!on_progress_(0.5 + 0.5 * i / n_rounds)) return stopped();
    }
    figures.cpu_s = cpu_time() - cpu_start;
    figures.elapsed_s = seconds_since(start);
    server_.end();
    server_.serve_until(net::read_steady_time() + from_seconds(1).ns);
    figures.delivered_fraction = static_cast<double>(board_.received) / (static_cast<double>(n_rounds) * plan_.clients);
    return {};
  }

  LoadPlan plan_;
  LoadedServer& server_;
  LoadBoard& board_;
  const LoadProgress& on_progress_;
  std::int64_t next_ns_ = 0;
  std::uint32_t n_published_ = 0;
};

}  // namespace

Result<LoadFigures> run_load(const LoadPlan& plan, LoadedServer& server, LoadBoard& board,
                             const LoadProgress& on_progress) {
  return LoadRun(plan, server, board, on_progress).run();
}

}  // namespace forerun::load
