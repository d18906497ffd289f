// The demo's robot and its bad network, each on a thread of its own, with real datagrams between them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "forerun/net/bad_network.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/serve/obedience.hpp"
#include "forerun/serve/touring_robot.hpp"
#include "forerun/web/page_sink.hpp"

namespace forerun::app {

// Settings on their way to another thread.
class SharedSettings {
 public:
  explicit SharedSettings(web::DemoSettings settings) : settings_(std::move(settings)) {}
  void set(const web::DemoSettings& settings) {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
  }
  [[nodiscard]] web::DemoSettings get() const {
    const std::lock_guard lock(mutex_);
    return settings_;
  }

 private:
  mutable std::mutex mutex_;
  web::DemoSettings settings_;
};

struct DemoRobotSetup {
  const sim::Setting& inputs;
  const SharedSettings& settings;
  std::uint64_t seed = 1;
  sync::KeyPair keys;
  sync::Key operator_key{};
};

class DemoRobot {
 public:
  // Listens when it is open, and drives once it is started. What `setup` refers to must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<DemoRobot>> open(const DemoRobotSetup& setup);
  ~DemoRobot();
  DemoRobot(const DemoRobot&) = delete;
  DemoRobot& operator=(const DemoRobot&) = delete;

  // Where it truly is goes straight to `page`, which must outlive it.
  void start(web::PageSink& page);
  [[nodiscard]] net::Address address() const { return server_->local_address(); }

 private:
  DemoRobot(const DemoRobotSetup& setup, std::unique_ptr<serve::TouringRobot> robot);
  void run(web::PageSink& page);
  void publish(const web::DemoSettings& settings);

  const SharedSettings& settings_;
  std::unique_ptr<serve::TouringRobot> robot_;
  std::unique_ptr<net::RobotServer> server_;
  std::string reality_;
  std::uint64_t model_ = 0;
  std::uint32_t sequence_ = 0;
  RobotTime reported_;
  serve::Obedience obedience_;
  std::atomic<bool> quit_{false};
  std::thread thread_;
};

class DemoLink {
 public:
  [[nodiscard]] static Result<std::unique_ptr<DemoLink>> open(const net::Address& robot, const SharedSettings& settings,
                                                              std::uint64_t seed);
  ~DemoLink();
  DemoLink(const DemoLink&) = delete;
  DemoLink& operator=(const DemoLink&) = delete;

  [[nodiscard]] net::Address address() const { return relay_->local_address(); }

 private:
  explicit DemoLink(const SharedSettings& settings) : settings_(settings) {}
  void run();

  const SharedSettings& settings_;
  impair::LinkProfile profile_;  // the relay looks into it with every datagram
  std::unique_ptr<net::BadNetwork> relay_;
  std::atomic<bool> quit_{false};
  std::thread thread_;
};

}  // namespace forerun::app
