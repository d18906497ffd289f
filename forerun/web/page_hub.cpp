#include "forerun/web/page_hub.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/net/steady_time.hpp"

namespace forerun::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kKeptOfReplay = 20;                        // reports: enough for a predictor to know the robot
constexpr std::size_t kImageSize = 8 + std::size_t{11} * 8 + 5;  // before the JPEG
constexpr std::size_t kTruthSize = kHeaderSize + std::size_t{3} * 8;
enum class FrameOfPage : std::uint8_t { report = 1, time = 2, truth = 3, image = 4 };
// of each camera the newest image: they do not take each other's place
enum class Topic : std::uint32_t { report, time, truth, link, image, count = image + image::kMostCameras };

std::uint32_t topic_of(std::uint32_t robot, Topic topic) {
  return robot * static_cast<std::uint32_t>(Topic::count) + static_cast<std::uint32_t>(topic);
}

std::string header(FrameOfPage kind, std::uint32_t robot, std::int64_t robot_now_ns) {
  std::array<std::uint8_t, kHeaderSize> bytes{};
  ByteWriter writer(bytes);
  writer.u8(static_cast<std::uint8_t>(kind));
  writer.u8(0);
  writer.u16(0);
  writer.u32(robot);
  writer.i64(robot_now_ns);
  return {bytes.begin(), bytes.end()};
}

std::string path_of(std::uint64_t model) { return "/model/" + to_hex(model); }
std::string mission_path_of(std::uint64_t mission) { return "/mission/" + to_hex(mission); }

WebFile file_of(std::string path, Bytes bytes) {
  return {.path = std::move(path),
          .content_type = "application/octet-stream",
          .bytes = {},
          .tag = {},
          .fixed = true,
          .owned = std::make_shared<const std::vector<std::uint8_t>>(bytes.begin(), bytes.end())};
}

const char* word_for(PageMode mode) {
  switch (mode) {
    case PageMode::demo:
      return "demo";
    case PageMode::operate:
      return "operate";
    case PageMode::watch:
      return "watch";
    case PageMode::replay:
      return "replay";
  }
  return "watch";
}

Json to_json(const PageUpload& upload) {
  return {{"mission", to_hex(upload.mission)}, {"state", upload.state}, {"share", upload.share}, {"why", upload.why}};
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const PageReplay& replay) {
  return {{"type", "replay"},    {"at_s", replay.at_s},     {"duration_s", replay.duration_s},
          {"pace", replay.pace}, {"paused", replay.paused}, {"jump", replay.jump}};
}

// Names come from files of others and may be no text at all.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

PageHub::PageHub(WebServer& web, PageMode mode, std::string version, std::size_t n_robots)
    : web_(web), mode_(mode), version_(std::move(version)), robots_(n_robots) {}

PageHub::Robot* PageHub::find(std::uint32_t robot) {
  return robot >= 1 && robot <= robots_.size() ? &robots_[robot - 1] : nullptr;
}

WebMessage PageHub::hello() const {
  Json robots = Json::array();
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    const auto& card = robots_[i].card;
    if (!card) continue;
    robots.push_back({{"id", i + 1},
                      {"name", card->name},
                      {"world", card->world},
                      {"model", card->model == 0 ? std::string() : to_hex(card->model)},
                      {"cameras", card->cameras}});
  }
  Json json{{"type", "hello"}, {"mode", word_for(mode_)}, {"robots", std::move(robots)}, {"version", version_}};
  if (replay_) {
    json["first_time_s"] = replay_->begin_s;
    json["last_time_s"] = replay_->begin_s + replay_->duration_s;
  }
  return make_text(dump(json));
}

RobotTime PageHub::clock_of(const Robot& robot) const {
  // a recording's clock runs and rests as it is played
  return mode_ == PageMode::replay ? robot.told : RobotTime{net::read_steady_time() + robot.clock_offset};
}

void PageHub::set_replay(const PageReplay& replay) {
  const std::lock_guard lock(mutex_);
  if (replay_ && replay_->jump != replay.jump) {
    for (Robot& robot : robots_) {
      robot.reports.clear();
      robot.link = {};
    }
  }
  replay_ = replay;
  web_.send_to_all(make_text(dump(to_json(replay))));
}

void PageHub::set_mode(PageMode mode) {
  const std::lock_guard lock(mutex_);
  if (mode_ == mode) return;
  mode_ = mode;
  web_.send_to_all(hello());
}

void PageHub::set_robot(std::uint32_t robot, const RobotCard& card) {
  const std::lock_guard lock(mutex_);
  Robot* entry = find(robot);
  if (entry == nullptr || entry->card == card) return;
  entry->card = card;
  web_.send_to_all(hello());
  forget_models();
}

// A robot whose world changes often must not fill the memory. A model that was put and not yet named is about to be.
void PageHub::forget_models() {
  std::erase_if(models_, [&](Model& model) {
    const bool used = std::any_of(robots_.begin(), robots_.end(),
                                  [&](const Robot& r) { return r.card && r.card->model == model.number; });
    model.named = model.named || used;
    if (used || !model.named) return false;
    web_.remove(path_of(model.number));
    return true;
  });
}

void PageHub::set_demo(const DemoSettings& settings) {
  Json json{{"type", "demo"}};
  Json ranges = Json::object();
  DemoSettings shown = settings;
  visit_fields(shown, [&](const char* key, auto& value, const Field& field) {
    json[key] = value;
    if (field.low != field.high) ranges[key] = {field.low, field.high};
  });
  json["ranges"] = std::move(ranges);
  const std::lock_guard lock(mutex_);
  demo_ = make_text(dump(json));
  web_.send_to_all(demo_);
}

void PageHub::put_model(std::uint64_t model, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  std::erase_if(models_, [&](const Model& known) { return known.number == model; });
  models_.push_back({.number = model});
  web_.put(file_of(path_of(model), bytes));
}

void PageHub::put_mission(std::uint32_t robot, std::uint64_t mission, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  Robot* entry = find(robot);
  if (entry == nullptr || entry->mission == mission) return;
  const std::uint64_t before = std::exchange(entry->mission, mission);
  const bool used = std::any_of(robots_.begin(), robots_.end(), [&](const Robot& r) { return r.mission == before; });
  if (before != 0 && !used) web_.remove(mission_path_of(before));
  web_.put(file_of(mission_path_of(mission), bytes));
}

void PageHub::report(std::uint32_t robot, const PageReport& report, RobotTime robot_now) {
  const std::lock_guard lock(mutex_);
  Robot* entry = find(robot);
  if (entry == nullptr) return;
  const bool replayed = mode_ == PageMode::replay;
  if (entry->reports.size() >= (replayed ? kKeptOfReplay : 1)) entry->reports.pop_front();
  entry->reports.emplace_back(report.body.begin(), report.body.end());
  entry->clock_offset = robot_now.ns - net::read_steady_time();
  entry->told = robot_now;
  WebMessage message = make_binary(header(FrameOfPage::report, robot, robot_now.ns) + entry->reports.back());
  // live the newest one is all that counts; of a recording each has its place
  if (replayed) return web_.send_to_all(std::move(message));
  web_.publish(topic_of(robot, Topic::report), std::move(message));
}

void PageHub::time(std::uint32_t robot, RobotTime robot_now) {
  {
    const std::lock_guard lock(mutex_);
    if (Robot* entry = find(robot)) entry->told = robot_now;
  }
  web_.publish(topic_of(robot, Topic::time), make_binary(header(FrameOfPage::time, robot, robot_now.ns)));
}

void PageHub::truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) {
  std::array<std::uint8_t, kTruthSize - kHeaderSize> numbers{};
  ByteWriter writer(numbers);
  for (const double number : {pose.x, pose.y, pose.theta}) writer.f64(number);
  std::string bytes = header(FrameOfPage::truth, robot, robot_now.ns);
  bytes.append(numbers.begin(), numbers.end());
  web_.publish(topic_of(robot, Topic::truth), make_binary(bytes));
}

void PageHub::image(std::uint32_t robot, const PageImage& image, RobotTime robot_now) {
  const image::Info& info = image.info;
  std::array<std::uint8_t, kImageSize> numbers{};
  ByteWriter writer(numbers);
  writer.i64(info.taken.ns);
  for (const double n :
       {info.place.x, info.place.y, info.place.z, info.attitude.roll, info.attitude.pitch, info.attitude.yaw,
        info.field_of_view, image.eye.place.x, image.eye.place.y, image.eye.place.z, image.eye.tilt}) {
    writer.f64(n);
  }
  writer.u16(info.width);
  writer.u16(info.height);
  writer.u8(info.camera);
  std::string bytes = header(FrameOfPage::image, robot, robot_now.ns);
  bytes.append(numbers.begin(), numbers.end());
  bytes.append(image.jpeg.begin(), image.jpeg.end());
  web_.publish(topic_of(robot, Topic::image) + info.camera, make_binary(bytes));
}

void PageHub::link(std::uint32_t robot, const PageLink& link) {
  Json warnings = Json::array();
  for (const PageWarning& warning : link.warnings) warnings.push_back({{"kind", warning.kind}, {"text", warning.text}});
  WebMessage message = make_text(dump({{"type", "link"},
                                       {"robot", robot},
                                       {"age_s", or_null(link.age)},
                                       {"loss", link.loss},
                                       {"round_trip_s", or_null(link.round_trip)},
                                       {"clock_offset_s", or_null(link.clock_offset)},
                                       {"clock_sigma_s", or_null(link.clock_sigma)},
                                       {"state", link.state},
                                       {"may_operate", link.may_operate},
                                       {"upload", link.upload ? to_json(*link.upload) : Json(nullptr)},
                                       {"warnings", std::move(warnings)}}));
  const std::lock_guard lock(mutex_);
  Robot* entry = find(robot);
  if (entry == nullptr) return;
  entry->link = message;
  web_.publish(topic_of(robot, Topic::link), std::move(message));
}

void PageHub::outcome(std::uint32_t robot, const PageOutcome& outcome) {
  web_.send_to_all(make_text(dump({{"type", "outcome"},
                                   {"robot", robot},
                                   {"number", outcome.number},
                                   {"command", robot::to_string(outcome.kind)},
                                   {"state", outcome.state},
                                   {"text", outcome.text}})));
}

void PageHub::refuse(BrowserId browser, const std::string& text) {
  web_.send(browser, make_text(dump({{"type", "outcome"},
                                     {"robot", 0},
                                     {"number", 0},
                                     {"command", nullptr},
                                     {"state", "refused"},
                                     {"text", text}})));
}

void PageHub::welcome(BrowserId browser) {
  const std::lock_guard lock(mutex_);
  std::vector<WebMessage> first{hello()};
  if (replay_) first.push_back(make_text(dump(to_json(*replay_))));
  if (demo_.bytes) first.push_back(demo_);
  for (std::uint32_t i = 1; i <= robots_.size(); ++i) {
    const Robot& entry = robots_[i - 1];
    // the report is old, but the clock must be right
    for (const std::string& body : entry.reports) {
      first.push_back(make_binary(header(FrameOfPage::report, i, clock_of(entry).ns) + body));
    }
    if (entry.link.bytes) first.push_back(entry.link);
  }
  web_.welcome(browser, std::move(first));
}

}  // namespace forerun::web
