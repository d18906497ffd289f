#include "forerun/watch/page_feed.hpp"

#include <algorithm>
#include <cstdio>

#include "forerun/mission/mission_bytes.hpp"
#include "forerun/robot/cameras.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/watch/refusal_text.hpp"
#include "forerun/watch/warnings.hpp"

namespace forerun::watch {
namespace {

constexpr Duration kLinkInterval = from_seconds(0.25);
constexpr Duration kTimeInterval = from_seconds(1);
constexpr Duration kDeadMan = from_seconds(0.35);  // the page repeats velocities every 0.1 s while a key is held
constexpr double kSigmasOf95 = 1.96;
constexpr std::size_t kMostFollowed = sync::CommandSender::kRemembered;

bool is_same(const std::optional<robot::Report>& known, const robot::Report& report) {
  return known && known->time == report.time && known->sequence == report.sequence;
}

std::string after_text(Duration d) {
  char text[64];
  std::snprintf(text, sizeof text, "the robot confirmed it after %.0f ms", to_seconds(d) * 1e3);
  return text;
}

}  // namespace

const char* why_not_given(net::Viewer& viewer, const robot::Command& command) {
  if (!sync::can_be_sent(command)) return "its numbers are larger than a message can hold";
  if (viewer.client().state(viewer.now()) != sync::LinkState::open) return "there is no open session";
  return "a stop has not been answered yet";
}

PageFeed::PageFeed(net::Viewer& viewer, web::PageSink& hub, std::uint32_t robot, std::string place,
                   net::OnComplaint on_complaint)
    : viewer_(viewer),
      hub_(hub),
      robot_(robot),
      card_{.name = std::move(place)},
      on_complaint_(std::move(on_complaint)) {
  hub_.set_robot(robot_, card_);
}

RobotTime PageFeed::robot_now(OperatorTime now) {
  const sync::Client& client = viewer_.client();
  const RobotTime time = client.clock().to_remote(now).time;
  // never before the report: clocks are known to some milliseconds only
  return client.newest() ? std::max(time, client.newest()->time) : time;
}

void PageFeed::look() {
  if (model_.look(viewer_.client())) take_model();
  if (mission_.look(viewer_.client(), model_)) hub_.put_mission(robot_, mission_.number(), mission_.object());
  const OperatorTime now = viewer_.now();
  if (driven_ && now - *driven_ > kDeadMan) end_hand_driving();
  follow_commands();
  if (viewer_.client().clock().ready()) {
    pass_report(now);
    pass_images(now);
    if (now >= next_time_) {
      next_time_ = now + kTimeInterval;
      hub_.time(robot_, robot_now(now));
    }
  }
  if (now >= next_link_) {
    next_link_ = now + kLinkInterval;
    pass_link(now);
  }
}

void PageFeed::take_model() {
  sync::Client& client = viewer_.client();
  const std::vector<std::uint8_t> bytes = model_.bundle();
  const auto bundle = sim::unpack_model(bytes);
  if (!bundle) {
    return on_complaint_("the model cannot be read: " + bundle.error().message);
  }
  client.set_world_bounds(world::bounds(bundle->world));
  // the model first: the page asks for it as soon as it knows its number
  hub_.put_model(model_.model(), bytes);
  card_ = {.name = bundle->robot.name, .world = bundle->world.name, .model = model_.model()};
  cameras_.clear();
  for (const auto& [name, eye] : robot::cameras(bundle->robot)) {
    if (!offers_images_) break;
    cameras_.push_back({.eye = eye});
    card_.cameras.emplace_back(name);
  }
  hub_.set_robot(robot_, card_);
}

void PageFeed::pass_report(OperatorTime now) {
  const auto& newest = viewer_.client().newest();
  if (!newest || is_same(passed_, *newest)) return;
  passed_ = newest;
  hub_.report(robot_, {*newest, viewer_.client().newest_body()}, robot_now(now));
}

// Nobody here looks at the bytes: whatever they are, the browser decodes them.
void PageFeed::pass_images(OperatorTime now) {
  for (std::size_t i = 0; i < cameras_.size(); ++i) {
    const auto& newest = viewer_.client().images().newest(static_cast<std::uint8_t>(i));
    if (!newest || newest->info.taken == cameras_[i].taken) continue;
    cameras_[i].taken = newest->info.taken;
    if (newest->info.encoding != image::Encoding::jpeg) continue;
    hub_.image(robot_, {newest->info, newest->bytes, cameras_[i].eye}, robot_now(now));
  }
}

void PageFeed::look_through(web::BrowserId browser, image::Cameras wanted) {
  std::erase_if(lookers_, [&](const Looker& looker) { return looker.browser == browser; });
  if (wanted != image::kNoCamera) lookers_.push_back({browser, wanted});
  image::Cameras all = image::kNoCamera;
  for (const Looker& looker : lookers_) all |= looker.cameras;
  viewer_.look(all);
}

void PageFeed::pass_link(OperatorTime now) {
  const sync::Client& client = viewer_.client();
  web::PageLink link{.loss = client.lost_fraction(now),
                     .state = to_string(client.state(now)),
                     .may_operate = client.role() == sync::Role::operate};
  if (client.clock().ready()) {
    const auto [robot_time, uncertainty] = client.clock().to_remote(now);
    if (client.newest()) link.age = std::max(0.0, to_seconds(robot_time - client.newest()->time));
    link.round_trip = client.clock().filter().round_trip() * 1e-9;
    link.clock_offset = to_seconds(Duration{robot_time.ns - now.ns});
    link.clock_sigma = to_seconds(uncertainty) / kSigmasOf95;
  }
  for (Warning& warning : find_warnings(client, now, link.age)) {
    link.warnings.push_back({warning.kind, std::move(warning.text)});
  }
  link.upload = upload();
  hub_.link(robot_, link);
}

Result<void> PageFeed::bring(Bytes mission) {
  const auto read = mission::mission_from_bytes(mission);
  if (!read) return read.error();
  brought_ = viewer_.bring_mission(mission);
  next_link_ = viewer_.now();
  return {};
}

std::optional<web::PageUpload> PageFeed::upload() const {
  const sync::Delivery& delivery = viewer_.client().delivery();
  if (!brought_ || delivery.object() != *brought_) return std::nullopt;
  web::PageUpload upload{.mission = *brought_, .share = delivery.share()};
  if (const auto& verdict = delivery.verdict()) {
    const bool taken = verdict->taken == sync::Taken::yes;
    upload.state = taken ? "taken" : "refused";
    if (!taken) upload.why = refusal_text(*verdict);
  }
  return upload;
}

void PageFeed::tell(std::uint32_t number, robot::CommandKind kind, const char* state, std::string text) {
  hub_.outcome(robot_, {.number = number, .kind = kind, .state = state, .text = std::move(text)});
}

void PageFeed::give(const robot::Command& command, web::BrowserId browser) {
  if (command.kind == robot::CommandKind::drive) return drive(command, browser);
  if (command.kind == robot::CommandKind::start) return start(command);
  const auto number = viewer_.give(command);
  driven_.reset();
  follow(command, number);
}

// Says how often the mission had been started as far as the page knows: pressed again, or by somebody else, it passes
// over no hold. A mission that the newest report does not name is new to the robot.
void PageFeed::start(robot::Command command) {
  const auto& newest = viewer_.client().newest();
  if (newest && command.starts == robot::kAnyStart) {
    const bool named = newest->mission && newest->mission->number == command.mission;
    command.starts = named ? newest->mission->starts : std::uint16_t{0};
  }
  const auto number = viewer_.give(command);
  driven_.reset();
  follow(command, number);
}

void PageFeed::drive(const robot::Command& command, web::BrowserId browser) {
  const OperatorTime now = viewer_.now();
  switch (hands_.judge(browser, command.velocity, now)) {
    case HandDriving::Verdict::may_drive:
      break;
    case HandDriving::Verdict::must_let_go:
      return tell(++n_commands_, command.kind, "failed", "It was not sent: let go first, then drive again.");
    case HandDriving::Verdict::must_let_go_still:
      return;
  }
  const auto number = viewer_.give(command);
  if (number) {
    driven_ = now;
    driver_ = browser;
  } else if (command.velocity == robot::Twist{}) {
    return;  // to let go is no wish that fails: without us the robot's own time limit ends the drive
  }
  follow(command, number);
  if (!number) hands_.all_must_let_go(true);
}

void PageFeed::follow(const robot::Command& command, std::optional<std::uint64_t> number) {
  const auto known = std::find_if(followed_.begin(), followed_.end(), [&](const Followed& f) {
    return number && f.number == *number;  // hand driving goes on under its first number
  });
  if (known != followed_.end()) return hub_.command(robot_, known->page_number, command);
  const std::uint32_t page_number = ++n_commands_;
  hub_.command(robot_, page_number, command);
  if (command.kind == robot::CommandKind::stop) hands_.all_must_let_go(false);
  if (!number) {
    return tell(page_number, command.kind, "failed",
                std::string("It was not sent: ") + why_not_given(viewer_, command) + ".");
  }
  if (followed_.size() == kMostFollowed) followed_.erase(followed_.begin());
  followed_.push_back({*number, page_number});
  tell(page_number, command.kind, "sent", "");
}

void PageFeed::leave(web::BrowserId browser) {
  hands_.forget(browser);
  look_through(browser, image::kNoCamera);
  if (driver_ == browser) end_hand_driving();
}

void PageFeed::end_hand_driving() {
  if (!driven_) return;
  driven_.reset();
  (void)viewer_.give({.kind = robot::CommandKind::drive});
}

bool PageFeed::tell_outcome(const sync::CommandRecord& record, std::uint32_t page_number) {
  using State = sync::CommandRecord::State;
  switch (record.state) {
    case State::pending:
      return false;
    case State::executed:
      tell(page_number, record.kind, "confirmed", after_text(record.answered - record.given));
      return true;
    case State::refused:
      tell(page_number, record.kind, "refused", "The robot refused it: " + refusal_text(record));
      return true;
    case State::replaced:
      tell(page_number, record.kind, "failed", "A newer command took its place.");
      return true;
    case State::expired:
      tell(page_number, record.kind, "failed",
           "No answer came in time, and it is not sent again. It may have been executed all the same.");
      return true;
  }
  return true;
}

void PageFeed::follow_commands() {
  const auto& records = viewer_.client().commands().records();
  std::erase_if(followed_, [&](const Followed& followed) {
    // the newest of those under one number
    const sync::CommandRecord* found = nullptr;
    for (const sync::CommandRecord& record : records) {
      if (record.number == followed.number) found = &record;
    }
    if (found == nullptr) return true;
    return tell_outcome(*found, followed.page_number);
  });
}

}  // namespace forerun::watch
