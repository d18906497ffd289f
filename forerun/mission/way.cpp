#include "forerun/mission/way.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace forerun::mission {
namespace {

constexpr double kSamePlace = 0.001;    // [m]
constexpr double kSameHeading = 0.005;  // [rad]
constexpr double kStillMove = 1e-4;     // a standing robot moves less than this between two points [m], …
constexpr double kStillTurn = 1e-3;     // … and turns less than this [rad]
constexpr double kOnTheSpot = 0.02;     // who turns on the spot moves less than this a radian [m]
constexpr double kRealTurn = 0.2;       // turns on the spot of less than this are part of the drive [rad]
constexpr double kBlend = 8;            // a joint is rounded over this many times its gap, …
constexpr double kBlendTurn = 0.4;      // … and this far for each radian [m]
constexpr double kBlendStep = 0.01;     // between points of the rounding [m]

// A pose of the way, and what happens after it.
struct Place {
  Pose2 pose;          // heading with whole turns
  double wait = 0;     // stands here for this long [s]
  bool rests = false;  // comes to rest here
  bool joint = false;  // something was left out between this and the next
  std::vector<std::string> actions = {};
};
using Places = std::vector<Place>;

double unwrapped(double heading, double near) noexcept { return near + normalize_angle(heading - near); }

bool stands(const Pose2& a, const Pose2& b) noexcept {
  return distance(a.position(), b.position()) < kStillMove && std::fabs(b.theta - a.theta) < kStillTurn;
}

// Points at the same pose become one, with the time that was stood there.
Places places_of(const TrimmedPath& path, double shortest_wait) {
  Places places;
  std::size_t next_joint = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    Place place{.pose = path.points[i].pose};
    if (places.empty()) {
      places.push_back(place);
    } else {
      place.pose.theta = unwrapped(place.pose.theta, places.back().pose.theta);
      const bool joined = places.back().joint;
      if (!joined && stands(places.back().pose, place.pose)) {
        places.back().wait += path.points[i].time - path.points[i - 1].time;
      } else {
        places.push_back(place);
      }
    }
    if (!path.points[i].action.empty()) places.back().actions.push_back(path.points[i].action);
    if (next_joint < path.joints.size() && path.joints[next_joint] == i) {
      places.back().joint = true;
      ++next_joint;
    }
  }
  for (Place& place : places) {
    if (place.wait < shortest_wait) place.wait = 0;
    if (place.wait > 0 || !place.actions.empty()) place.rests = true;
  }
  return places;
}

// 1: drives forward from a to b, −1: backward, 0: turns on the spot or stands.
int direction(const Pose2& a, const Pose2& b) noexcept {
  const Vec2 moved = b.position() - a.position();
  if (length(moved) < std::max(kStillMove, kOnTheSpot * std::fabs(b.theta - a.theta))) return 0;
  return dot(moved, unit_vector(0.5 * (a.theta + b.theta))) >= 0 ? 1 : -1;
}

// How far one can go from a joint, back or on, driving the same way all along: at most `far` [m].
std::size_t reach_along(const Places& places, std::size_t from, int step, double far, int sign) noexcept {
  std::size_t at = from;
  double gone = 0;
  while (gone < far) {
    if (step < 0 ? at == 0 : at + 1 == places.size()) break;
    const std::size_t next = step < 0 ? at - 1 : at + 1;
    const Place& earlier = places[std::min(at, next)];
    const Place& later = places[std::max(at, next)];
    if (earlier.joint || earlier.rests || direction(earlier.pose, later.pose) != sign) break;
    gone += distance(earlier.pose.position(), later.pose.position());
    at = next;
  }
  return at;
}

// Hermite's cubic from one pose to another, driven forward (1) or backward (−1).
Places rounded(const Pose2& from, const Pose2& to, int sign) {
  const double chord = distance(from.position(), to.position());
  const Vec2 d0 = unit_vector(from.theta) * (sign * chord), d1 = unit_vector(to.theta) * (sign * chord);
  const int n = std::max(2, static_cast<int>(std::ceil(chord / kBlendStep)));
  Places places;
  double heading = from.theta;
  for (int i = 1; i < n; ++i) {
    const double t = static_cast<double>(i) / n, t2 = t * t, t3 = t2 * t;
    const Vec2 p = from.position() * (2 * t3 - 3 * t2 + 1) + d0 * (t3 - 2 * t2 + t) +
                   to.position() * (3 * t2 - 2 * t3) + d1 * (t3 - t2);
    const Vec2 slope = from.position() * (6 * t2 - 6 * t) + d0 * (3 * t2 - 4 * t + 1) +
                       to.position() * (6 * t - 6 * t2) + d1 * (3 * t2 - 2 * t);
    heading = unwrapped(angle_of(slope * sign), heading);
    places.push_back({.pose = {p.x, p.y, heading}});
  }
  return places;
}

// Stops, turns to where the path goes on, drives there and turns again.
Places bridged(const Pose2& from, const Pose2& to) {
  Places places;
  const Vec2 gap = to.position() - from.position();
  if (length(gap) < kSamePlace) return places;
  double heading = unwrapped(angle_of(gap), from.theta);
  if (std::fabs(heading - from.theta) > kPi / 2) heading += heading > from.theta ? -kPi : kPi;  // backward
  places.push_back({.pose = {from.x, from.y, heading}, .rests = true});
  places.push_back({.pose = {to.x, to.y, heading}, .rests = true});
  return places;
}

// Closes one joint: `places[joint]` and the next one come together.
void close_joint(Places& places, std::size_t joint, double rounded_rad) {
  places[joint].joint = false;
  const Pose2 before = places[joint].pose, after = places[joint + 1].pose;
  const double gap = distance(before.position(), after.position());
  const double turn = std::fabs(normalize_angle(after.theta - before.theta));
  if (gap < kSamePlace && turn < kSameHeading) return;
  const int sign = joint > 0 ? direction(places[joint - 1].pose, before) : 0;
  const double far = kBlend * gap + kBlendTurn * turn;
  const std::size_t a = reach_along(places, joint, -1, far, sign), b = reach_along(places, joint + 1, 1, far, sign);
  const Vec2 chord = places[b].pose.position() - places[a].pose.position();
  const double ahead = dot(chord, unit_vector(places[a].pose.theta)) * sign;
  const bool acts = !places[joint].actions.empty() || !places[joint + 1].actions.empty();
  const bool can_round = !acts && sign != 0 && turn < rounded_rad && ahead > 0.8 * length(chord) && ahead > 2 * gap;
  Places between = can_round ? rounded(places[a].pose, places[b].pose, sign) : bridged(before, after);
  if (!can_round) places[joint].rests = places[joint + 1].rests = true;
  const auto first = places.begin() + static_cast<std::ptrdiff_t>(can_round ? a + 1 : joint + 1);
  const auto last = places.begin() + static_cast<std::ptrdiff_t>(can_round ? b : joint + 1);
  const auto at = places.erase(first, last);
  places.insert(at, between.begin(), between.end());
}

void close_joints(Places& places, double rounded_rad) {
  // from the back, so that places before a joint keep their numbers
  for (std::size_t i = places.size(); i-- > 0;) {
    if (places[i].joint && i + 1 < places.size()) close_joint(places, i, rounded_rad);
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    places[i].pose.theta = unwrapped(places[i].pose.theta, places[i - 1].pose.theta);
  }
}

// Rests where it turns about, and where turns on the spot begin and end.
void find_corners(Places& places) {
  int driven = 0;  // direction of the last step that drove
  std::size_t i = 0;
  while (i + 1 < places.size()) {
    std::size_t end = i;
    double turned = 0;
    while (end + 1 < places.size() && direction(places[end].pose, places[end + 1].pose) == 0) {
      turned += places[end + 1].pose.theta - places[end].pose.theta;
      ++end;
    }
    if (end > i) {
      if (std::fabs(turned) > kRealTurn) places[i].rests = places[end].rests = true;
      i = end;
      continue;
    }
    const int now = direction(places[i].pose, places[i + 1].pose);
    if (driven != 0 && now != driven) places[i].rests = true;
    driven = now;
    ++i;
  }
}

double measure(const Pose2& a, const Pose2& b, double turn_m) noexcept {
  return sqrt(square(b.x - a.x) + square(b.y - a.y) + square(turn_m * (b.theta - a.theta)));
}

// Evenly spaced poses on the straight lines between the given ones.
Piece resample(std::span<const Place> places, const WayParams& params) {
  double total = 0;
  for (std::size_t i = 1; i < places.size(); ++i) total += measure(places[i - 1].pose, places[i].pose, params.turn_m);
  Piece piece;
  const auto n = static_cast<std::size_t>(std::max(4.0, std::ceil(total / params.knot_m)));
  piece.step = total / static_cast<double>(n);
  piece.knots.push_back(places.front().pose);
  double before = 0;
  std::size_t i = 1;
  double size = measure(places[0].pose, places[1].pose, params.turn_m);
  for (std::size_t k = 1; k < n; ++k) {
    const double at = piece.step * static_cast<double>(k);
    while (i + 1 < places.size() && before + size < at) {
      before += size;
      ++i;
      size = measure(places[i - 1].pose, places[i].pose, params.turn_m);
    }
    const double share = size > 0 ? clamp((at - before) / size, 0.0, 1.0) : 0;
    const Pose2 &p = places[i - 1].pose, &q = places[i].pose;
    piece.knots.push_back(
        {p.x + (q.x - p.x) * share, p.y + (q.y - p.y) * share, p.theta + (q.theta - p.theta) * share});
  }
  piece.knots.push_back(places.back().pose);
  return piece;
}

// A mean over neighbours, fewer of them near the ends, which stay.
void smooth(std::vector<Pose2>& knots, int neighbours) {
  const std::vector<Pose2> before = knots;
  const std::size_t n = knots.size();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const std::size_t reach = std::min({static_cast<std::size_t>(neighbours), i, n - 1 - i});
    Pose2 sum;
    for (std::size_t j = i - reach; j <= i + reach; ++j) {
      sum = {sum.x + before[j].x, sum.y + before[j].y, sum.theta + before[j].theta};
    }
    const double share = 1.0 / static_cast<double>(2 * reach + 1);
    knots[i] = {sum.x * share, sum.y * share, sum.theta * share};
  }
}

Result<void> check_turns(const Places& places, const robot::Description& robot) {
  if (robot.drive.can_turn_on_the_spot()) return {};
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const Pose2 &p = places[i].pose, &q = places[i + 1].pose;
    if (direction(p, q) != 0 || std::fabs(q.theta - p.theta) < kSameHeading) continue;
    char text[160];
    std::snprintf(text, sizeof text, "the path turns on the spot at (%.2f, %.2f), which this drive cannot do", p.x,
                  p.y);
    return Error{text, ErrorKind::impossible};
  }
  return {};
}

}  // namespace

Result<Way> make_way(const TrimmedPath& path, const robot::Description& robot, const WayParams& params) {
  Places places = places_of(path, params.shortest_wait_s);
  close_joints(places, params.rounded_rad);
  if (!robot.drive.can_strafe()) find_corners(places);
  if (auto ok = check_turns(places, robot); !ok) return ok.error();
  Way way;
  std::vector<Piece>& pieces = way.pieces;
  if (!places.empty()) way.actions_before = places.front().actions;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (!places[i].rests && i + 1 < places.size()) continue;
    Piece piece = resample(std::span(places).subspan(begin, i - begin + 1), params);
    begin = i;
    if (!(piece.step > 0)) {  // nothing was driven since the last rest
      auto& actions = pieces.empty() ? way.actions_before : pieces.back().actions_after;
      actions.insert(actions.end(), places[i].actions.begin(), places[i].actions.end());
      continue;
    }
    for (int round = 0; round < 2; ++round) smooth(piece.knots, params.smoothing);
    piece.wait_after = places[i].wait;
    piece.actions_after = places[i].actions;
    pieces.push_back(std::move(piece));
  }
  if (pieces.empty()) return Error{"the path leads nowhere: it holds no motion", ErrorKind::impossible};
  return way;
}

}  // namespace forerun::mission
