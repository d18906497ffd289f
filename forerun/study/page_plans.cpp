// Pictures of the study page that lie over the plan: trajectories, the gap, the image sequence.
#include <algorithm>
#include <array>

#include "forerun/draw/markup.hpp"
#include "forerun/study/page_pictures.hpp"

namespace forerun::study {
namespace {

constexpr double kEdge = 0.4;          // round the world [m]
constexpr double kMargin = 1.5;        // round what is drawn where only a part of the world is [m]
constexpr double kSequenceStep = 2;    // between two images, as in the papers [s]
constexpr double kSmallestWindow = 4;  // of a gap that hardly moves [m]
constexpr double kShape = 1.25;        // of an enlarged window: width ÷ height
constexpr double kLongGap = 3;         // regions are drawn at the end of gaps from here on [s]

struct Track {
  draw::Role role;
  Pose2 TrackPoint::*pose;
  const char* name;
  const char* note;
};
constexpr Track kTruthTrack{draw::Role::truth, &TrackPoint::truth, "Truth", "where the robot was"};
constexpr Track kExtrapolationTrack{draw::Role::extrapolation, &TrackPoint::extrapolation, "Extrapolation",
                                    "at the velocities of the newest message; dotted: jumps when the next one comes"};
constexpr Track kPredictionTrack{
    draw::Role::prediction, &TrackPoint::prediction, "Prediction",
    "by the replica; shaded: where it is with 95 %, by its own account, before each message"};
constexpr std::array kTracks{kTruthTrack, kExtrapolationTrack, kPredictionTrack};

std::vector<Vec2> places(const std::vector<TrackPoint>& points, Pose2 TrackPoint::*pose) {
  std::vector<Vec2> result;
  for (const TrackPoint& point : points) result.push_back((point.*pose).position());
  return result;
}

Box2 grown(const Box2& box, double by) { return {box.low - Vec2{by, by}, box.high + Vec2{by, by}}; }

// The whole world along an axis, or the part in which the drive was where that is much less.
Box2 trajectory_area(const StudyPage& input) {
  Box2 driven;
  driven.include(input.start.position());
  for (const Piece& piece : input.trajectories.pieces) {
    for (const TrackPoint& point : piece.points) {
      driven.include(point.truth.position());
      driven.include(point.prediction.position());
    }
  }
  for (const Place& goal : input.goals) driven.include(goal.at);
  const Box2 part = grown(driven, kMargin), whole = grown(input.plan.area, kEdge);
  if (input.plan.area.empty()) return part;
  Box2 area = whole;
  if (part.size().x < 0.6 * whole.size().x) area.low.x = part.low.x, area.high.x = part.high.x;
  if (part.size().y < 0.6 * whole.size().y) area.low.y = part.low.y, area.high.y = part.high.y;
  return area;
}

// Everything that happens in the gap, in the shape of a screen.
Box2 gap_area(const Gap& gap, double radius) {
  Box2 box;
  for (const TrackPoint& point : gap.points) {
    for (const Track& track : kTracks) box.include((point.*track.pose).position());
  }
  box = grown(box, radius + 0.8);
  Vec2 size{std::max(box.size().x, kSmallestWindow), std::max(box.size().y, kSmallestWindow)};
  size = {std::max(size.x, size.y * kShape), std::max(size.y, size.x / kShape)};
  return {box.center() - size * 0.5, box.center() + size * 0.5};
}

void add_places(const StudyPage& input, draw::PlanWindow& window) {
  window.add_dot(input.start.position(), draw::Role::truth);
  window.add_words(input.start.position(), "start", "start");
  for (std::size_t i = 0; i < input.goals.size(); ++i) {
    window.add_words(input.goals[i].at, std::to_string(i + 1), "goal");
  }
}

std::string draw_strip(const StudyPage& input, const Track& track, const Box2& area) {
  draw::PlanWindow window(area, std::string(track.name) + ": " + track.note);
  const auto& pieces = input.trajectories.pieces;
  const bool is_truth = track.role == draw::Role::truth;
  for (const Piece& piece : pieces) {
    if (!is_truth) window.add_path(places(piece.points, &TrackPoint::truth), draw::Role::truth, "faint");
  }
  for (const Piece& piece : pieces) {
    const TrackPoint& last = piece.points.back();
    if (track.role == draw::Role::prediction && last.gap >= kLongGap) window.add_region(last.likely, track.role);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    window.add_path(places(pieces[i].points, track.pose), track.role);
    if (is_truth || i + 1 == pieces.size()) continue;
    const Vec2 jump[] = {(pieces[i].points.back().*track.pose).position(),
                         (pieces[i + 1].points.front().*track.pose).position()};
    window.add_path(jump, track.role, "jump");
  }
  add_places(input, window);
  window.add_scale();
  return "<figure><h3><i class=\"" + std::string(to_string(track.role)) + "\">" + track.name +
         "</i> <span class=\"soft\">– " + track.note + "</span></h3>\n" + window.html(620) + "</figure>\n";
}

std::string goal_list(const StudyPage& input) {
  std::string list;
  for (const Place& goal : input.goals) {
    if (!goal.name.empty()) list += (list.empty() ? "" : ", ") + draw::escape(goal.name);
  }
  return list.empty() ? "" : " Goals in this order: " + list + ".";
}

// Where the name of a curve stands beside the robot at its end.
struct Side {
  const char* name;
  Vec2 towards;
};
constexpr std::array<Side, 4> kSides{{{"above", {0, 1}}, {"below", {0, -1}}, {"right", {1, 0}}, {"left", {-1, 0}}}};

struct Label {
  Vec2 at;
  Box2 box;  // about what the words cover [m]
  const char* side = "";
  double bad = 0;  // how much is lost under it
};

Label place_label(Vec2 end, const Side& side, std::size_t n_letters, double radius, const Box2& area) {
  // sizes of letters as they are on screens of usual width
  const double width = 0.019 * static_cast<double>(n_letters) * area.size().x, height = 0.065 * area.size().x;
  Vec2 at = end + side.towards * radius;
  // words above and below are centred, and must not run out of the window
  if (side.towards.x == 0) at.x = clamp(at.x, area.low.x + width / 2, area.high.x - width / 2);
  const Vec2 centre = at + Vec2{side.towards.x * width, side.towards.y * height} * 0.5;
  const Vec2 half{width / 2, height / 2};
  return {at, {centre - half, centre + half}, side.name, 0};
}

bool overlap(const Box2& a, const Box2& b) {
  return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y;
}

// What a label at this place would cover: the window's edge is worst, then robots, then curves.
double badness(const Label& label, const Gap& gap, double radius, const Box2& area) {
  double bad = area.contains(label.box.low) && area.contains(label.box.high) ? 0 : 300;
  for (const Track& track : kTracks) {
    // its own robot, which it touches, is smaller here
    const Vec2 body = (gap.points.back().*track.pose).position();
    bad += overlap(label.box, grown({body, body}, 0.9 * radius)) ? 100 : 0;
  }
  for (const TrackPoint& point : gap.points) {
    for (const Track& track : kTracks) bad += label.box.contains((point.*track.pose).position()) ? 1 : 0;
  }
  return bad;
}

using Labels = std::array<Label, kTracks.size()>;

// All ways to put one label on a side of each robot; the one that covers least, and no other label.
Labels best_labels(const std::array<std::array<Label, kSides.size()>, kTracks.size()>& choices) {
  Labels best{};
  double least = kInfinity;
  for (const Label& a : choices[0]) {
    for (const Label& b : choices[1]) {
      for (const Label& c : choices[2]) {
        const int n_overlaps = overlap(a.box, b.box) + overlap(b.box, c.box) + overlap(a.box, c.box);
        const double bad = a.bad + b.bad + c.bad + 1000 * n_overlaps;
        if (bad >= least) continue;
        least = bad;
        best = {a, b, c};
      }
    }
  }
  return best;
}

void add_names(const StudyPage& input, const Gap& gap, const Box2& area, draw::PlanWindow& window) {
  const TrackPoint& last = gap.points.back();
  std::array<std::string, kTracks.size()> names;
  std::array<std::array<Label, kSides.size()>, kTracks.size()> choices;
  for (std::size_t m = 0; m < kTracks.size(); ++m) {
    const Vec2 end = (last.*kTracks[m].pose).position();
    names[m] = kTracks[m].name;
    if (kTracks[m].role != draw::Role::truth) {
      names[m] += ": " + draw::fixed(distance(end, last.truth.position()), 2) + " m off";
    }
    for (std::size_t i = 0; i < kSides.size(); ++i) {
      choices[m][i] = place_label(end, kSides[i], names[m].size(), input.robot_radius, area);
      choices[m][i].bad = badness(choices[m][i], gap, input.robot_radius, area);
    }
  }
  const Labels labels = best_labels(choices);
  for (std::size_t m = 0; m < kTracks.size(); ++m) {
    const std::string style = std::string("name ") + to_string(kTracks[m].role) + " " + labels[m].side;
    window.add_words(labels[m].at, names[m], style);
  }
}

// A recorded robot says what it does now, but not what it will do.
std::string say_recorded_gap(const Gap& gap) {
  if (gap.start == GapStart::after_leaving) {
    return " after the first message that was sent under way: extrapolation goes on at the velocities of that moment.";
  }
  return " after the last message before it first left a place where it waited. The robot still stands there, and the "
         "message names no goal: where it will go can only be guessed.";
}

std::string say_gap(const Gap& gap, DriveSource source) {
  const std::string length = draw::fixed(gap.points.back().gap, 1) + " s";
  if (!gap.at_goal) {
    return "Nothing arrives for " + length +
           ". The robot leaves no goal here with so much of the drive to come, so this is the gap in which prediction "
           "and extrapolation differ most.";
  }
  if (source == DriveSource::recorded) return "Nothing arrives for " + length + say_recorded_gap(gap);
  if (gap.start == GapStart::after_leaving) {
    return "Nothing arrives for " + length +
           " after the first message sent under way from goal 1, as in the papers: extrapolation goes on at the "
           "velocities "
           "of that moment.";
  }
  return "Nothing arrives for " + length +
         " after the last message from goal 1. The robot still stands there: that it will leave, when and where to, "
         "follows from the message alone.";
}

std::string draw_gap(const StudyPage& input, const Gap& gap) {
  const Box2 area = gap_area(gap, input.robot_radius);
  draw::PlanWindow window(area, say_gap(gap, input.source));
  const TrackPoint& last = gap.points.back();
  window.add_region(last.likely, draw::Role::prediction);
  for (const Track& track : {kExtrapolationTrack, kTruthTrack, kPredictionTrack}) {
    window.add_path(places(gap.points, track.pose), track.role,
                    track.role == draw::Role::extrapolation ? "dashed" : "");
    for (double t = kSequenceStep; t < last.gap - 0.1; t += kSequenceStep) {
      window.add_dot((at_gap(gap, t).*track.pose).position(), track.role);
    }
    window.add_robot(last.*track.pose, input.robot_radius, track.role);
  }
  add_names(input, gap, area, window);
  window.add_scale();
  return "<figure>" + window.html(560) + "<figcaption>" + say_gap(gap, input.source) +
         " Dots every 2 s; outlines and distances at the end; shaded: the stated 95 % region.</figcaption></figure>\n";
}

std::string draw_image(const StudyPage& input, const Gap& gap, const Track& track, const TrackPoint& point) {
  const double off = distance((point.*track.pose).position(), point.truth.position());
  const bool is_truth = track.role == draw::Role::truth;
  const std::string when = "after " + draw::fixed(point.gap, 0) + " s";
  draw::PlanWindow window(gap_area(gap, input.robot_radius), std::string(track.name) + " " + when);
  if (!is_truth) window.add_robot(point.truth, input.robot_radius, draw::Role::truth, "ghost");
  window.add_robot(point.*track.pose, input.robot_radius, track.role);
  return "<td>" + window.html(160) + (is_truth ? "" : draw::fixed(off, 2) + " m off") + "</td>";
}

std::string times(int n) { return n == 0 ? "never" : n == 1 ? "once" : std::to_string(n) + " times"; }

std::string say_corrections(const Trajectories& t) {
  return "<p>At a message, extrapolation is put right by up to <i class=\"extrapolation\">" +
         draw::fixed(t.extrapolation_jump_m, 2) + " m</i> (" + times(t.n_extrapolation_jumps) +
         " by more than a metre), prediction by up to <i class=\"prediction\">" + draw::fixed(t.prediction_jump_m, 2) +
         " m</i> (" + times(t.n_prediction_jumps) + "). What the operator sees is smoothed: it moved at most " +
         draw::fixed(t.max_shown_step_m * 100, 1) + " cm from one frame to the next (60 a second), and faded " +
         times(t.n_fades) + " over to another place.</p>\n";
}

}  // namespace

std::string draw_trajectories(const StudyPage& input) {
  const Trajectories& t = input.trajectories;
  if (t.pieces.empty()) return "<p>No message arrived within the drive.</p>\n";
  const Box2 area = trajectory_area(input);
  const bool is_wide = area.size().x > 1.7 * area.size().y;
  std::string out = "<p>" + draw::escape(input.shown) + ". " + std::to_string(t.n_received) + " of " +
                    std::to_string(t.n_sent) + " messages arrived; the longest gap was " +
                    draw::fixed(t.longest_gap_s, 1) + " s." + goal_list(input) + "</p>\n<div class=\"" +
                    (is_wide ? "strips" : "columns") + "\">\n";
  for (const Track& track : kTracks) out += draw_strip(input, track, area);
  return out + "</div>\n" + say_corrections(t);
}

std::string draw_gaps(const StudyPage& input) {
  std::string out;
  for (const Gap& gap : input.gaps) {
    if (!gap.points.empty()) out += draw_gap(input, gap);
  }
  if (out.empty()) return "<p>The drive is too short for such a gap.</p>\n";
  return "<div class=\"pair\">" + out + "</div>\n";
}

std::string draw_sequence(const StudyPage& input) {
  if (input.gaps.empty() || input.gaps.front().points.empty()) {
    return "<p>The drive is too short for such a gap.</p>\n";
  }
  const Gap& gap = input.gaps.front();
  const bool is_recorded = input.source == DriveSource::recorded;
  std::vector<const TrackPoint*> moments;
  for (double t = 0; t <= gap.points.back().gap + 0.05; t += kSequenceStep) moments.push_back(&at_gap(gap, t));
  std::string out =
      "<p>The first gap above, every 2 s. Dashed outlines: where the robot truly was." +
      std::string(is_recorded ? " Distances are between positions: what localization was off by is in them." : "") +
      "</p>\n"
      "<div class=\"scroll\"><table class=\"cells\"><thead><tr><th></th>";
  for (const TrackPoint* moment : moments) out += "<th scope=\"col\">" + draw::fixed(moment->gap, 0) + " s</th>";
  out += "</tr></thead><tbody>\n";
  for (const Track& track : kTracks) {
    out += "<tr><th scope=\"row\" class=\"" + std::string(to_string(track.role)) + "\">" + track.name + "</th>\n";
    for (const TrackPoint* moment : moments) out += draw_image(input, gap, track, *moment);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace forerun::study
