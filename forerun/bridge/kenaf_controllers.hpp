// Who may drive the robot, and who hears of it: datagrams of controllers in, commands out. Without sockets and clocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/kenaf/datagram.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::bridge {

class KenafControllers {
 public:
  static constexpr std::size_t kMost = 8;     // at a time
  static constexpr double kRemembered_s = 2;  // after the last datagram
  static constexpr double kHasTheWheel_s =
      kenaf::kWatchdog_s;  // after its last command a controller keeps the others out

  enum class Verdict { taken, nonsense, old, not_its_turn, too_many };
  static constexpr std::array<const char*, 5> kVerdicts{"taken", "nonsense", "old", "not_its_turn", "too_many"};
  struct Heard {
    Verdict verdict = Verdict::nonsense;
    std::optional<kenaf::TrackSpeeds> tracks;
    std::optional<kenaf::FlipperAngles> flippers;
    bool asks = false;  // for a status
  };
  // `now_s` never goes back.
  [[nodiscard]] Heard hear(std::span<const std::uint8_t> bytes, const sync::Address& from, double now_s);
  // All that are to hear of new statuses.
  [[nodiscard]] std::vector<sync::Address> listeners(double now_s) const;

 private:
  struct Controller {
    sync::Address address;
    std::optional<std::uint32_t> session;
    std::uint32_t sequence = 0;
    double heard_s = 0, commanded_s = -1e9;
  };
  // Nothing: no room for one more.
  [[nodiscard]] Controller* find(const sync::Address& from, double now_s);
  [[nodiscard]] bool another_drives(const Controller& one, double now_s) const;

  std::vector<Controller> controllers_;
};

}  // namespace forerun::bridge
