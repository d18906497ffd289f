#include "forerun/mapping/line_match.hpp"

#include <algorithm>

namespace forerun::mapping {
namespace {

constexpr int kMostSteps = 25;
constexpr double kWidestScale = 0.15;     // of the robust weight at the beginning [m]
constexpr double kNarrowestScale = 0.04;  // and at the end: about three times a laser's noise [m]
constexpr double kRoughWeight = 0.15;     // of points that are on no line: the next one is not quite the same point
constexpr double kMatched = 0.08;         // nearer than this to a line is on it [m]
constexpr double kLeastNoise = 0.015;     // of a reading, with the map's own errors [m]
constexpr double kBeamsPerFact = 5;       // neighbouring beams share their errors: so many count as one
constexpr double kNormalError = 0.015;    // of a normal's components, squared
constexpr double kPrior = 1e-2;           // information that is always there, so that matrices have an inverse
// how firmly the pose is held where it was believed: along a corridor, beams would let it slide [1/m², 1/rad²]
constexpr double kHold = 0.1;
// what no match is better than, whatever its beams say: errors that all of them share
constexpr double kLeastSigma = 0.008;      // [m]
constexpr double kLeastTurnSigma = 0.002;  // [rad]

struct Sums {
  Matrix<3, 3> information{};
  Vector<3> gradient{};
  double weight = 0;
  double square_error = 0;
  int n_flat = 0;
  int n_matched = 0;
};

// A distance along a direction, and its derivatives by x, y and theta.
void add(Sums& sums, Vec2 arm, Vec2 direction, double error, double weight) {
  const Vector<3> slope{{{{direction.x}, {direction.y}, {cross(arm, direction)}}}};
  sums.information += slope * transposed(slope) * weight;
  sums.gradient += slope * (weight * error);
}

// One look at all points: flat ones by their distance from the reference's line, n·(T p − q), what stands out by where
// it is, T p − q.
Sums add_up(const SurfaceIndex& reference, std::span<const SurfacePoint> points, const Pose2& pose, double scale) {
  Sums sums;
  const Transform2 reference_from_points(pose);
  for (const SurfacePoint& point : points) {
    sums.n_flat += point.flat ? 1 : 0;
    const SurfacePoint seen = reference_from_points * point;
    const SurfacePoint* there = reference.nearest(seen);
    if (there == nullptr) continue;
    const Vec2 off = seen.at - there->at, arm = seen.at - pose.position();
    const double error = point.flat ? dot(there->normal, off) : length(off);
    const double weight = square(square(scale) / (square(scale) + square(error)));
    if (!point.flat) {
      add(sums, arm, {1, 0}, off.x, kRoughWeight * weight);
      add(sums, arm, {0, 1}, off.y, kRoughWeight * weight);
      continue;
    }
    add(sums, arm, there->normal, error, weight);
    sums.n_matched += std::fabs(error) < kMatched ? 1 : 0;
    sums.weight += weight;
    sums.square_error += weight * square(error);
  }
  return sums;
}

// What normals are wrong by makes the matrix believe that it knows something along a corridor, too: a share of what is
// known across it. That much is taken back.
void widen_weakest(Matrix<3, 3>& covariance) {
  const double half = (covariance(0, 0) + covariance(1, 1)) / 2;
  const double root = sqrt(square((covariance(0, 0) - covariance(1, 1)) / 2) + square(covariance(0, 1)));
  const double known = 1 / (half + root), spurious = kNormalError / std::max(half - root, 1e-12);
  const double extra = 1 / std::max(known - spurious, kPrior) - 1 / known;
  const Vec2 weakest = unit_vector(0.5 * atan2(2 * covariance(0, 1), covariance(0, 0) - covariance(1, 1)));
  const Vector<3> direction{{{{weakest.x}, {weakest.y}, {0}}}};
  covariance += direction * transposed(direction) * std::max(extra, 0.0);
}

// Standard deviation of the position in the direction that is known least, whatever the heading.
double weakest_direction(const Matrix<3, 3>& covariance) {
  const double half = (covariance(0, 0) + covariance(1, 1)) / 2;
  return sqrt(half + sqrt(square((covariance(0, 0) - covariance(1, 1)) / 2) + square(covariance(0, 1))));
}

void judge(const Sums& sums, LineMatch& match) {
  match.share_matched = sums.n_flat == 0 ? 0 : static_cast<double>(sums.n_matched) / sums.n_flat;
  const double noise = std::max(square(kLeastNoise), sums.weight > 0 ? sums.square_error / sums.weight : 0.0);
  Matrix<3, 3> information = sums.information / (noise * kBeamsPerFact) + identity<3>() * kPrior;
  const auto covariance = inverse_symmetric(information);
  if (!covariance) return;
  Matrix<3, 3> honest = *covariance;
  widen_weakest(honest);
  for (std::size_t i = 0; i < 3; ++i) honest(i, i) += square(i == 2 ? kLeastTurnSigma : kLeastSigma);
  match.weakest_sigma = weakest_direction(honest);
  match.information = inverse_symmetric(honest).value_or(identity<3>() * kPrior);
}

}  // namespace

LineMatch match_to_lines(const SurfaceIndex& reference, std::span<const SurfacePoint> points, const Pose2& start) {
  LineMatch match;
  Pose2 pose = start;
  double scale = kWidestScale;
  for (int step = 0; step < kMostSteps && !match.converged; ++step) {
    const Sums sums = add_up(reference, points, pose, scale);
    const Vector<3> off{{{{pose.x - start.x}, {pose.y - start.y}, {normalize_angle(pose.theta - start.theta)}}}};
    const auto change = solve_symmetric(sums.information + identity<3>() * kHold, sums.gradient + off * kHold);
    if (!change) break;
    pose = {pose.x - (*change)[0], pose.y - (*change)[1], normalize_angle(pose.theta - (*change)[2])};
    const bool still = std::fabs((*change)[0]) + std::fabs((*change)[1]) < 5e-4 && std::fabs((*change)[2]) < 5e-4;
    match.converged = still && scale <= kNarrowestScale;
    scale = std::max(kNarrowestScale, scale * 0.7);
  }
  match.reference_from_points = pose;
  judge(add_up(reference, points, pose, kNarrowestScale), match);
  return match;
}

}  // namespace forerun::mapping
