// How fast a robot can drive a given way: as fast as its limits allow everywhere, from rest to rest (DEC-7, DEC-8).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/mission/drive_limits.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::mission {

// Poses at even steps of a measure of way and turning; headings count whole turns.
struct Piece {
  std::vector<Pose2> knots;                     // at least two
  double step = 0;                              // from knot to knot
  double wait_after = 0;                        // stands at its end for this long [s]
  std::vector<std::string> actions_after = {};  // what is done there
};

// When the robot is where on a piece.
class Timing {
 public:
  // Forward and backward over the knots (after Pham and Pham 2018, TOPP-RA): speeds such that every limit holds all
  // along, and no faster ones exist on these knots.
  Timing(const Piece& piece, const robot::Drive& drive, const DriveLimits& limits);

  [[nodiscard]] double duration() const noexcept { return times_.back(); }
  struct Moment {
    Pose2 pose;
    robot::Twist velocity;
  };
  // `time` [s] after its beginning; at rest before and after.
  [[nodiscard]] Moment at(double time) const noexcept;

 private:
  // A limit of an axis: |a u + b x| ≤ c, of the acceleration u and the squared speed x along the piece.
  struct Row {
    double a = 0, b = 0, c = 0;
  };
  using Rows = FixedVector<Row, 2 * kMaxAxes>;
  struct Interval {
    double low, high;
  };
  void find_rates(const robot::Drive& drive);
  [[nodiscard]] Rows rows_at(std::size_t knot, const DriveLimits& limits) const noexcept;
  [[nodiscard]] Interval accelerations(const Rows& rows, double x, double next_most) const noexcept;
  [[nodiscard]] double fastest(std::size_t knot, const DriveLimits& limits) const noexcept;
  void find_speeds(const DriveLimits& limits);
  void find_times();

  const Piece& piece_;
  std::vector<robot::Twist> twists_;  // of the body, for each unit of way, at each knot
  std::vector<Axes> rates_;           // the same with the wheels
  std::vector<double> squares_;       // of the speed along the piece, at each knot
  std::vector<double> times_;         // at each knot [s]
};

}  // namespace forerun::mission
