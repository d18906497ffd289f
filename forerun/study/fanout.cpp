#include "forerun/study/fanout.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <string>

#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/study/bench_process.hpp"
#include "forerun/study/fanout_watchers.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::study {
namespace {

// A sync message as watchers get it.
constexpr std::size_t kSyncSize =
    sync::kDataHeaderSize + sync::kStampSize + sync::kFrameHeaderSize + sync::kReportBodySize + sync::kTagSize;
constexpr double kConnectTime = 120;          // longest [s]
constexpr std::uint32_t kBarePerRound = 200;  // bare datagrams after each report, for comparison

// Nobody commands this one.
class Bystander final : public sync::RobotSide {
 public:
  robot::Reply execute(const robot::Command&, const sync::CommandInfo&) noexcept override {
    return robot::refuse(robot::Refusal::not_able);
  }
  void end_hand_driving() noexcept override {}
};

class Fanout {
 public:
  Fanout(const FanoutParams& params, net::RobotServer& server, FanoutBoard& board, const FanoutProgress& on_progress)
      : params_(params), server_(server), board_(board), on_progress_(on_progress) {}

  Result<FanoutResult> run() {
    const double before = resident_bytes();
    if (auto connected = connect(); !connected) return connected.error();
    FanoutResult result{.watchers = params_.watchers, .rate_hz = params_.rate_hz};
    result.memory_per_watcher_bytes = std::max(0.0, resident_bytes() - before) / params_.watchers;
    if (auto measured = measure(result); !measured) return measured.error();
    return result;
  }

 private:
  static Error stopped() { return {"the benchmark was stopped", ErrorKind::impossible}; }

  void publish() {
    robot::Report report;
    report.sequence = n_published_++;
    report.time = server_.now();
    report.state.velocity.vx = 0.3;
    (void)server_.publish(report);
    next_ += from_seconds(1 / params_.rate_hz);
  }

  // Serves until the next report is due.
  void wait() { server_.poll(std::max(0.0, to_seconds(next_ - server_.now()))); }

  Result<void> connect() {
    const RobotTime start = next_ = server_.now();
    while (board_.connected < params_.watchers) {
      if (board_.failed) return Error{"a watcher's socket could not be opened", ErrorKind::impossible};
      if (to_seconds(server_.now() - start) > kConnectTime) {
        return Error{"only " + std::to_string(board_.connected) + " of " + std::to_string(params_.watchers) +
                         " watchers connected within " + std::to_string(static_cast<int>(kConnectTime)) + " s",
                     ErrorKind::impossible};
      }
      publish();
      wait();
      if (!on_progress_(board_.connected / static_cast<double>(params_.watchers) / 2)) return stopped();
    }
    return {};
  }

  Result<void> measure(FanoutResult& result) {
    const auto n_rounds = static_cast<std::uint32_t>(std::max(1.0, params_.duration_s * params_.rate_hz));
    board_.count_until = n_published_ + n_rounds;
    board_.count_from = n_published_;
    const std::uint64_t sent_before = server_.counts().sent;
    const RobotTime start = server_.now();
    const double cpu_start = cpu_time();
    for (std::uint32_t i = 0; i < n_rounds; ++i) {
      publish();
      wait();
      send_bare();
      if (!on_progress_(0.5 + 0.5 * i / n_rounds)) return stopped();
    }
    const double cpu = cpu_time() - cpu_start - bare_cpu_;
    const double elapsed = to_seconds(server_.now() - start);
    const auto sent = static_cast<double>(server_.counts().sent - sent_before);
    server_.poll(1.0);  // what is still under way

    result.delivered_fraction =
        static_cast<double>(board_.received) / (static_cast<double>(n_rounds) * params_.watchers);
    result.server_cpu_fraction = cpu / elapsed;
    result.datagram_cost_us = cpu / sent * 1e6;
    result.sendto_cost_us = bare_cpu_ / static_cast<double>(n_bare_) * 1e6;
    result.send_cost_ratio = result.datagram_cost_us / result.sendto_cost_us;
    return {};
  }

  // As many bytes to the same sockets, one system call each. Watchers drop them: they belong to no session.
  void send_bare() {
    std::array<std::uint8_t, kSyncSize> bytes{};
    bytes[0] = static_cast<std::uint8_t>(sync::DatagramType::data);
    const double start = cpu_time();
    for (std::uint32_t i = 0; i < kBarePerRound; ++i) {
      next_bare_ = (next_bare_ + 1) % params_.watchers;
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(board_.ports[next_bare_]);
      to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      sendto(bare_socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    }
    bare_cpu_ += cpu_time() - start;
    n_bare_ += kBarePerRound;
  }

  FanoutParams params_;
  net::RobotServer& server_;
  FanoutBoard& board_;
  const FanoutProgress& on_progress_;
  RobotTime next_;
  std::uint32_t n_published_ = 0;
  int bare_socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  double bare_cpu_ = 0;
  std::uint64_t n_bare_ = 0;
  std::uint32_t next_bare_ = 0;
};

}  // namespace

Result<FanoutResult> run_fanout(const FanoutParams& params, const FanoutProgress& on_progress) {
  const SharedBoard<FanoutBoard> shared;
  if (shared.get() == nullptr) return Error{"there is no memory to share", ErrorKind::impossible};
  net::SodiumCipher cipher;
  Bystander robot;
  net::RobotServer::Setup setup{.keys = sync::make_key_pair(cipher)};
  setup.params.anyone_may_watch = true;
  setup.params.max_sessions = params.watchers + 16;
  const auto listen = net::resolve("127.0.0.1:0");
  if (!listen) return listen.error();
  setup.listen = *listen;
  auto server = net::RobotServer::open(setup, robot);
  if (!server) return server.error();

  const WatchersSetup watchers{params.watchers, server->local_address(), setup.keys.open};
  const pid_t child = start_beside([&] { run_watchers(watchers, *shared.get()); });
  if (child < 0) return Error{"a second process could not be started", ErrorKind::impossible};
  auto result = Fanout(params, *server, *shared.get(), on_progress).run();
  shared.get()->quit = true;
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace forerun::study
