#include "forerun/io/mission_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/mission/mission_text.hpp"

namespace forerun::io {
namespace {

using Json = nlohmann::ordered_json;
using mission::kActingVersion, mission::kMissionMark, mission::kMissionVersion;

constexpr std::size_t kMostPoints = 1'000'000;
constexpr double kFarthest = 1e6;  // of any number
constexpr std::size_t kNumbers = 7;
constexpr int kDeepest = 8;  // of lists and objects within each other

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

template <class Array>
std::string to_base64(const Array& bytes) {
  return encode_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The value of this key of the document, as it stands there but for spaces and line breaks: what was signed, letter by
// letter. The text must be JSON.
std::string value_of(std::string_view document, std::string_view key) {
  std::string value, word;  // the word: last text in quotes on the first level
  int depth = 0;
  bool quoted = false, wanted = false;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const char c = document[i];
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (space && !quoted) continue;
    if (!quoted && depth == 1 && (c == ',' || c == '}')) wanted = false;
    if (wanted) value += c;
    if (quoted && c == '\\') {
      ++i;
      if (wanted && i < document.size()) value += document[i];
      continue;
    }
    if (c == '"') {
      quoted = !quoted;
      if (quoted && depth == 1) word.clear();
    } else if (quoted) {
      if (depth == 1) word += c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':' && depth == 1 && word == key) {
      wanted = true;
      value.clear();
    }
  }
  return value;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<MissionFile> read(std::string_view text) {
    bool too_deep = false;
    const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
      too_deep = too_deep || depth > kDeepest;
      return depth <= kDeepest;
    };
    const Json document = Json::parse(text, shallow, false);
    if (too_deep || document.is_discarded() || !document.is_object() || !document.contains(kMissionMark)) {
      return Error{file_ + " is no mission: it must be JSON with " + quote(kMissionMark)};
    }
    const bool acts = document[kMissionMark] == kActingVersion;
    if (!acts && document[kMissionMark] != kMissionVersion) {
      return Error{file_ + ": " + kMissionMark + " is " + quote(document[kMissionMark].dump()) +
                   ", but this program reads versions " + std::to_string(kMissionVersion) + " and " +
                   std::to_string(kActingVersion)};
    }
    if (!document.contains("mission") || !document["mission"].is_object()) return wrong("mission", "an object");
    MissionFile result;
    result.content = value_of(text, "mission");
    const std::string checksum = document.value("checksum", Json()).is_string() ? document["checksum"] : Json("");
    if (const std::string right = mission::checksum_of(result.content); checksum != right) {
      return Error{file_ + ": the checksum is " + quote(checksum) + ", but must be " + right +
                   ": the mission has been changed or is damaged"};
    }
    // not what the document has under this name, which may stand there twice: what was signed
    const Json content = Json::parse(result.content, nullptr, false);
    if (!content.is_object()) return wrong("mission", "an object");
    if (auto ok = read_content(content, result.mission); !ok) return ok.error();
    if (auto ok = read_actions(content, acts, result.mission); !ok) return ok.error();
    if (!document.contains("signature")) return result;
    auto signature = read_signature(document["signature"]);
    if (!signature) return signature.error();
    result.signature = *signature;
    return result;
  }

 private:
  [[nodiscard]] Error wrong(const std::string& field, const std::string& allowed) const {
    return Error{file_ + ": " + field + " is missing or wrong, but must be " + allowed};
  }

  Result<void> read_text(const Json& from, const char* key, std::string& to) const {
    if (!from.contains(key) || !from[key].is_string()) return wrong(key, "a text");
    to = one_line(from[key].get<std::string>());
    return {};
  }

  Result<void> read_content(const Json& content, mission::Mission& mission) const {
    if (auto ok = read_text(content, "name", mission.name); !ok) return ok;
    if (auto ok = read_text(content, "world", mission.world); !ok) return ok;
    if (!content.contains("robot") || !content["robot"].is_object()) return wrong("robot", "an object");
    if (auto ok = read_text(content["robot"], "name", mission.robot); !ok) return ok;
    std::string fingerprint;
    if (auto ok = read_text(content["robot"], "fingerprint", fingerprint); !ok) return ok;
    const auto number = from_hex(fingerprint);
    if (!number) return wrong("fingerprint", "16 hexadecimal digits");
    mission.fingerprint = *number;
    return read_points(content, mission.path);
  }

  Result<void> read_points(const Json& content, mission::TimedPath& path) const {
    if (!content.contains("path") || !content["path"].is_array()) return wrong("path", "a list of points");
    const Json& points = content["path"];
    if (points.size() < 2 || points.size() > kMostPoints) {
      return Error{file_ + ": the path has " + std::to_string(points.size()) + " points, but must have 2 to " +
                   std::to_string(kMostPoints)};
    }
    for (const Json& point : points) {
      std::array<double, kNumbers> n{};
      if (!take_numbers(point, n)) {
        return Error{file_ + ": point " + std::to_string(path.size() + 1) + " of the path is " + quote(point.dump()) +
                     ", but must be 7 numbers: time, x, y, heading, and three velocities"};
      }
      if (path.empty() ? n[0] != 0 : n[0] <= path.back().time) {
        return Error{file_ + ": the time of point " + std::to_string(path.size() + 1) + " is " + show(n[0]) + ", but " +
                     (path.empty() ? "must be 0" : "must be larger than that of the point before")};
      }
      path.push_back({n[0], {n[1], n[2], n[3]}, {n[4], n[5], n[6]}});
    }
    return {};
  }

  // Version 2 has some, version 1 has none.
  Result<void> read_actions(const Json& content, bool acts, mission::Mission& mission) const {
    const Json actions = content.value("actions", Json());
    if (!acts && actions.is_null()) return {};
    if (!acts || !actions.is_array() || actions.empty()) {
      return wrong("actions", std::string("a list of times and names in version 2, and nowhere else"));
    }
    for (const Json& action : actions) {
      const bool good = action.is_array() && action.size() == 2 && action[0].is_number() && action[1].is_string();
      if (!good) return Error{file_ + ": an action is " + quote(action.dump()) + ", but must be a time and a name"};
      mission.actions.push_back({action[0].get<double>(), action[1].get<std::string>()});
    }
    if (auto ok = mission::check_actions(mission.actions, mission.path); !ok) {
      return Error{file_ + ": " + ok.error().message};
    }
    return {};
  }

  static bool take_numbers(const Json& point, std::array<double, kNumbers>& numbers) {
    if (!point.is_array() || point.size() != kNumbers) return false;
    for (std::size_t i = 0; i < kNumbers; ++i) {
      if (!point[i].is_number()) return false;
      numbers[i] = point[i].get<double>();
      if (!(std::fabs(numbers[i]) <= kFarthest)) return false;
    }
    return true;
  }

  Result<MissionSignature> read_signature(const Json& from) const {
    MissionSignature signature;
    const auto take = [&](const char* key, auto& bytes) {
      if (!from.is_object() || !from.contains(key) || !from[key].is_string()) return false;
      const auto decoded = decode_base64(from[key].get<std::string>());
      if (!decoded || decoded->size() != bytes.size()) return false;
      std::copy(decoded->begin(), decoded->end(), bytes.begin());
      return true;
    };
    if (!take("key", signature.key)) return wrong("signature.key", "a public key of 44 letters");
    if (!take("value", signature.value)) return wrong("signature.value", "128 letters of base64");
    return signature;
  }

  const std::string& file_;
};

}  // namespace

std::string write_mission(const mission::Mission& mission, const SignMission& sign) {
  const std::string content = mission::write_content(mission);
  const int version = mission::version_of(mission);
  if (!sign) return mission::write_document(version, content);
  const MissionSignature signature = sign(bytes_of(content));
  return mission::write_document(
      version, content,
      "{\"key\":\"" + to_base64(signature.key) + "\",\"value\":\"" + to_base64(signature.value) + "\"}");
}

Result<MissionFile> parse_mission(std::string_view text, const std::string& file) { return Reader(file).read(text); }

Result<MissionFile> load_mission(const std::string& path) {
  const auto text = read_file(path, kLargestMission);
  if (!text) return text.error();
  return parse_mission(*text, path);
}

Result<void> check_signature(const MissionFile& mission, const std::string& file, const IsSignedBy& is_signed) {
  if (!mission.signature) return Error{file + " is not signed, but must be signed by an operator's key"};
  if (is_signed(*mission.signature, bytes_of(mission.content))) return {};
  return Error{file + ": the signature does not fit: the mission is not what the owner of " +
               to_base64(mission.signature->key) + " has signed"};
}

Result<void> check_fits(const mission::Mission& mission, const robot::Description& robot, const std::string& file) {
  if (mission.robot != robot.name) {
    return Error{file + " is a mission for the robot " + quote(mission.robot) + ", not for " + quote(robot.name)};
  }
  if (mission.fingerprint == mission::fingerprint_of(robot)) return {};
  return Error{file + " is a mission for a robot " + quote(mission.robot) + " of fingerprint " +
               to_hex(mission.fingerprint) + ", not " + to_hex(mission::fingerprint_of(robot)) +
               ": its drive, footprint or limits were others"};
}

}  // namespace forerun::io
