#include "forerun/sim/surroundings.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::sim {
namespace {

constexpr double kPatience = 3.0;     // of a person who has to stand [s]
constexpr double kCloseCall = 0.35;   // nobody goes past the robot nearer than this [m]
constexpr double kBoldest = 0.1;      // past one that has stood for a while: people squeeze past [m]
constexpr double kSurely = 2.0;       // after this time [s]
constexpr double kOutOfTheWay = 4.0;  // who cannot get past lets the robot have the way, goes this far [m]
constexpr double kRest = 30.0;        // and waits there [s]
constexpr double kLookAhead = 0.8;    // [m]
constexpr double kNotice = 2.5;       // people begin to make room for a robot nearer than this [m]
constexpr double kElbowRoom = 0.5;    // that they leave between themselves and the robot, where there is so much [m]
constexpr double kEnough = 0.3;       // of that, for a person to stay on the right [m]
constexpr double kMuchMore = 0.2;     // room on one side than on the other [m]
constexpr double kComesSoon = 1.2;    // [s]
constexpr double kOffPath = 0.5;      // nobody is held off the path farther than this [m]
constexpr double kSidestep = 0.5;     // [m/s]
constexpr double kSwingTime = 1.5;    // from closed to open [s]
constexpr double kDoorGap = 0.05;     // a door does not come nearer than this to a robot or a person [m]
constexpr double kRoomToPut = 0.5;    // nobody puts a box down nearer to a robot [m]

// Once round is back at the beginning.
double around(const Person& person, double place) noexcept {
  const double round = person.lengths.back();
  if (place >= 0 && place < round) return place;
  return place - round * std::floor(place / round);
}

// Which piece of the path a place lies on, sought from one that is near.
std::size_t piece_at(const Person& person, double place, std::size_t near) noexcept {
  const std::vector<double>& lengths = person.lengths;
  std::size_t i = clamp(near, std::size_t{1}, lengths.size() - 1);
  while (i > 1 && lengths[i - 1] > place) --i;
  while (i + 1 < lengths.size() && lengths[i] <= place) ++i;
  return i;
}

// A place on the path. Those that somebody looks at lie near each other.
struct Spot {
  std::size_t piece = 1;
  Vec2 on_path;
};

Spot spot_at(const Person& person, double place, std::size_t near) noexcept {
  const std::size_t i = piece_at(person, place, near);
  const double piece = person.lengths[i] - person.lengths[i - 1];
  const double share = piece > 0 ? clamp((place - person.lengths[i - 1]) / piece, 0.0, 1.0) : 0;
  const Vec2 from = person.path[i - 1], to = person.path[i < person.path.size() ? i : 0];
  return {i, from + (to - from) * share};
}

double gap_between(Vec2 person, const Neighbour& robot) noexcept {
  return distance(person, robot.position) - kPersonRadius - robot.radius;
}

// Nobody jumps where the path bends.
Vec2 towards(Vec2 here, Vec2 to, double most) noexcept {
  const double far = distance(here, to);
  return far <= most ? to : here + (to - here) * (most / far);
}

void put(world::Mover& body, Vec2 place) noexcept {
  body.pose.x = place.x;
  body.pose.y = place.y;
}

// Nobody steps into the way of a robot that is about to be there.
bool steps_before(const Neighbour& robot, Vec2 from, Vec2 to) noexcept {
  if (!robot.moves) return false;
  const double ahead = dot(robot.ahead, to - robot.position);
  if (ahead < 0 || ahead > robot.radius + kPersonRadius + kComesSoon * robot.speed) return false;
  const double aside_now = std::fabs(cross(robot.ahead, from - robot.position));
  const double aside = std::fabs(cross(robot.ahead, to - robot.position));
  return aside < aside_now && aside < robot.radius + kPersonRadius + kCloseCall;
}

// Beside the path, as far as there is room.
Vec2 place_beside(const Person& person, const Spot& spot, double aside) noexcept {
  if (person.rooms.empty()) return spot.on_path;
  const Room& room = person.rooms[spot.piece - 1];
  return spot.on_path + room.left * clamp(aside, -room.to_right, room.to_left);
}

// How much room is left between the robot and somebody who goes past it, beside the path as far as possible [m].
double room_past(const Person& person, double place, int direction, const Neighbour& robot) noexcept {
  Spot there = spot_at(person, place, 1);
  Spot beside = there;
  for (double on = 0; on < kNotice; on += 0.1) {
    there = spot_at(person, around(person, place + direction * on), there.piece);
    if (gap_between(there.on_path, robot) < gap_between(beside.on_path, robot)) beside = there;
  }
  if (person.rooms.empty()) return gap_between(beside.on_path, robot);
  const Room& room = person.rooms[beside.piece - 1];
  return std::max(gap_between(place_beside(person, beside, room.to_left), robot),
                  gap_between(place_beside(person, beside, -room.to_right), robot));
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
    movers_.push_back(world::make_disc(spot_at(person, person.start, 1).on_path, kPersonRadius, kPersonHeight, 0));
  }
  for (const MovingDoor& moving : cast.doors) {
    const double opening = moving.door.open ? 1 : 0;
    swings_.push_back({.opening = opening, .open = moving.door.open});
    movers_.push_back(world::make_leaf(moving.door, opening));
  }
  movers_.insert(movers_.end(), cast.boxes.begin(), cast.boxes.end());
  put_.assign(cast.passing.size(), false);
  movers_.reserve(movers_.size() + cast.passing.size());
}

void Surroundings::step(const Cast& cast, const Neighbour& robot, RobotTime now, double dt) noexcept {
  robot_stands_ = robot.moves ? 0 : robot_stands_ + dt;
  for (std::size_t i = 0; i < walks_.size(); ++i) walk(cast.people[i], walks_[i], movers_[i], robot, dt);
  for (std::size_t i = 0; i < swings_.size(); ++i) {
    swing(cast.doors[i], swings_[i], movers_[walks_.size() + i], robot, now, dt);
  }
  if (!cast.passing.empty()) put_boxes(cast, robot, now);
}

void Surroundings::put_boxes(const Cast& cast, const Neighbour& robot, RobotTime now) noexcept {
  movers_.erase(movers_.begin() + static_cast<std::ptrdiff_t>(walks_.size() + swings_.size() + cast.boxes.size()),
                movers_.end());
  for (std::size_t i = 0; i < cast.passing.size(); ++i) {
    const PassingBox& passing = cast.passing[i];
    const bool its_time = now >= passing.from && now < passing.until;
    const bool room = put_[i] || world::plan_distance(passing.box, robot.position) > robot.radius + kRoomToPut;
    put_[i] = its_time && room;
    if (put_[i]) movers_.push_back(passing.box);
  }
}

// Goes beside the path for the robot's sake: on the right where that leaves it room, else to the side where there is
// more, and where neither has more, to the robot's left, so that it can keep to the right. Nobody changes sides for
// little.
double Surroundings::step_aside(const Room& room, Vec2 on_path, Walk& walk, Vec2 here, const Neighbour& robot,
                                double dt) noexcept {
  const double robot_left = dot(robot.position - on_path, room.left);
  const double touch = robot.radius + kPersonRadius;
  const double on_right = robot_left + room.to_right, on_left = room.to_left - robot_left;
  double wanted = 0;
  if (gap_between(here, robot) >= kNotice) {
    walk.side = 0;
  } else if (walk.side == 0 && (walk.direction > 0 ? on_right : on_left) >= touch + kEnough) {
    walk.side = -walk.direction;
  } else if (std::fabs(on_right - on_left) > (walk.side == 0 ? 1 : 2) * kMuchMore) {
    walk.side = on_right > on_left ? -1 : 1;
  } else if (walk.side == 0) {
    walk.side = cross(robot.ahead, room.left) < 0 ? -1 : 1;
  }
  if (walk.side < 0) wanted = std::min(0.0, std::max(-room.to_right, robot_left - touch - kElbowRoom));
  if (walk.side > 0) wanted = std::max(0.0, std::min(room.to_left, robot_left + touch + kElbowRoom));
  return clamp(wanted - walk.aside, -kSidestep * dt, kSidestep * dt);
}

// Walks on unless that leads nearer to a robot close by, and makes room for it meanwhile. Who has stood for a while
// goes past a robot that stands too, where there is room, and else turns back.
void Surroundings::walk(const Person& person, Walk& walk, world::Mover& body, const Neighbour& robot,
                        double dt) noexcept {
  walk.resting -= dt;
  const Vec2 here = body.pose.position();
  const double most = (person.speed + kSidestep) * dt;
  const double place = around(person, walk.place + walk.direction * person.speed * dt);
  const Spot now = spot_at(person, walk.place, walk.piece), next = spot_at(person, place, now.piece);
  const Spot later = spot_at(person, around(person, place + walk.direction * kLookAhead), walk.later);
  walk.piece = next.piece;
  walk.later = later.piece;
  double aside = walk.aside;
  if (!person.rooms.empty()) {
    aside += step_aside(person.rooms[now.piece - 1], now.on_path, walk, here, robot, dt);
  }
  // on and aside; only on; or, held off the path by the robot, along it
  const auto way = [&](int i) {
    if (i == 0) return towards(here, place_beside(person, next, aside), most);
    const Vec2 goes_on = place_beside(person, next, walk.aside);
    const Vec2 along = here + (goes_on - place_beside(person, now, walk.aside));
    return i == 1 || distance(along, goes_on) > kOffPath ? towards(here, goes_on, most) : along;
  };
  for (int i = 0; i < 3 && walk.resting <= 0; ++i) {
    const Vec2 to = way(i);
    if (!may_go(person, walk, {here, to, place_beside(person, later, walk.aside)}, robot)) continue;
    walk.standing = 0;
    walk.place = place;
    if (i == 0) walk.aside = aside;
    put(body, to);
    return;
  }
  const Vec2 spot = towards(here, place_beside(person, now, aside), most);
  if (may_make_room(here, spot, robot)) {
    walk.aside = aside;
    put(body, spot);
    return;
  }
  walk.standing += dt;
  if (walk.standing >= kPatience && walk.resting <= 0) lose_patience(person, walk, here, robot);
}

bool Surroundings::may_make_room(Vec2 here, Vec2 spot, const Neighbour& robot) const noexcept {
  const double gap = gap_between(spot, robot);
  return spot != here && !steps_before(robot, here, spot) && (gap >= gap_between(here, robot) || gap >= kCloseCall) &&
         !door_in_the_way(spot);
}

// Goes past the robot where there is room for that; else, or when that has not worked, turns back.
void Surroundings::lose_patience(const Person& person, Walk& walk, Vec2 here, const Neighbour& robot) noexcept {
  walk.standing = 0;
  find_place(person, walk, here);
  walk.passing = !walk.passing && room_past(person, walk.place, walk.direction, robot) > kBoldest;
  if (walk.passing) return;
  walk.direction = -walk.direction;
  walk.away = true;
}

// Where on the path, and how far beside it, somebody is whom the robot has held off it.
void Surroundings::find_place(const Person& person, Walk& walk, Vec2 here) noexcept {
  if (person.rooms.empty()) return;
  double place = walk.place;
  Spot nearest = spot_at(person, place, walk.piece), spot = nearest;
  for (double off = -kOffPath; off <= kOffPath; off += 0.02) {
    const double tried = around(person, walk.place + off);
    spot = spot_at(person, tried, spot.piece);
    if (!(distance(spot.on_path, here) < distance(nearest.on_path, here))) continue;
    place = tried;
    nearest = spot;
  }
  const Room& room = person.rooms[nearest.piece - 1];
  walk.place = place;
  walk.aside = clamp(dot(here - nearest.on_path, room.left), -room.to_right, room.to_left);
}

bool Surroundings::may_go(const Person& person, Walk& walk, const Step& step, const Neighbour& robot) const noexcept {
  const double gap_now = gap_between(step.from, robot), gap_next = gap_between(step.to, robot);
  const double close_call = robot.moves ? kCloseCall : (robot_stands_ > kSurely ? kBoldest : kCloseCall);
  const bool not_too_near = gap_next >= gap_now || gap_next >= close_call;
  // a few steps on, so that a bend in the way does not hold anybody who is leaving
  const bool leaving = gap_between(step.later, robot) > gap_now && not_too_near;
  const bool passing = walk.passing && !robot.moves && not_too_near;
  if (gap_next >= person.stops_at) walk.passing = false;
  // far enough off, or as far as the walk leads
  const bool comes_back = gap_next >= person.stops_at && gap_between(step.later, robot) < gap_now;
  if (walk.away && (gap_next >= kOutOfTheWay || comes_back)) {
    walk.resting = kRest;
    walk.away = false;
    return false;
  }
  if (steps_before(robot, step.from, step.to) || door_in_the_way(step.to)) return false;
  return gap_next >= person.stops_at || leaving || passing;
}

bool Surroundings::door_in_the_way(Vec2 place) const noexcept {
  for (std::size_t i = walks_.size(); i < walks_.size() + swings_.size(); ++i) {
    if (world::comes_within(movers_[i], place, kPersonRadius)) return true;
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
