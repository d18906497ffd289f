#include "forerun/mission/mission_text.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "forerun/base/hash.hpp"
#include "forerun/base/hex.hpp"
#include "forerun/base/utf8.hpp"

namespace forerun::mission {
namespace {

// The shortest of what reads back to the same bits; what is no number is nothing.
void add_number(std::string& text, double number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  char digits[40];
  for (const int n : {15, 16, 17}) {
    std::snprintf(digits, sizeof digits, "%.*g", n, number);
    if (std::strtod(digits, nullptr) == number) break;
  }
  text += digits;
}

// What is no UTF-8 is replaced: a reader would refuse the whole file.
void add_text(std::string& text, std::string_view words) {
  text += '"';
  while (!words.empty()) {
    const std::size_t n = first_character(words);
    if (n == 0) {
      text += "\xef\xbf\xbd";
    } else if (static_cast<unsigned char>(words[0]) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(words[0]));
      text += escape;
    } else {
      if (words[0] == '"' || words[0] == '\\') text += '\\';
      text += words.substr(0, n);
    }
    words.remove_prefix(n == 0 ? 1 : n);
  }
  text += '"';
}

void add_point(std::string& text, const TimedPoint& p) {
  char separator = '[';
  for (const double number : {p.time, p.pose.x, p.pose.y, p.pose.theta, p.velocity.vx, p.velocity.vy, p.velocity.w}) {
    text += separator;
    add_number(text, number);
    separator = ',';
  }
  text += ']';
}

}  // namespace

std::string write_content(const Mission& mission) {
  std::string text = "{\"name\":";
  add_text(text, mission.name);
  text += ",\"world\":";
  add_text(text, mission.world);
  text += ",\"robot\":{\"name\":";
  add_text(text, mission.robot);
  text += ",\"fingerprint\":\"" + to_hex(mission.fingerprint) + "\"},\"path\":[";
  for (std::size_t i = 0; i < mission.path.size(); ++i) {
    if (i > 0) text += ',';
    add_point(text, mission.path[i]);
  }
  text += ']';
  if (!mission.actions.empty()) text += ",\"actions\":" + write_actions(mission.actions);
  return text + '}';
}

std::string write_actions(std::span<const Action> actions) {
  std::string text = "[";
  for (const Action& action : actions) {
    if (text.size() > 1) text += ',';
    text += '[';
    add_number(text, action.time);
    text += ',';
    add_text(text, action.name);
    text += ']';
  }
  return text + ']';
}

std::string checksum_of(std::string_view content) {
  Hash hash;
  for (const char letter : content) hash.add(static_cast<unsigned char>(letter));
  hash.add(content.size());
  return to_hex(hash.value());
}

std::string write_document(int version, std::string_view content, std::string_view signature) {
  std::string document = std::string("{\"") + kMissionMark + "\":" + std::to_string(version) + ",\n\"mission\":";
  document += content;
  document += ",\n\"checksum\":\"" + checksum_of(content) + "\"";
  if (!signature.empty()) {
    document += ",\n\"signature\":";
    document += signature;
  }
  return document + "}\n";
}

}  // namespace forerun::mission
