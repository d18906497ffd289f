#include "forerun/sim/surroundings.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::sim {
namespace {

constexpr double kPatience = 3.0;     // of a person who has to stand [s]
constexpr double kCloseCall = 0.35;   // nobody goes past the robot nearer than this [m]
constexpr double kBoldest = 0.1;      // after many attempts, and only while the robot stands [m]
constexpr int kMostAttempts = 4;      // then a person lets the robot have the way,
constexpr double kOutOfTheWay = 4.0;  // goes this far [m]
constexpr double kRest = 20.0;        // and waits there [s]
constexpr double kLookAhead = 0.8;    // [m]
constexpr double kSwingTime = 1.5;    // from closed to open [s]
constexpr double kDoorGap = 0.05;     // a door does not come nearer than this to a robot or a person [m]

// Once round is back at the beginning.
double around(const Person& person, double place) noexcept {
  const double round = person.lengths.back();
  return place - round * std::floor(place / round);
}

Vec2 place_on(const Person& person, double place) noexcept {
  const auto after = std::upper_bound(person.lengths.begin() + 1, person.lengths.end() - 1, place);
  const auto i = static_cast<std::size_t>(after - person.lengths.begin());
  const double piece = person.lengths[i] - person.lengths[i - 1];
  const double share = piece > 0 ? clamp((place - person.lengths[i - 1]) / piece, 0.0, 1.0) : 0;
  const Vec2 from = person.path[i - 1], to = person.path[i < person.path.size() ? i : 0];
  return from + (to - from) * share;
}

}  // namespace

Person make_person(std::vector<Vec2> path, double speed, double start, double stops_at) {
  Person person{.path = std::move(path), .lengths = {0}, .speed = speed, .start = start, .stops_at = stops_at};
  for (std::size_t i = 1; i <= person.path.size(); ++i) {
    const Vec2 next = person.path[i < person.path.size() ? i : 0];
    person.lengths.push_back(person.lengths.back() + distance(person.path[i - 1], next));
  }
  return person;
}

Surroundings::Surroundings(const Cast& cast) {
  for (const Person& person : cast.people) {
    walks_.push_back({.place = person.start});
    movers_.push_back(world::make_disc(place_on(person, person.start), kPersonRadius, kPersonHeight, 0));
  }
  for (const MovingDoor& moving : cast.doors) {
    const double opening = moving.door.open ? 1 : 0;
    swings_.push_back({.opening = opening, .open = moving.door.open});
    movers_.push_back(world::make_leaf(moving.door, opening));
  }
  movers_.insert(movers_.end(), cast.boxes.begin(), cast.boxes.end());
}

void Surroundings::step(const Cast& cast, const Neighbour& robot, RobotTime now, double dt) noexcept {
  for (std::size_t i = 0; i < walks_.size(); ++i) walk(cast.people[i], walks_[i], movers_[i], robot, dt);
  for (std::size_t i = 0; i < swings_.size(); ++i) {
    swing(cast.doors[i], swings_[i], movers_[walks_.size() + i], robot, now, dt);
  }
}

// Walks on unless that leads nearer to a robot close by. Who has stood for a while goes past a robot that stands too,
// where there is room, and else turns back.
void Surroundings::walk(const Person& person, Walk& walk, world::Mover& body, const Neighbour& robot,
                        double dt) noexcept {
  walk.resting -= dt;
  if (walk.resting > 0) return;
  const double place = around(person, walk.place + walk.direction * person.speed * dt);
  const Vec2 next = place_on(person, place);
  const auto gap_at = [&](Vec2 p) { return distance(p, robot.position) - kPersonRadius - robot.radius; };
  const double gap_now = gap_at(body.pose.position()), gap_next = gap_at(next);
  // a few steps on, so that a bend in the way does not hold anybody who is leaving
  const Vec2 later = place_on(person, around(person, place + walk.direction * kLookAhead));
  const double close_call = robot.moves ? kCloseCall : std::max(kBoldest, kCloseCall - 0.05 * walk.attempts);
  const bool not_too_near = gap_next >= gap_now || gap_next >= close_call;
  const bool leaving = gap_at(later) > gap_now && not_too_near;
  const bool passing = walk.passing && !robot.moves && not_too_near;
  if (gap_next >= person.stops_at) walk.passing = false;
  if (gap_next >= kOutOfTheWay) {
    if (walk.away) walk.resting = kRest;
    walk.away = false;
    walk.attempts = 0;
  }
  if ((gap_next >= person.stops_at || leaving || passing) && !door_in_the_way(next)) {
    walk.standing = 0;
    walk.place = place;
    body.pose.x = next.x;
    body.pose.y = next.y;
    return;
  }
  walk.standing += dt;
  if (walk.standing < kPatience) return;
  // first try to go past; when that does not work either, turn back
  walk.standing = 0;
  walk.away = ++walk.attempts >= kMostAttempts;
  if (walk.passing) walk.direction = -walk.direction;
  walk.passing = !walk.passing;
}

bool Surroundings::door_in_the_way(Vec2 place) const noexcept {
  for (std::size_t i = walks_.size(); i < walks_.size() + swings_.size(); ++i) {
    if (world::plan_distance(movers_[i], place) < kPersonRadius) return true;
  }
  return false;
}

void Surroundings::swing(const MovingDoor& moving, Swing& swing, world::Mover& leaf, const Neighbour& robot,
                         RobotTime now, double dt) noexcept {
  while (swing.next_change < moving.changes.size() && moving.changes[swing.next_change].at <= now) {
    swing.open = moving.changes[swing.next_change++].open;
  }
  const double wanted = swing.open ? 1 : 0;
  if (swing.opening == wanted) return;
  const double most = dt / kSwingTime;
  const double opening = swing.opening + clamp(wanted - swing.opening, -most, most);
  const world::Mover next = world::make_leaf(moving.door, opening);
  if (world::plan_distance(next, robot.position) < robot.radius + kDoorGap) return;
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    if (world::plan_distance(next, movers_[i].pose.position()) < kPersonRadius + kDoorGap) return;
  }
  swing.opening = opening;
  leaf = next;
}

void Surroundings::add_to(Hash& hash) const noexcept {
  for (const world::Mover& mover : movers_) {
    hash.add(mover.pose.x);
    hash.add(mover.pose.y);
    hash.add(mover.pose.theta);
  }
}

}  // namespace forerun::sim
