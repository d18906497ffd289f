#include "forerun/serve/robot_service.hpp"

#include <algorithm>

#include "forerun/serve/offer_model.hpp"

namespace forerun::serve {
namespace {

constexpr Duration kAllowedInterval = from_seconds(1);  // a key that was forbidden loses its session so soon
constexpr Duration kComplaintInterval = from_seconds(1);
constexpr Duration kShotTime = from_seconds(0.04);  // an image that is drawn must not hold up a report

}  // namespace

RobotService::RobotService(net::RobotServer server, ServedRobot& robot, Duration look_interval)
    : server_(std::move(server)),
      robot_(robot),
      look_interval_(look_interval),
      looked_(server_.now() - look_interval),
      next_allowed_(server_.now() + kAllowedInterval) {}

Result<std::unique_ptr<RobotService>> RobotService::open(const Setup& setup, const sim::Setting& setting,
                                                         ServedRobot& robot) {
  net::RobotServer::Setup link = setup.link;
  std::optional<AllowedFile> allowed;
  if (!setup.key_folder.empty()) {
    allowed.emplace(setup.key_folder);
    auto keys = allowed->load();
    if (!keys) return keys.error();
    link.allowed = std::move(*keys);
  }
  std::unique_ptr<SendWhenOff> when;
  if (setup.when) {
    auto made = SendWhenOff::make(setting, *setup.when);
    if (!made) return made.error();
    when = std::move(*made);
  }
  auto server = net::RobotServer::open(link, robot);
  if (!server) return server.error();
  std::unique_ptr<RobotService> service(new RobotService(std::move(*server), robot, setup.look_interval));
  service->allowed_ = std::move(allowed);
  service->when_ = std::move(when);
  service->on_complaint_ = setup.on_complaint;
  service->images_per_s_ = setup.images_per_s;
  service->stamp_.robot = setup.robot != 0 ? setup.robot : ByteReader(link.keys.open).u32();
  service->stamp_.model = offer_model(service->server_, setting.world, setting.robot);
  return service;
}

void RobotService::publish(bool obeyed) {
  auto report = robot_.look(server_.now());
  if (!report) return;
  report->robot = stamp_.robot;
  report->model = stamp_.model;
  if (when_ && !obeyed && !when_->is_due(*report, server_)) return;
  report->sequence = stamp_.sequence++;
  plans_.apply(*report);
  if (report->response) response_ = *report->response;
  findings_.apply(*report);
  if (!server_.publish(*report)) {
    const RobotTime now = server_.now();
    if (now < next_complaint_) return;
    next_complaint_ = now + kComplaintInterval;
    return on_complaint_("a state of the robot could not be sent: its numbers are out of range");
  }
  obedience_.on_sent();
  if (when_) when_->on_sent(*report, server_);
}

void RobotService::keep_up_with_allowed(RobotTime now) {
  if (!allowed_ || now < next_allowed_) return;
  next_allowed_ = now + kAllowedInterval;
  if (!allowed_->changed()) return;
  auto keys = allowed_->load();
  if (keys) {
    server_.set_allowed(std::move(*keys));
  } else {
    on_complaint_("the old list of allowed keys stays in force: " + keys.error().message);
  }
}

void RobotService::turn(double longest_s) {
  const RobotTime now = server_.now();
  keep_up_with_allowed(now);
  const bool obeyed = obedience_.wants_report(now, server_.counts().commands_executed);
  const RobotTime due = looked_ + look_interval_;
  const bool published = obeyed || now >= due;
  if (published) {
    publish(obeyed);
    // after a pause of the machine it goes on, and does not make up for what was missed
    looked_ = std::max(obeyed ? now : due, now - look_interval_);
  }
  if (published || looked_ + look_interval_ - now > kShotTime) send_image();
  const double wait = to_seconds(looked_ + look_interval_ - server_.now());
  server_.poll(std::clamp(wait, 0.0, longest_s), robot_.descriptors());
  robot_.listen(server_.now());
  offer_mission();
}

// Cameras that somebody looks through take turns.
void RobotService::send_image() {
  const RobotTime now = server_.now();
  if (images_per_s_ <= 0 || now < next_image_) return;
  const image::Cameras wanted = server_.wanted_cameras();
  for (int i = 1; i <= image::kMostCameras; ++i) {
    const auto camera = static_cast<std::uint8_t>((camera_ + i) % image::kMostCameras);
    if (!image::has(wanted, camera) || !send_image(camera, now)) continue;
    camera_ = camera;
    return;
  }
}

// As large as can be sent before the next: who looks over a bad link gets worse images, not older ones. False: there is
// no such camera.
bool RobotService::send_image(std::uint8_t camera, RobotTime now) {
  const auto bytes_per_s = server_.image_bytes_per_s(camera);
  if (!bytes_per_s) return false;
  const auto largest = static_cast<std::size_t>(*bytes_per_s / images_per_s_);
  const auto shot = robot_.photograph(now, {.camera = camera, .largest = largest});
  if (!shot) return false;
  next_image_ = now + from_seconds(std::max(1 / images_per_s_, static_cast<double>(shot->jpeg.size()) / *bytes_per_s));
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(shot->jpeg.data());
  if (server_.publish_image(shot->info, {bytes, shot->jpeg.size()}) || now < next_complaint_) return true;
  next_complaint_ = now + kComplaintInterval;
  on_complaint_("an image of the robot's camera could not be sent: it is too large, or its numbers are out of range");
  return true;
}

// Whoever watches may want to know what the robot was told.
void RobotService::offer_mission() {
  const MissionDesk* desk = robot_.missions();
  if (desk == nullptr || desk->number() == mission_) return;
  server_.withdraw(mission_);
  mission_ = desk->number();
  server_.offer(sync::ObjectKind::mission, desk->object());
}

}  // namespace forerun::serve
