#include "forerun/learn/timed_moves.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::learn {
namespace {

constexpr double kLongestDelay = 1.0;  // that is looked for, to both sides [s]
constexpr double kDelayStep = 0.02;    // [s]
constexpr double kFinest = 1e-3;       // [s]
constexpr double kClearlyLess = 0.8;   // of the squared error without a delay
constexpr double kMostTurn = 1.0;      // of joined moves: far from where headings begin anew [rad]
constexpr double kLeastShare = 0.5;    // of the moves that must lie between ticks
constexpr double kLeastTurning = 0.3;  // the root of summed squared turns that shows a delay [rad]

// How far the robot has turned by its wheels, over time.
struct TurnedBy {
  std::vector<double> times, turned;

  [[nodiscard]] std::optional<double> at(double time) const {
    const auto next = std::upper_bound(times.begin(), times.end(), time);
    if (next == times.begin() || next == times.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(next - times.begin());
    const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
    return turned[i - 1] + share * (turned[i] - turned[i - 1]);
  }
};

std::vector<TurnedBy> add_up_turns(const CalibrationDrive& wheels, const robot::DifferentialGeometry& nominal) {
  std::vector<TurnedBy> all;
  for (const CalibrationStretch& stretch : wheels.stretches) {
    TurnedBy& sums = all.emplace_back();
    double turned = 0;
    for (std::size_t i = 0; i < stretch.size(); ++i) {
      if (i > 0) turned += estimate::arc_of(nominal, stretch[i].turns).turned;
      sums.times.push_back(stretch[i].time);
      sums.turned.push_back(turned);
    }
  }
  return all;
}

// The squared error of the turns, as a share of the turns themselves; wheels of other sizes turn the robot by a factor
// more or less. None where too little lies between ticks, or turns.
std::optional<double> turning_error(std::span<const TurnedBy> wheels, std::span<const TimedMove> moves, double delay) {
  double seen_squares = 0, wheel_squares = 0, together = 0;
  std::size_t n = 0;
  for (const TimedMove& move : moves) {
    for (const TurnedBy& stretch : wheels) {
      const auto before = stretch.at(move.from - delay), after = stretch.at(move.to - delay);
      if (!before || !after) continue;
      const double turn = *after - *before;
      seen_squares += square(move.moved.theta);
      wheel_squares += square(turn);
      together += turn * move.moved.theta;
      ++n;
    }
  }
  if (static_cast<double>(n) < kLeastShare * static_cast<double>(moves.size())) return std::nullopt;
  if (std::min(seen_squares, wheel_squares) < square(kLeastTurning)) return std::nullopt;
  return 1 - square(std::max(together, 0.0)) / (wheel_squares * seen_squares);
}

}  // namespace

double find_delay(const CalibrationDrive& wheels, const robot::DifferentialGeometry& nominal,
                  std::span<const TimedMove> moves) {
  const std::vector<TurnedBy> turns = add_up_turns(wheels, nominal);
  const auto error = [&](double delay) { return turning_error(turns, moves, delay).value_or(kInfinity); };
  double best = 0, least = error(0);
  const double without = least;
  const auto try_around = [&](double middle, double reach, double step) {
    for (double delay = middle - reach; delay <= middle + reach; delay += step) {
      const double tried = error(delay);
      if (tried >= least) continue;
      least = tried;
      best = delay;
    }
  };
  try_around(0, kLongestDelay, kDelayStep);
  try_around(best, kDelayStep, kFinest);
  return least < kClearlyLess * without ? best : 0;
}

std::vector<TimedMove> join_moves(std::span<const TimedMove> moves, double spacing_s) {
  std::vector<TimedMove> joined;
  bool open = false;
  for (const TimedMove& move : moves) {
    if (open && joined.back().to == move.from) {
      joined.back().to = move.to;
      joined.back().moved = joined.back().moved * move.moved;
    } else {
      joined.push_back(move);
    }
    const TimedMove& last = joined.back();
    open = last.to - last.from < spacing_s && std::fabs(last.moved.theta) < kMostTurn;
  }
  return joined;
}

namespace {

// The row of this very time; the number of rows where there is none.
std::size_t row_at(const CalibrationStretch& stretch, double time) {
  const auto row = std::lower_bound(stretch.begin(), stretch.end(), time,
                                    [](const CalibrationRow& earlier, double t) { return earlier.time < t; });
  const bool found = row != stretch.end() && row->time == time;
  return found ? static_cast<std::size_t>(row - stretch.begin()) : stretch.size();
}

}  // namespace

Result<CalibrationDrive> make_moved_drive(const io::DriveLog& log, const std::string& file,
                                          const CalibrationRobot& robot, std::span<const TimedMove> moves,
                                          double delay) {
  std::vector<double> times;
  for (const TimedMove& move : moves) {
    for (const double time : {move.from - delay, move.to - delay}) {
      if (times.empty() || time > times.back()) times.push_back(time);
    }
  }
  auto drive = make_wheel_drive(log, file, robot, times);
  if (!drive) return drive.error();
  for (CalibrationStretch& stretch : drive->stretches) {
    for (const TimedMove& move : moves) {
      const std::size_t from = row_at(stretch, move.from - delay), to = row_at(stretch, move.to - delay);
      if (from == stretch.size() || to == stretch.size()) continue;
      stretch[to].displacement = move.moved;
      stretch[to].n_spanned = to - from;
    }
  }
  return drive;
}

}  // namespace forerun::learn
