// One drive as an operator would have followed it over a bad link: what was true, and what each method said (PSS-14 a
// to c).
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/learn/drive.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/predict/shown.hpp"

namespace forerun::study {

// One moment, with everything that was said of it.
struct TrackPoint {
  double time = 0;  // [s]
  double gap = 0;   // since the newest message [s]
  Pose2 truth;
  Pose2 extrapolation;  // at the velocities of the newest message
  Pose2 prediction;
  predict::Region likely;  // there with 95 %, by the predictor's own account
};

// What the operator's screen shows.
struct ShownPoint {
  double time = 0;
  Pose2 pose;
  double presence = 1;
};

// From a message that arrived to the next one. Its last point is what was believed just before that one.
struct Piece {
  std::vector<TrackPoint> points;
};

struct Trajectories {
  std::vector<Piece> pieces;      // thinned for drawing
  std::vector<ShownPoint> shown;  // likewise
  std::size_t n_sent = 0;         // messages
  std::size_t n_received = 0;
  double longest_gap_s = 0;
  double max_shown_step_m = 0;  // between two frames, of all frames in which it does not fade over
  int n_frames = 0;
  int n_fades = 0;           // times that what is shown went elsewhere, invisibly
  double driving_speed = 0;  // mean, while it moves [m/s]
  // corrections at messages, by which the bare estimates jump
  double extrapolation_jump_m = 0;  // the largest
  double prediction_jump_m = 0;
  int n_extrapolation_jumps = 0;  // of more than a metre
  int n_prediction_jumps = 0;
};

inline constexpr double kFrameRate = 60;  // of the operator's screen [1/s]

// The whole drive, with each message lost with the probability `loss`. Nothing of the truth goes into an estimate.
[[nodiscard]] Trajectories follow(const learn::Drive& drive, const predict::ReplicaModel& model, double loss,
                                  std::uint64_t seed, const predict::ShownParams& shown = {});

// With which message the gap begins.
enum class GapStart {
  before_leaving,  // the last one before the robot leaves its first goal: it still stands
  after_leaving,   // the first one from then on at a speed worth the name, as in the papers
};

// A replay in which nothing arrives for a while.
struct Gap {
  std::vector<TrackPoint> points;  // empty: the drive is too short for any
  bool at_goal = false;            // as asked; else the drive never waits, and this is where the methods differ most
  GapStart start = GapStart::before_leaving;
};

inline constexpr double kPaperGap = 12.5;  // [s]

[[nodiscard]] Gap room_gap(const learn::Drive& drive, const predict::ReplicaModel& model,
                           GapStart start = GapStart::before_leaving, double length_s = kPaperGap);

// The point nearest to this gap; there must be one.
[[nodiscard]] const TrackPoint& at_gap(const Gap& gap, double gap_s);

}  // namespace forerun::study
