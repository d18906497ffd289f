// docs/protocol.md, the byte files of tests/protocol and the code say the same. The byte files are read by the tables
// of the text alone; what they must say is written beside them by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/image/wire.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/hindrance_wire.hpp"
#include "forerun/sync/live_scan_wire.hpp"
#include "forerun/sync/noise.hpp"
#include "forerun/sync/posture_wire.hpp"
#include "forerun/sync/prologue.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/sections.hpp"
#include "forerun/sync/seen_things_wire.hpp"
#include "forerun/sync/transport.hpp"
#include "forerun/sync/wire.hpp"
#include "tests/support/hex.hpp"
#include "tests/support/scripted_cipher.hpp"
#include "tests/support/source_tree.hpp"
#include "tests/sync/protocol_text.hpp"

namespace forerun::test {
namespace {

using nlohmann::json;

const ProtocolText& protocol() {
  static const ProtocolText text(read_source("docs/protocol.md").text);
  return text;
}

json load(const char* name) { return json::parse(read_source(std::string("tests/protocol/") + name).text); }

// A frame's body, read and written again by the code.
std::vector<std::uint8_t> write_again(const std::string& table, Bytes body) {
  std::array<std::uint8_t, 1200> room{};
  ByteWriter out(room);
  if (table == "SYNC") {
    const auto decoded = sync::decode_report(body);
    if (decoded.report) out.bytes(*sync::encode_report(*decoded.report, decoded.sections));
  } else if (table.rfind("COMMAND", 0) == 0) {
    const auto command = sync::decode_command(body);
    if (command && !write(*command, out)) ADD_FAILURE() << "a command that was read cannot be written";
  } else if (table == "OUTCOME") {
    if (const auto answer = sync::decode_answer(body)) write(*answer, out);
  } else if (table == "OFFER") {
    if (const auto offer = sync::decode_offer(body)) out.bytes(encode(*offer));
  } else if (table == "REQUEST") {
    if (const auto request = sync::decode_request(body)) out.bytes(encode(*request));
  } else if (table == "VERDICT") {
    std::array<std::uint8_t, sync::kLargestVerdict> verdict_room;
    if (const auto verdict = sync::decode_verdict(body)) out.bytes(encode(*verdict, verdict_room));
  } else if (table == "IMAGE") {
    std::array<std::uint8_t, image::kHeaderSize + image::kLargestPart> part_room;
    if (const auto part = image::decode_part(body)) out.bytes(encode(*part, part_room));
  } else if (table == "LOOK") {
    if (const auto look = image::decode_look(body)) out.bytes(encode(*look));
  } else if (table == "CHUNK") {
    std::array<std::uint8_t, sync::kChunkHeaderSize + sync::kChunkSize> chunk_room;
    if (const auto chunk = sync::decode_chunk(body)) out.bytes(encode(*chunk, chunk_room));
  }
  return {out.written().begin(), out.written().end()};
}

void expect_values(const ReadByText& read, const json& values, const std::string& name) {
  for (const auto& [field, value] : values.items()) {
    if (value.is_string()) {
      ASSERT_TRUE(read.bytes.count(field)) << name << " " << field;
      EXPECT_EQ(show_hex(read.bytes.at(field)), value.get<std::string>()) << name << " " << field;
    } else if (value.is_number_integer()) {
      ASSERT_TRUE(read.whole.count(field)) << name << " " << field;
      EXPECT_EQ(read.whole.at(field), value.get<std::int64_t>()) << name << " " << field;
    } else {
      ASSERT_TRUE(read.quantity.count(field)) << name << " " << field;
      EXPECT_NEAR(read.quantity.at(field), value.get<double>(), 1e-9) << name << " " << field;
    }
  }
}

TEST(Protocol, TheTextDescribesEverythingWithoutGaps) {
  for (const char* table : {"HELLO",
                            "HELLO content",
                            "RETRY",
                            "WELCOME",
                            "WELCOME content",
                            "DATA",
                            "Stamp",
                            "Frame",
                            "Section",
                            "SYNC",
                            "COMMAND",
                            "SYNC odometry",
                            "COMMAND goal",
                            "COMMAND drive",
                            "OUTCOME",
                            "OUTCOME refusal",
                            "CHALLENGE",
                            "OFFER",
                            "REQUEST",
                            "CHUNK",
                            "VERDICT",
                            "Planned path",
                            "Planned point",
                            "Calibration",
                            "Mission",
                            "COMMAND start",
                            "IMAGE",
                            "LOOK",
                            "LOOK cameras",
                            "Things seen",
                            "Things seen: box",
                            "Things seen: door",
                            "Things seen: moving",
                            "Hindrance",
                            "Live scan"}) {
    ASSERT_TRUE(protocol().has(table)) << table;
    const auto& fields = protocol().fields(table);
    const std::string name = table;
    std::size_t at = name.find("COMMAND ") == 0   ? protocol().size_of("COMMAND")
                     : name.find("SYNC ") == 0    ? protocol().size_of("SYNC")
                     : name.find("OUTCOME ") == 0 ? protocol().size_of("OUTCOME")
                     : name.find("LOOK ") == 0    ? protocol().size_of("LOOK")
                                                  : 0;
    for (const ProtocolField& field : fields) {
      EXPECT_EQ(field.offset, at) << table << " " << field.name;
      const std::size_t bits = field.type == "bytes" ? field.size * 8 : std::stoul(field.type.substr(1));
      EXPECT_EQ(bits, field.size * 8) << table << " " << field.name;
      at += field.size;
    }
  }
}

TEST(Protocol, SizesInTheTextAreThoseOfTheCode) {
  EXPECT_EQ(protocol().size_of("HELLO"), sync::kHelloSize);
  EXPECT_EQ(protocol().size_of("RETRY"), sync::kRetrySize);
  EXPECT_EQ(protocol().size_of("WELCOME"), sync::kWelcomeSize);
  EXPECT_EQ(protocol().size_of("HELLO content"), sync::kGreetingContentSize);
  EXPECT_EQ(protocol().size_of("Stamp"), sync::kStampSize);
  EXPECT_EQ(protocol().size_of("SYNC"), sync::kReportBodySize);
  EXPECT_EQ(protocol().size_of("SYNC odometry"), sync::kReportBodySize + sync::kOdometrySize);
  EXPECT_EQ(protocol().size_of("Calibration"), sync::kWheelsSize);
  EXPECT_EQ(protocol().size_of("Mission"), sync::kMissionSize);
  EXPECT_EQ(protocol().size_of("Response"), sync::kResponseSize);
  EXPECT_EQ(protocol().size_of("Attitude"), sync::kPostureSize);
  EXPECT_EQ(protocol().fields("Hindrance").back().offset, sync::kHindranceHeaderSize);
  EXPECT_EQ(protocol().fields("Things seen").back().offset, sync::kSeenHeaderSize);
  EXPECT_EQ(protocol().size_of("Things seen: box"), sync::kSeenBoxSize);
  EXPECT_EQ(protocol().size_of("Things seen: door"), sync::kSeenDoorSize);
  EXPECT_EQ(protocol().size_of("Things seen: moving"), sync::kMovingThingSize);
  EXPECT_EQ(protocol().size_of("Live scan"), sync::kLiveScanSize);
  EXPECT_EQ(protocol().size_of("COMMAND drive flippers"), sync::kLargestCommandBody);
  EXPECT_EQ(protocol().size_of("OUTCOME"), sync::kAnswerBodySize);
  EXPECT_EQ(protocol().fields("IMAGE").back().offset, image::kHeaderSize);
  EXPECT_EQ(protocol().size_of("LOOK"), image::kShortestLook);
  EXPECT_EQ(protocol().size_of("LOOK cameras"), image::kLookSize);
}

// The rows of the table of kinds, as in the enum.
TEST(Protocol, TheTextNamesTheKindsOfSections) {
  const std::string text = read_source("docs/protocol.md").text;
  const auto row = [](sync::SectionKind kind, const char* name) {
    return "\n| " + std::to_string(static_cast<int>(kind)) + " | " + name + " |";
  };
  const std::size_t table = text.find("| section | name |");
  ASSERT_NE(table, std::string::npos);
  for (const auto& [kind, name] : {std::pair{sync::SectionKind::attitude, "attitude"},
                                   {sync::SectionKind::planned_path, "planned_path"},
                                   {sync::SectionKind::things_seen, "things_seen"},
                                   {sync::SectionKind::calibration, "calibration"},
                                   {sync::SectionKind::models, "models"},
                                   {sync::SectionKind::mission, "mission"},
                                   {sync::SectionKind::response, "response"},
                                   {sync::SectionKind::hindrance, "hindrance"},
                                   {sync::SectionKind::live_scan, "live_scan"}}) {
    EXPECT_NE(text.find(row(kind, name), table), std::string::npos) << name;
  }
}

TEST(Protocol, FramesReadByTheTextAloneSayWhatWasMeant) {
  const json frames = load("frames.json");
  ASSERT_GE(frames.size(), 9u);
  for (const json& frame : frames) {
    const std::string name = frame["name"];
    const auto bytes = from_hex(frame["bytes"].get<std::string>());
    for (const auto& [table, values] : frame["says"].items()) {
      const ReadByText read = protocol().read(table, bytes);
      EXPECT_TRUE(read.complete) << name;
      expect_values(read, values, name);
      // every field of the table is accounted for
      EXPECT_EQ(values.size(), protocol().fields(table).size()) << name;
    }
    if (!frame.value("only_text", false)) {
      EXPECT_EQ(show_hex(write_again(frame["says"].begin().key(), bytes)), frame["bytes"].get<std::string>()) << name;
    }
  }
}

TEST(Protocol, LongerBodiesOfNewerWritersAreRead) {
  const std::vector<std::uint8_t> kNewerSection{250, 2, 0, 7, 7};
  for (const json& frame : load("frames.json")) {
    const std::string table = frame["says"].begin().key();
    if (table == "CHUNK" || frame.value("only_text", false) || frame.value("nothing_behind", false)) continue;
    auto bytes = from_hex(frame["bytes"].get<std::string>());
    const auto more = table == "SYNC" ? kNewerSection : std::vector<std::uint8_t>{1, 2, 3};
    bytes.insert(bytes.end(), more.begin(), more.end());
    // sections are kept, other fields of newer writers are not
    const std::string kept = table == "SYNC" ? show_hex(kNewerSection) : "";
    EXPECT_EQ(show_hex(write_again(table, bytes)), frame["bytes"].get<std::string>() + kept) << frame["name"];
    if (table == "LOOK") continue;  // older viewers write shorter ones
    bytes.resize(bytes.size() - more.size() - 1);
    EXPECT_TRUE(write_again(table, bytes).empty()) << frame["name"];
  }
}

TEST(Protocol, TheCodeReadsFromASyncWhatTheTextSays) {
  for (const json& frame : load("frames.json")) {
    if (frame["name"] != "sync") continue;
    const auto bytes = from_hex(frame["bytes"].get<std::string>());
    const ReadByText read = protocol().read("SYNC", bytes);
    const auto& q = read.quantity;
    const auto decoded = sync::decode_report(bytes);
    ASSERT_TRUE(decoded.report);
    const robot::Report& r = *decoded.report;
    EXPECT_EQ(r.sequence, read.whole.at("sequence"));
    EXPECT_EQ(r.robot, read.whole.at("robot"));
    EXPECT_EQ(static_cast<std::int64_t>(r.model), read.whole.at("model"));
    EXPECT_EQ(r.time.ns, read.whole.at("time"));
    EXPECT_NEAR(r.state.pose.x, q.at("x"), 1e-9);
    EXPECT_NEAR(r.state.pose.y, q.at("y"), 1e-9);
    EXPECT_NEAR(normalize_angle(r.state.pose.theta - q.at("heading")), 0, 1e-9);
    EXPECT_NEAR(r.state.velocity.vx, q.at("speed"), 1e-9);
    EXPECT_NEAR(r.state.velocity.vy, q.at("side_speed"), 1e-9);
    EXPECT_NEAR(r.state.velocity.w, q.at("turn_rate"), 1e-9);
    EXPECT_NEAR(r.acceleration.v, q.at("acceleration"), 1e-9);
    EXPECT_NEAR(r.acceleration.w, q.at("turn_acceleration"), 1e-9);
    EXPECT_NEAR(r.target->x, q.at("x") + q.at("target_dx"), 1e-9);
    EXPECT_NEAR(r.target->y, q.at("y") + q.at("target_dy"), 1e-9);
    EXPECT_NEAR(r.goal->x, q.at("goal_x"), 1e-9);
    EXPECT_NEAR(r.goal->y, q.at("goal_y"), 1e-9);
    EXPECT_NEAR(to_seconds(r.remaining_wait), q.at("remaining_wait"), 1e-9);
    EXPECT_NEAR(to_seconds(r.until_decision), q.at("until_decision"), 1e-9);
    EXPECT_NEAR(r.limits.max_speed, q.at("max_speed"), 1e-9);
    EXPECT_NEAR(r.limits.max_turn_rate, q.at("max_turn_rate"), 1e-9);
    EXPECT_NEAR(r.error.sigma_x, q.at("sigma_x"), 1e-9);
    EXPECT_NEAR(r.error.sigma_y, q.at("sigma_y"), 1e-9);
    EXPECT_NEAR(r.error.sigma_heading, q.at("sigma_heading"), 1e-9);
    EXPECT_NEAR(r.error.correlation, q.at("correlation"), 1e-9);
    EXPECT_EQ(r.task, robot::TaskState::waiting);
    EXPECT_EQ(r.motors, robot::MotorState::stopped);
    EXPECT_TRUE(r.hand_driven);
  }
}

// The path of a section's bytes, by the text.
std::vector<Vec2> planned_path_by_text(Bytes body, const ReadByText& sync_read) {
  const ReadByText section = protocol().read("Section", body.subspan(protocol().size_of("SYNC odometry")));
  EXPECT_EQ(section.whole.at("kind"), 2);
  const ReadByText path = protocol().read("Planned path", section.bytes.at("content"));
  const double step = 1e-3 * std::pow(2, static_cast<double>(path.whole.at("exponent")));
  const std::vector<std::uint8_t>& points = path.bytes.at("points");
  std::vector<Vec2> read;
  for (std::int64_t i = 0; i < path.whole.at("count"); ++i) {
    const ReadByText point = protocol().read("Planned point", Bytes(points).subspan(static_cast<std::size_t>(4 * i)));
    const auto along = [&](const char* axis, const char* steps) {
      const double origin = std::floor(static_cast<double>(sync_read.whole.at(axis)) / (step / 1e-4));
      return (origin + static_cast<double>(point.whole.at(steps))) * step;
    };
    read.push_back({along("x", "dx"), along("y", "dy")});
  }
  return read;
}

TEST(Protocol, TheCodeReadsFromAPlannedPathWhatTheTextSays) {
  for (const json& frame : load("frames.json")) {
    if (frame["name"] != "sync with odometry and a planned path") continue;
    const auto bytes = from_hex(frame["bytes"].get<std::string>());
    const std::vector<Vec2> by_text = planned_path_by_text(bytes, protocol().read("SYNC", bytes));
    const auto decoded = sync::decode_report(bytes);
    ASSERT_TRUE(decoded.report && decoded.report->planned_path);
    const robot::PlannedPath& by_code = *decoded.report->planned_path;
    ASSERT_EQ(by_text.size(), 3u);
    ASSERT_EQ(by_code.size(), by_text.size());
    for (std::size_t i = 0; i < by_text.size(); ++i) EXPECT_LT(distance(by_code[i], by_text[i]), 1e-9) << i;
    EXPECT_LT(distance(by_code[1], {20, -7.25}), 1e-9) << "as it was meant";
    EXPECT_EQ(show_hex(*sync::encode_report(*decoded.report)), frame["bytes"].get<std::string>());
    return;
  }
  FAIL() << "there is no such frame";
}

// -- a whole session, with keys that everybody may know ---------------------------------------------------------------

sync::KeyPair pair_from(const json& secret, const sync::Cipher& cipher) {
  sync::KeyPair pair;
  pair.secret = array_from_hex<sync::Key>(secret.get<std::string>());
  pair.open = cipher.open_half(pair.secret);
  return pair;
}

struct Transcript {
  [[nodiscard]] std::vector<std::uint8_t> bytes(const char* name) const {
    return from_hex(file[name]["bytes"].get<std::string>());
  }

  json file = load("session.json");
  ScriptedCipher cipher{{array_from_hex<sync::Key>(file["viewer_ephemeral"].get<std::string>())}};
  sync::KeyPair robot = pair_from(file["robot_secret"], cipher);
  sync::KeyPair viewer = pair_from(file["viewer_secret"], cipher);
  sync::Handshake viewer_handshake =
      sync::Handshake::initiate(cipher, sync::make_prologue(bytes("hello")), viewer, robot.open);
};

TEST(Protocol, AGreetingReadByTheTextAloneOpens) {
  Transcript t;
  // the robot side, knowing the text and its own key
  const auto hello = t.bytes("hello");
  const ReadByText outer = protocol().read("HELLO", hello);
  ASSERT_TRUE(outer.complete);
  expect_values(outer, t.file["hello"]["says"], "hello");
  sync::Handshake robot_handshake = sync::Handshake::respond(t.cipher, sync::make_prologue(hello), t.robot);
  std::vector<std::uint8_t> message = outer.bytes.at("ephemeral");
  for (const char* part : {"static", "content"}) {
    message.insert(message.end(), outer.bytes.at(part).begin(), outer.bytes.at(part).end());
  }
  std::array<std::uint8_t, sync::kGreetingContentSize> content;
  ASSERT_TRUE(robot_handshake.read_first(message, content));
  expect_values(protocol().read("HELLO content", content), t.file["hello"]["content"], "hello content");
  EXPECT_EQ(robot_handshake.peer(), t.viewer.open);

  // the viewer, likewise
  std::array<std::uint8_t, sync::kFirstOverhead + sync::kGreetingContentSize> again;
  ASSERT_TRUE(t.viewer_handshake.write_first(content, again));
  EXPECT_EQ(show_hex(again), show_hex(Bytes(hello).subspan(sync::kHelloNoiseAt)));
  const ReadByText welcome = protocol().read("WELCOME", t.bytes("welcome"));
  ASSERT_TRUE(welcome.complete);
  expect_values(welcome, t.file["welcome"]["says"], "welcome");
  message = welcome.bytes.at("ephemeral");
  message.insert(message.end(), welcome.bytes.at("content").begin(), welcome.bytes.at("content").end());
  ASSERT_TRUE(t.viewer_handshake.read_second(message, content));
  expect_values(protocol().read("WELCOME content", content), t.file["welcome"]["content"], "welcome content");
}

TEST(Protocol, ADataDatagramReadByTheTextAloneOpens) {
  Transcript t;
  std::array<std::uint8_t, sync::kFirstOverhead + sync::kGreetingContentSize> first;
  std::array<std::uint8_t, sync::kGreetingContentSize> content{};
  // both ends of the handshake, from the file
  ByteWriter hello_out(content);
  write(sync::HelloContent{t.file["hello"]["content"]["sent"].get<std::int64_t>(), 0, sync::Role::operate, 0},
        hello_out);
  ASSERT_TRUE(t.viewer_handshake.write_first(content, first));
  ASSERT_TRUE(t.viewer_handshake.read_second(Bytes(t.bytes("welcome")).subspan(sync::kGreetingHeaderSize), content));
  const sync::TransportKeys keys = t.viewer_handshake.split();

  const auto data = t.bytes("data");
  EXPECT_LE(data.size(), 128u);
  const ReadByText outer = protocol().read("DATA", data);
  ASSERT_TRUE(outer.complete);
  expect_values(outer, t.file["data"]["says"], "data");
  const auto& sealed = outer.bytes.at("content");
  std::vector<std::uint8_t> opened(sealed.size() - 16);
  const auto counter = static_cast<std::uint64_t>(outer.whole.at("counter"));
  ASSERT_TRUE(t.cipher.open(keys.receive, counter, Bytes(data).first(11), sealed, opened));
  expect_values(protocol().read("Stamp", opened), t.file["data"]["stamp"], "stamp");
  const ReadByText frame = protocol().read("Frame", Bytes(opened).subspan(protocol().size_of("Stamp")));
  EXPECT_EQ(frame.whole.at("kind"), 1);
  EXPECT_EQ(frame.whole.at("length"), 76);
  expect_values(protocol().read("SYNC", frame.bytes.at("body")), t.file["data"]["sync"], "sync");

  // and the code takes the same bytes
  sync::Transport transport(keys, 0);
  std::array<std::uint8_t, sync::kLargestDatagram> buffer;
  EXPECT_FALSE(transport.open(t.cipher, data, 0, buffer).problem);
}

}  // namespace
}  // namespace forerun::test
