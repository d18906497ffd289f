// A bad network on a thread of its own, whose profile may change while it runs.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "forerun/net/bad_network.hpp"
#include "forerun/net/shared.hpp"

namespace forerun::net {

class BadNetworkThread {
 public:
  [[nodiscard]] static Result<std::unique_ptr<BadNetworkThread>> open(const BadNetworkOptions& options,
                                                                      impair::LinkProfile profile);
  ~BadNetworkThread();
  BadNetworkThread(const BadNetworkThread&) = delete;
  BadNetworkThread& operator=(const BadNetworkThread&) = delete;

  // For datagrams that come from now on.
  void set_profile(impair::LinkProfile profile) { wanted_.put(std::move(profile)); }
  [[nodiscard]] Address local_address() const { return network_->local_address(); }

 private:
  explicit BadNetworkThread(impair::LinkProfile profile) : profile_(std::move(profile)) {}
  void run();

  impair::LinkProfile profile_;  // the network looks into it with every datagram
  Shared<impair::LinkProfile> wanted_;
  std::unique_ptr<BadNetwork> network_;
  std::atomic<bool> quit_{false};
  std::thread thread_;
};

}  // namespace forerun::net
