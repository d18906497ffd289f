// Where the robot's frames come from and go to.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "forerun/kenaf/can_frames.hpp"

namespace forerun::kenaf {

class Bus {
 public:
  virtual ~Bus() = default;

  // Goes out at once, or is lost, as on any network. One thread at a time.
  virtual void send(std::span<const CanFrame> frames) = 0;
  // What has arrived, appended, without waiting. One thread at a time, beside one that sends.
  virtual void receive(std::vector<CanFrame>& frames) = 0;
  [[nodiscard]] virtual int descriptor() const noexcept = 0;  // to wait for what arrives
  [[nodiscard]] virtual std::string name() const = 0;         // for people, and for logs
};

// A bus, or the sentence why there is none.
struct OpenedBus {
  std::unique_ptr<Bus> bus;
  std::string error;
};

// The one that this library was built for, where the environment says. The libraries differ in this function alone.
[[nodiscard]] OpenedBus open_bus();

// What is in the environment under this name, or `otherwise`.
[[nodiscard]] std::string read_setting(const char* name, const char* otherwise);

}  // namespace forerun::kenaf
