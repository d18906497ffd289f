// What was learned of a robot's response to its commands, and how well each way of predicting with it did (LAT-3).
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/result.hpp"
#include "forerun/respond/origin.hpp"
#include "forerun/respond/response.hpp"

namespace forerun::respond {

inline constexpr std::size_t kMostHorizons = 6;

// Ways of predicting, from the same origin. The first has the robot answer its commands as usual; the next two add what
// was learned from recordings, by weights and by a small network; then it does what it is told after a delay. Strangers
// answer as other robots do: for one that is not the robot of the recordings. Habits have it keep the deviation of
// lately: of one window, for so long; each with the pose as it was seen, and with the pose as the window has it.
enum Way : std::size_t { kUsual, kWeighed, kNetworked, kDelayed, kFirstStranger };
inline constexpr std::array<AxisResponse, 3> kStrangers{{{0, 0, 1}, {0.1, 0.2, 1}, {0.25, 0.1, 1}}};
struct Habit {
  std::size_t window = 0;  // of kWindows
  double lasts = 1;        // the deviation fades in this time [s]
};
inline constexpr std::array<Habit, 4> kHabits{{{0, 0.3}, {0, 1}, {1, 1}, {2, 3}}};
inline constexpr std::size_t kFirstHabit = kFirstStranger + kStrangers.size();
inline constexpr std::size_t kWays = kFirstHabit + 2 * kHabits.size();

// Mean squares of errors.
struct Squares {
  double place = 0;    // [m²]
  double heading = 0;  // [rad²]
};
using WaySquares = std::array<Squares, kWays>;

// What the learned residuals are made of: the expected displacement, velocities now and then, a bend, the residuals of
// before, and 1; …
inline constexpr std::size_t kInputs = 3 + 3 + 3 + 1 + 3 * kLags.size() + 1;
using Inputs = std::array<double, kInputs>;
// … and, for the network, the commands that count: means over so many parts of the time.
inline constexpr std::size_t kCommandParts = 6;
inline constexpr std::size_t kNetworkInputs = kInputs + 3 * kCommandParts;
using NetworkInputs = std::array<double, kNetworkInputs>;
inline constexpr std::size_t kNetworkUnits = 20;

// One hidden layer of sigmoid units. A row for each input, and one that is always added; then a row for each output,
// whose last weight is always added.
struct ResidualNetwork {
  std::array<std::array<double, kNetworkUnits>, kNetworkInputs + 1> in{};
  std::array<std::array<double, kNetworkUnits + 1>, 3> out{};
};

struct HorizonModel {
  double horizon = 0;                                     // [s]
  std::array<std::array<double, kInputs>, 3> residual{};  // weights for x, y and heading
  ResidualNetwork network;
  WaySquares squares{};  // of each way, on recordings that it had not learned from
};

struct Model {
  double period = 1.0 / 30;  // of the poses that it learned from [s]
  bool sideways = false;     // of a robot that drives sideways
  Response response;
  Response delays;  // the best with delays alone: commands come about in full, and at once when they do
  FixedVector<HorizonModel, kMostHorizons> horizons;  // rising

  // How far ahead it may be asked [s].
  [[nodiscard]] double longest() const noexcept { return horizons.empty() ? 0 : 1.5 * horizons.back().horizon; }
};

// Everything finite and within bounds, horizons rising.
[[nodiscard]] Result<void> check_model(const Model& model);

}  // namespace forerun::respond
