#include "forerun/bridge/kenaf_translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "forerun/base/math.hpp"

namespace forerun::bridge {
namespace {

constexpr double kDegree = kPi / 180;
constexpr double kUpright = 0.26;  // cosine of 75 degrees: as physics::standing() has it
constexpr std::array<const char*, 4> kFlippers{"FLFlipper", "FRFlipper", "RLFlipper", "RRFlipper"};

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 400> buffer{};
  const int n = std::snprintf(buffer.data(), buffer.size(), format, values...);
  return {buffer.data(), static_cast<std::size_t>(std::clamp(n, 0, static_cast<int>(buffer.size()) - 1))};
}

template <class Integer>
Integer to_integer(double value) {
  using Limits = std::numeric_limits<Integer>;
  return static_cast<Integer>(std::clamp(std::round(value), double{Limits::min()}, double{Limits::max()}));
}

// It goes to a terminal, which must not take it for commands.
std::string printable(std::string_view text) {
  std::string made(text);
  std::replace_if(
      made.begin(), made.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return made;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return same_word(text.substr(0, word.size()), word);
}

}  // namespace

std::string SimulatedKenaf::spawn_lines(const std::string& name, const std::optional<Pose2>& at) {
  std::string lines = "INIT {ClassName USARBot.Kenaf} {Name " + name + "}";
  if (at) lines += print(" {Location %.4f,%.4f,0} {Rotation 0,0,%.4f}", at->x, 0 - at->y, 0 - at->theta);
  // what the robot is made of decides how its numbers are read
  return lines + "\r\nGETGEO {Type Robot}\r\nGETCONF {Type Encoder} {Name ECLeft}\r\n";
}

std::string SimulatedKenaf::drive_line(const kenaf::TrackSpeeds& speeds) const {
  const double scale = 0.001 / wheel_radius_;  // mm/s of belt to rad/s of wheels
  return print("DRIVE {Left %.5f} {Right %.5f} {Normalized False}\r\n", speeds.left_mm * scale,
               speeds.right_mm * scale);
}

std::string SimulatedKenaf::flipper_line(const kenaf::FlipperAngles& angles) {
  std::string line = "MULTIDRIVE";
  for (std::size_t i = 0; i < angles.size(); ++i) line += print(" {%s %.5f}", kFlippers[i], angles[i] * kDegree);
  return line + "\r\n";
}

bool SimulatedKenaf::read(std::string_view line) {
  const auto message = UsarsimMessage::parse(line);
  if (!message) return false;
  const std::string& keyword = message->keyword();
  if (keyword == "SEN") {
    const bool news = read_sensor(*message);
    has_spoken_ = has_spoken_ || news;
    return news;
  }
  if (keyword == "STA") {
    if (const auto battery = message->number("battery")) status_.battery_s = *battery;
  } else if (keyword == "NFO") {
    if (message->has("error")) refusal_ = printable(message->text("error").substr(0, 200));
  } else if (keyword == "GEO") {
    const auto radius = message->number("wheelradius");
    if (radius && *radius > 0.001 && *radius < 10) wheel_radius_ = *radius;
  } else if (keyword == "CONF") {
    const auto resolution = message->number("resolution");
    const bool sane = resolution && *resolution > 1e-6 && *resolution < 7;
    if (sane && message->is("type", "encoder")) resolution_ = *resolution;
  }
  return false;
}

bool SimulatedKenaf::read_sensor(const UsarsimMessage& message) {
  if (message.is("type", "encoder")) return read_encoders(message);
  const bool inertial = message.is("type", "ins");
  if (!inertial && !message.is("type", "groundtruth")) return false;
  const auto orientation = message.vector("orientation");
  if (!orientation) return false;
  const auto place = message.vector("location");
  if (!inertial && place) truth_ = {{place->x, 0 - place->y, 0 - place->z}, 0 - orientation->z};
  has_inertial_ = has_inertial_ || inertial;
  if (inertial != has_inertial_) return false;
  set_posture(*orientation);
  return true;
}

// Their y is to the right and their z down: yaw turns the other way round, roll and nose up are the same.
void SimulatedKenaf::set_posture(Vec3 orientation) {
  const auto degrees = [](double angle) { return std::remainder(angle, 2 * kPi) / kDegree; };
  status_.roll_deg = degrees(orientation.x);
  status_.pitch_deg = degrees(orientation.y);
  status_.yaw_deg = degrees(0 - orientation.z);
  status_.fallen = std::cos(orientation.x) * std::cos(orientation.y) < kUpright;
}

// `{Name ECLeft} {Tick 5} {Name ECRight} …`, or as older ones have it, `{Name ECLeft Tick 5} …`.
bool SimulatedKenaf::read_encoders(const UsarsimMessage& message) {
  std::string_view name;
  bool any = false;
  for (const auto& [key, value] : message.segments()) {
    std::optional<double> ticks;
    if (key == "name") {
      name = std::string_view(value).substr(0, value.find(' '));
      const std::string_view rest = std::string_view(value).substr(name.size());
      if (starts_with_word(rest, " tick ")) ticks = parse_finite(rest.substr(6));
    } else if (key == "tick") {
      ticks = parse_finite(value);
    }
    if (!ticks) continue;
    set_encoder(name, *ticks);
    any = true;
  }
  return any;
}

void SimulatedKenaf::set_encoder(std::string_view name, double ticks) {
  const double turns = ticks * resolution_ / (2 * kPi), ours = turns * kenaf::kTicksPerTurn;
  if (starts_with_word(name, "EC")) name.remove_prefix(2);
  if (same_word(name, "Left")) status_.left_ticks = to_integer<std::int32_t>(ours);
  if (same_word(name, "Right")) status_.right_ticks = to_integer<std::int32_t>(ours);
  for (std::size_t i = 0; i < kFlippers.size(); ++i) {
    if (same_word(name, kFlippers[i])) status_.flipper_ticks[i] = to_integer<std::int16_t>(ours);
  }
}

}  // namespace forerun::bridge
