// The robot on a bus: repeats the newest command 50 times a second, and keeps the newest status.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "forerun/kenaf/bus.hpp"

namespace forerun::kenaf {

using Clock = std::chrono::steady_clock;

struct KnownStatus {
  Status status;
  Clock::time_point arrived;
  std::uint64_t number = 0;  // how many came before it, and itself
};

class Driver {
 public:
  // Frames of both directions are written to `log_path` in candump's form, where one is given.
  explicit Driver(std::unique_ptr<Bus> bus, const std::string& log_path = "");
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver();  // stops the robot

  // Goes out at once, and again and again from then on. Without flippers told, they stay as they are.
  void set_tracks(double left_mm, double right_mm);
  void set_flippers(const FlipperAngles& angles);

  [[nodiscard]] std::optional<KnownStatus> newest() const;
  // Waits until one comes that is newer than number `number`, or the time is up; gives the newest.
  [[nodiscard]] std::optional<KnownStatus> await_newer(std::uint64_t number, std::chrono::milliseconds time) const;
  [[nodiscard]] std::string name() const { return bus_->name(); }

 private:
  void run();
  void send();  // holds command_mutex_
  void take(const CanFrame& frame);
  void log(const CanFrame& frame);

  std::unique_ptr<Bus> bus_;

  std::mutex command_mutex_;  // for these three, and for sending
  TrackSpeeds tracks_;
  std::optional<FlipperAngles> flippers_;
  bool greeted_ = false;  // asked for a first status

  mutable std::mutex status_mutex_;  // for this one
  mutable std::condition_variable status_came_;
  std::optional<KnownStatus> newest_;

  std::mutex log_mutex_;  // for the log
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> log_{nullptr, nullptr};

  StatusGatherer gatherer_;  // of the thread alone
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace forerun::kenaf
