#include "forerun/load/fanout.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>

#include "forerun/load/bench_process.hpp"
#include "forerun/load/fanout_watchers.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::load {
namespace {

// A sync message as watchers get it.
constexpr std::size_t kSyncSize =
    sync::kDataHeaderSize + sync::kStampSize + sync::kFrameHeaderSize + sync::kReportBodySize + sync::kTagSize;
constexpr std::uint32_t kBarePerRound = 200;  // bare datagrams after each report, for comparison

// Nobody commands this one.
class Bystander final : public sync::RobotSide {
 public:
  robot::Reply execute(const robot::Command&, const sync::CommandInfo&) noexcept override {
    return robot::refuse(robot::Refusal::not_able);
  }
  void end_hand_driving() noexcept override {}
};

// The robot's server; beside it, as many bytes with a bare system call each, for comparison.
class FanoutServer final : public LoadedServer {
 public:
  FanoutServer(const FanoutParams& params, net::RobotServer& server, FanoutBoard& board)
      : params_(params), server_(server), board_(board) {}

  void publish(const robot::Report& report) override { (void)server_.publish(report); }
  void serve_until(std::int64_t time_ns) override {
    server_.poll(std::max(0.0, to_seconds(RobotTime{time_ns} - server_.now())));
  }
  void begin() override { sent_ = server_.counts().sent; }
  void after_report() override { send_bare(); }
  void end() override { sent_ = server_.counts().sent - sent_; }

  [[nodiscard]] FanoutResult result(const LoadFigures& figures) const {
    const double cpu = figures.cpu_s - bare_cpu_;
    FanoutResult result{.watchers = params_.watchers,
                        .rate_hz = params_.rate_hz,
                        .delivered_fraction = figures.delivered_fraction,
                        .server_cpu_fraction = cpu / figures.elapsed_s,
                        .memory_per_watcher_bytes = figures.memory_per_client_bytes,
                        .datagram_cost_us = cpu / static_cast<double>(sent_) * 1e6,
                        .sendto_cost_us = bare_cpu_ / static_cast<double>(n_bare_) * 1e6};
    result.send_cost_ratio = result.datagram_cost_us / result.sendto_cost_us;
    return result;
  }

 private:
  // To the same sockets. Watchers drop them: they belong to no session.
  void send_bare() {
    std::array<std::uint8_t, kSyncSize> bytes{};
    bytes[0] = static_cast<std::uint8_t>(sync::DatagramType::data);
    const double start = cpu_time();
    for (std::uint32_t i = 0; i < kBarePerRound; ++i) {
      next_bare_ = (next_bare_ + 1) % params_.watchers;
      const sockaddr_in to = loopback(board_.ports[next_bare_]);
      sendto(bare_socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    }
    bare_cpu_ += cpu_time() - start;
    n_bare_ += kBarePerRound;
  }

  FanoutParams params_;
  net::RobotServer& server_;
  FanoutBoard& board_;
  std::uint64_t sent_ = 0;  // datagrams
  int bare_socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  double bare_cpu_ = 0;
  std::uint64_t n_bare_ = 0;
  std::uint32_t next_bare_ = 0;
};

}  // namespace

Result<FanoutResult> run_fanout(const FanoutParams& params, const LoadProgress& on_progress) {
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
  FanoutServer loaded(params, *server, *shared.get());
  const auto figures =
      run_load({"watchers", params.watchers, params.rate_hz, params.duration_s}, loaded, *shared.get(), on_progress);
  shared.get()->quit = true;
  waitpid(child, nullptr, 0);
  if (!figures) return figures.error();
  return loaded.result(*figures);
}

}  // namespace forerun::load
