// Every reader of foreign bytes, by name: fuzzed by the targets of this folder, and run over the corpus by the tests.
// A reader may refuse its input, but only with one sentence on one line; it never crashes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/atlas/glb.hpp"
#include "forerun/atlas/movingai.hpp"
#include "forerun/atlas/ros_map.hpp"
#include "forerun/atlas/world_yaml.hpp"
#include "forerun/impair/link.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/image.hpp"
#include "forerun/io/link_profile_file.hpp"
#include "forerun/io/mission_file.hpp"
#include "forerun/io/path_file.hpp"
#include "forerun/io/plan_log.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/rtt_trace.hpp"
#include "forerun/io/scan_log.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/mission/mission_bytes.hpp"
#include "forerun/net/robot_json.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/record/mcap_reader.hpp"
#include "forerun/respond/model_bytes.hpp"
#include "forerun/respond/responder.hpp"
#include "forerun/robot/planned_path.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/bulk.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/kenaf_entries.hpp"
#include "fuzz/link_client.hpp"
#include "fuzz/link_entries.hpp"
#include "fuzz/link_server.hpp"
#include "fuzz/web_entries.hpp"

namespace forerun::fuzz {

inline bool run_image(std::string_view bytes) { return check_answer(io::parse_image(bytes, "m.pgm")); }

// The first line break divides the YAML's settings, in one line of flow style, from the picture.
inline bool run_ros_map(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const Result<atlas::RosMap> map = atlas::parse_ros_map(bytes.substr(0, end), "m.yaml");
  if (!check_answer(map) || end == std::string_view::npos) return false;
  const Result<io::Image> image = io::parse_image(bytes.substr(end + 1), "m.pgm");
  if (!check_answer(image)) return false;
  return check_answer(atlas::extrude(*map, atlas::classify(*map, *image), "m.yaml"));
}

inline bool run_world_yaml(std::string_view bytes) {
  return check_answer(atlas::parse_world_yaml(bytes, "w.world.yaml"));
}

inline bool run_robot_yaml(std::string_view bytes) { return check_answer(io::parse_robot(bytes, "r.yaml")); }

inline bool run_scenario_yaml(std::string_view bytes) { return check_answer(io::parse_scenario(bytes, "s.yaml")); }

inline bool run_movingai_map(std::string_view bytes) { return check_answer(atlas::parse_movingai_map(bytes, "m.map")); }

inline bool run_movingai_scen(std::string_view bytes) {
  return check_answer(atlas::parse_movingai_problems(bytes, "m.scen", {512, 512, 1, {}}));
}

// What was read is written and read again: it must be the same.
inline bool run_glb(std::string_view bytes) {
  const Result<world::World> world = atlas::parse_glb(bytes, "w.glb");
  if (!check_answer(world)) return false;
  const std::string once = atlas::encode_glb(*world);
  const Result<world::World> back = atlas::parse_glb(once, "w.glb");
  FORERUN_CHECK(back.ok());
  FORERUN_CHECK(back->triangles.size() == world->triangles.size());
  FORERUN_CHECK(atlas::encode_glb(*back) == once);
  return true;
}

inline bool run_drive_log(std::string_view bytes) {
  if (!io::is_gzip(bytes)) return check_answer(io::parse_drive_log(bytes, "d.csv"));
  const Result<std::string> text = io::unpack_gzip(bytes, "d.csv.gz", std::size_t{1} << 20);
  return check_answer(text) && check_answer(io::parse_drive_log(*text, "d.csv"));
}

// What was taken can be used: whole scans in the order of their stamps.
inline bool run_scan_log(std::string_view bytes) {
  const Result<io::ScanLog> log = io::parse_scan_log(bytes, "s.log");
  if (!check_answer(log)) return false;
  double before = log->scans.front().time;
  for (const io::LoggedScan& scan : log->scans) {
    FORERUN_CHECK(scan.ranges.size() == log->scans.front().ranges.size() && scan.time >= before);
    FORERUN_CHECK(std::all_of(scan.ranges.begin(), scan.ranges.end(), [](float range) { return range > 0; }));
    before = scan.time;
  }
  return true;
}

inline bool run_path_csv(std::string_view bytes) { return check_answer(io::parse_path(bytes, "p.csv")); }

// What was read is written and read again: it must be the same.
inline bool run_mission_json(std::string_view bytes) {
  const auto read = io::parse_mission(bytes, "m.json");
  if (!check_answer(read)) return false;
  const std::string once = io::write_mission(read->mission);
  const auto back = io::parse_mission(once, "m.json");
  FORERUN_CHECK(back.ok());
  FORERUN_CHECK(io::write_mission(back->mission) == once);
  return true;
}

// A mission as operators bring it: signed by anybody, and written again as it was.
inline bool run_mission_object(std::string_view bytes) {
  const auto sealed = mission::unpack_signed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!sealed) return false;
  const auto read = mission::mission_from_bytes(sealed->mission);
  if (!check_answer(read)) return false;
  FORERUN_CHECK(read->path.size() >= 2 && read->path.front().time == 0);
  const auto written = mission::to_bytes(*read);
  FORERUN_CHECK(written.ok());
  const auto again = mission::mission_from_bytes(*written);
  FORERUN_CHECK(again.ok() && again->path.size() == read->path.size());
  FORERUN_CHECK(*mission::to_bytes(*again) == *written);
  return true;
}

// A learned response as it comes with a robot's description: written again as it was, and whatever its weights say, who
// predicts by it comes to an end.
inline bool run_learned_response(std::string_view bytes) {
  const auto read = respond::model_from_bytes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!check_answer(read)) return false;
  const auto written = respond::to_bytes(*read);
  FORERUN_CHECK(written.size() == bytes.size() &&
                std::equal(written.begin(), written.end(), bytes.begin(),
                           [](auto a, auto b) { return a == static_cast<std::uint8_t>(b); }));
  respond::Responder responder(*read);
  for (int i = 0; i < 40; ++i) {
    responder.give(0.05 * i, {0.1 * i, 0, 0.2 * (i % 7)});
    responder.see(0.05 * i, {0.01 * i, 0, 0.1 * i});
    static_cast<void>(responder.at(0.05 * i + 0.3));
  }
  return true;
}

inline bool run_plan_log(std::string_view bytes) {
  const auto plans = io::parse_plan_log(bytes, "d.plan.csv");
  if (!check_answer(plans)) return false;
  for (const io::LoggedPlan& plan : *plans) FORERUN_CHECK(robot::thin_path(plan.points).empty() == plan.points.empty());
  return true;
}

// What was unpacked is packed again: it must be the same bytes.
inline bool run_model_bundle(std::string_view bytes) {
  if (const auto parts = sim::unpack_parts(as_bytes(bytes))) {
    FORERUN_CHECK(is_same(sim::pack_parts(*parts), as_bytes(bytes)));
    return true;
  }
  const Result<sim::ModelBundle> bundle = sim::unpack_model(as_bytes(bytes));
  if (!check_answer(bundle)) return false;
  FORERUN_CHECK(is_same(sim::pack_model(bundle->world, bundle->robot), as_bytes(bytes)));
  return true;
}

// The first byte says which frame it is.
inline bool run_bulk_frame(std::string_view bytes) {
  if (bytes.empty()) return false;
  const Bytes body = as_bytes(bytes.substr(1));
  return bytes[0] == 0 ? check_offer(body) : bytes[0] == 1 ? check_request(body) : check_chunk(body);
}

// Frames of a kind (a byte), a length (two bytes) and a body, as a receiver gets them from a peer that lies.
inline bool run_bulk_receiver(std::string_view bytes) {
  static const net::SodiumCipher kCipher;
  sync::BulkReceiver receiver(kCipher, {.largest_object = 1 << 16});
  ByteReader in(as_bytes(bytes));
  Duration now;
  while (in.remaining() > 0) {
    const std::uint8_t kind = in.u8();
    const Bytes body = in.bytes(in.u16());
    if (const auto offer = sync::decode_offer(body); offer && kind == 0) receiver.begin(*offer);
    if (const auto chunk = sync::decode_chunk(body); chunk && kind == 1) receiver.on_chunk(*chunk);
    now += Duration{std::int64_t{kind} << 24};
    receiver.tick(now, {},
                  [](sync::FrameKind, Bytes request) { FORERUN_CHECK(sync::decode_request(request).has_value()); });
    FORERUN_CHECK(receiver.progress() >= 0 && receiver.progress() <= 1);
  }
  if (receiver.status() != sync::BulkStatus::complete) return false;
  FORERUN_CHECK(sync::object_of(kCipher.hash(receiver.bytes())) == receiver.object());
  return true;
}

// A control system's line, read as a state and as a command; what was read is written and read again.
inline bool run_robot_json(std::string_view bytes) {
  const auto state = net::parse_robot_state(bytes);
  if (check_answer(state)) {
    const std::string once = net::write_robot_state(*state);
    const auto back = net::parse_robot_state(once);
    FORERUN_CHECK(back.ok() && net::write_robot_state(*back) == once);
  }
  const auto command = net::parse_robot_command(bytes);
  if (check_answer(command)) {
    const std::string once = net::write_robot_command(*command);
    const auto back = net::parse_robot_command(once);
    FORERUN_CHECK(back.ok() && net::write_robot_command(*back) == once);
  }
  const auto answer = net::parse_robot_answer(bytes);
  if (answer && check_answer(*answer)) {
    const std::string once = net::write_robot_answer(**answer);
    const auto back = net::parse_robot_answer(once);
    FORERUN_CHECK(back && back->ok() && net::write_robot_answer(**back) == once);
  }
  return state.ok() || command.ok() || (answer && answer->ok());
}

// A profile that was read can be used: no datagram arrives before it was sent.
inline void send_some(const impair::LinkProfile& profile) {
  for (const impair::Way way : {impair::Way::up, impair::Way::down}) {
    impair::Link link(profile, way, 1);
    for (std::int64_t i = 0; i < 20; ++i) {
      for (const Duration delay : link.carry({i * i * 70'000'000}, 100)) FORERUN_CHECK(delay.ns >= 0);
    }
  }
}

inline bool run_link_profile_yaml(std::string_view bytes) {
  const Result<impair::LinkProfile> profile = io::parse_link_profile(bytes, "p.yaml");
  if (!check_answer(profile)) return false;
  send_some(*profile);
  return true;
}

inline bool run_rtt_trace(std::string_view bytes) {
  Result<io::RttTrace> trace = io::parse_rtt_trace(bytes, "t.csv", 10);
  if (!check_answer(trace)) return false;
  impair::LinkProfile profile;
  profile.trace = std::move(trace->samples);
  profile.trace_length = trace->length;
  send_some(profile);
  return true;
}

// What was accepted can be read, all of it.
inline bool run_mcap_reader(std::string_view bytes) {
  Result<record::McapReader> reader = record::McapReader::parse(std::string(bytes), "r.mcap");
  if (!check_answer(reader)) return false;
  std::uint64_t n_messages = 0;
  for (std::size_t i = 0; i < reader->chunks().size(); ++i) {
    const auto messages = reader->read(i);
    FORERUN_CHECK(messages.ok());
    n_messages += messages->size();
    for (const record::McapMessage& message : *messages) {
      FORERUN_CHECK(reader->channels().contains(message.channel));
      FORERUN_CHECK(message.log_time_ns >= reader->first_time_ns());
      FORERUN_CHECK(message.log_time_ns <= reader->chunks()[i].last);
    }
  }
  FORERUN_CHECK(n_messages == reader->n_messages() && n_messages > 0);
  return true;
}

struct Entry {
  const char* name;
  bool (*run)(std::string_view bytes);
};

inline constexpr std::array<Entry, 36> kEntries{{
    {"image", run_image},
    {"ros_map", run_ros_map},
    {"world_yaml", run_world_yaml},
    {"robot_yaml", run_robot_yaml},
    {"scenario_yaml", run_scenario_yaml},
    {"movingai_map", run_movingai_map},
    {"movingai_scen", run_movingai_scen},
    {"glb", run_glb},
    {"drive_log", run_drive_log},
    {"plan_log", run_plan_log},
    {"scan_log", run_scan_log},
    {"path_csv", run_path_csv},
    {"mission_json", run_mission_json},
    {"mission_object", run_mission_object},
    {"learned_response", run_learned_response},
    {"link_profile_yaml", run_link_profile_yaml},
    {"rtt_trace", run_rtt_trace},
    {"mcap_reader", run_mcap_reader},
    {"model_bundle", run_model_bundle},
    {"bulk_frame", run_bulk_frame},
    {"bulk_receiver", run_bulk_receiver},
    {"robot_json", run_robot_json},
    {"link_report", run_link_report},
    {"planned_path", run_planned_path},
    {"image_parts", run_image_parts},
    {"link_frames", run_link_frames},
    {"link_greeting", run_link_greeting},
    {"link_server", run_link_server},
    {"link_client", run_link_client},
    {"allowed_keys", run_allowed_keys},
    {"page_wish", run_page_wish},
    {"web_frames", run_web_frames},
    {"web_visit", run_web_visit},
    {"usarsim_client", run_usarsim_client},
    {"usarsim_server", run_usarsim_server},
    {"kenaf_datagram", run_kenaf_datagram},
}};

}  // namespace forerun::fuzz
