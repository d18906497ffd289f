#include "forerun/net/bad_network_thread.hpp"

namespace forerun::net {
namespace {

constexpr Duration kLongestTurn = from_seconds(0.05);

}  // namespace

Result<std::unique_ptr<BadNetworkThread>> BadNetworkThread::open(const BadNetworkOptions& options,
                                                                 impair::LinkProfile profile) {
  std::unique_ptr<BadNetworkThread> thread(new BadNetworkThread(std::move(profile)));
  auto network = BadNetwork::open(options, thread->profile_);
  if (!network) return network.error();
  thread->network_ = std::make_unique<BadNetwork>(std::move(*network));
  thread->thread_ = std::thread([raw = thread.get()] { raw->run(); });
  return thread;
}

BadNetworkThread::~BadNetworkThread() {
  quit_ = true;
  if (thread_.joinable()) thread_.join();
}

void BadNetworkThread::run() {
  while (!quit_) {
    if (auto wanted = wanted_.take()) profile_ = std::move(*wanted);
    network_->turn(kLongestTurn);
  }
}

}  // namespace forerun::net
