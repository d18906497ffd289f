#include "forerun/study/link_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/study/link_operator.hpp"
#include "forerun/study/link_robot.hpp"
#include "forerun/study/percentile.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/sync/server.hpp"

namespace forerun::study {
namespace {

using impair::Way;

constexpr Duration kTick = from_seconds(0.02);    // both ends look at their timers so often
constexpr Duration kSample = from_seconds(0.25);  // the clocks are judged so often
constexpr Duration kLate = from_seconds(0.4);     // of paper 2
constexpr Duration kProgress = from_seconds(20);  // of virtual time
constexpr double kUsualBits = 8 * 80.0;           // of a datagram
constexpr double kUsualImage = 8000;              // bytes of a JPEG of 320 × 240
const sync::Address kRobotAddress{{1}, 1000};
const sync::Address kViewerAddress{{2}, 2000};

// Datagrams that one end hands over within one call.
class Letters final : public sync::Outbox {
 public:
  MutableBytes begin() noexcept override { return room_; }
  void send(std::size_t size, const sync::Address&) noexcept override {
    letters_.emplace_back(room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(size));
  }
  void post(TrueTime now, Way way, const sync::Address& from, Wiretap& tap) {
    for (const auto& letter : letters_) tap.send(now, way, from, letter);
    letters_.clear();
  }

 private:
  std::array<std::uint8_t, sync::kLargestDatagram> room_{};
  std::vector<std::vector<std::uint8_t>> letters_;
};

// What a datagram takes at least: the path, wherever it has jumped to on average, and its own length.
double constant_delay(const impair::LinkPath& path) {
  const double jumped = path.jump_every > 0 ? path.jump / 2 : 0;
  return path.delay + jumped + (path.rate > 0 ? kUsualBits / path.rate : 0);
}

// Half of it shifts every estimate, and nobody can know.
double constant_asymmetry(const impair::LinkProfile& profile) {
  double shortest = profile.trace.empty() ? 0 : 1e9;
  for (const impair::TraceSample& sample : profile.trace) shortest = std::min(shortest, sample.round_trip);
  return constant_delay(profile.up) - constant_delay(profile.down) + (2 * profile.trace_split - 1) * shortest;
}

// Refusals of a datagram as a whole, before anything in it was looked at.
std::uint64_t n_refused(const sync::DropCounts& drops) {
  using sync::Drop;
  std::uint64_t n = 0;
  for (const Drop reason :
       {Drop::too_short, Drop::too_long, Drop::wrong_version, Drop::unknown_type, Drop::bad_token, Drop::busy,
        Drop::bad_greeting, Drop::unexpected, Drop::no_session, Drop::bad_tag, Drop::replayed}) {
    n += drops.of(reason);
  }
  return n;
}

class LinkStudy {
 public:
  LinkStudy(const impair::LinkProfile& profile, std::uint64_t seed, const LinkStudyParams& params)
      : profile_(profile),
        params_(params),
        half_asymmetry_(constant_asymmetry(profile) / 2),
        length_(from_seconds(params.duration_s)),
        robot_clock_(params.clocks, length_, Random(seed, 1)),
        viewer_clock_(params.clocks, length_, Random(seed, 2)),
        tap_(profile, params.tap, seed),
        robot_keys_(sync::make_key_pair(cipher_)),
        viewer_keys_(sync::make_key_pair(cipher_)),
        client_(cipher_, viewer_keys_, robot_keys_.open, kRobotAddress, {}, viewer_time()),
        person_(Random(seed, 3)) {
    start_server();
  }

  LinkStudyResult run(const std::function<bool(double)>& on_progress);

 private:
  [[nodiscard]] RobotTime robot_time() const { return {robot_clock_.read(now_)}; }
  [[nodiscard]] OperatorTime viewer_time() const { return {viewer_clock_.read(now_)}; }
  void start_server();
  void tick();
  void publish();
  void take_image();
  void judge_image();
  void receive(const Parcel& parcel);
  [[nodiscard]] bool hand_over(const Parcel& parcel);
  void judge(const Parcel& parcel, bool accepted);
  void judge_lateness(const Parcel& parcel);
  void judge_report();
  void sample();
  void act();
  void note_time();
  void finish();

  const impair::LinkProfile& profile_;
  LinkStudyParams params_;
  double half_asymmetry_;
  Duration length_;
  TrueTime now_;
  SimClock robot_clock_;
  SimClock viewer_clock_;
  Wiretap tap_;
  net::SodiumCipher cipher_;
  sync::KeyPair robot_keys_, viewer_keys_;
  LinkRobot robot_;
  std::unique_ptr<sync::Server> server_;
  sync::Client client_;
  LinkOperator person_;
  Letters from_robot_, from_viewer_;
  std::unordered_set<std::uint64_t> used_;                        // datagrams taken as genuine
  std::unordered_map<std::uint32_t, TrueTime> reported_, taken_;  // when, of reports and images on their way
  std::uint64_t n_reports_ = 0, n_images_ = 0;
  std::uint64_t n_samples_ = 0, n_late_ = 0;
  std::vector<double> delays_, errors_, robot_errors_, report_delays_, image_delays_;
  std::uint64_t n_covered_ = 0, n_robot_covered_ = 0;
  LinkStudyResult result_;
};

void LinkStudy::start_server() {
  robot_.lose_robot_side();
  const std::vector<sync::AllowedKey> allowed{{viewer_keys_.open, sync::Role::operate}};
  server_ = std::make_unique<sync::Server>(cipher_, robot_keys_, allowed, robot_, sync::ServerParams{}, robot_time());
}

void LinkStudy::tick() {
  robot_.set_time(now_);
  server_->tick(robot_time(), from_robot_);
  from_robot_.post(now_, Way::down, kRobotAddress, tap_);
  note_time();
  client_.tick(viewer_time(), from_viewer_);
  from_viewer_.post(now_, Way::up, kViewerAddress, tap_);
}

void LinkStudy::publish() {
  robot_.set_time(now_);
  const robot::Report report = robot_.report(robot_time());
  reported_[report.sequence] = now_;
  if (server_->publish(robot_time(), report)) {
    while (server_->broadcast(robot_time(), 64, from_robot_)) {
    }
  }
  from_robot_.post(now_, Way::down, kRobotAddress, tap_);
}

// As serve::RobotService: as large as can be sent before the next.
void LinkStudy::take_image() {
  const auto bytes_per_s = server_->image_bytes_per_s(robot_time());
  if (!bytes_per_s) return;
  const std::vector<std::uint8_t> jpeg(
      static_cast<std::size_t>(std::min(kUsualImage, *bytes_per_s / params_.images_per_s)), 0x5a);
  const image::Info info{.taken = robot_time(), .place = {0, 0, 1}, .width = 320, .height = 240};
  if (server_->publish_image(info, jpeg)) taken_[static_cast<std::uint32_t>(++result_.images_taken)] = now_;
}

void LinkStudy::judge_image() {
  if (client_.images().n_whole() == n_images_) return;
  n_images_ = client_.images().n_whole();
  const auto taken = taken_.find(client_.images().newest()->info.number);
  if (taken != taken_.end()) image_delays_.push_back(to_seconds(now_ - taken->second));
}

// Whether the end took the datagram as genuine.
bool LinkStudy::hand_over(const Parcel& parcel) {
  const bool is_data = !parcel.bytes.empty() && parcel.bytes[0] == static_cast<std::uint8_t>(sync::DatagramType::data);
  if (parcel.way == Way::up) {
    const std::uint64_t refused = n_refused(server_->counts().drops);
    const std::uint64_t begun = server_->counts().sessions_begun + server_->n_sessions();
    server_->receive(robot_time(), parcel.from, parcel.bytes, from_robot_);
    // a greeting proves nothing by itself: it counts when it made a session
    if (!is_data) return server_->counts().sessions_begun + server_->n_sessions() != begun;
    return n_refused(server_->counts().drops) == refused;
  }
  const std::uint64_t refused = n_refused(client_.counts().drops);
  const std::uint64_t begun = client_.counts().sessions_begun;
  note_time();
  client_.receive(viewer_time(), parcel.from, parcel.bytes, from_viewer_);
  if (!is_data) return client_.counts().sessions_begun != begun;
  return n_refused(client_.counts().drops) == refused;
}

void LinkStudy::receive(const Parcel& parcel) {
  robot_.set_time(now_);
  const bool accepted = hand_over(parcel);
  judge(parcel, accepted);
  if (accepted && parcel.way == Way::down) {
    judge_lateness(parcel);
    judge_report();
    judge_image();
  }
  from_robot_.post(now_, Way::down, kRobotAddress, tap_);
  from_viewer_.post(now_, Way::up, kViewerAddress, tap_);
}

void LinkStudy::judge(const Parcel& parcel, bool accepted) {
  if (!accepted) return;
  if (parcel.origin == Origin::forged) {
    ++result_.forgeries_accepted;
    return;
  }
  if (!used_.insert(parcel.id).second)
    ++(parcel.origin == Origin::replayed ? result_.replays_accepted : result_.duplicates_used);
  ++result_.received;
  if (parcel.origin == Origin::sent) delays_.push_back(to_seconds(now_ - parcel.sent));
}

void LinkStudy::judge_lateness(const Parcel& parcel) {
  if (!client_.clock().ready()) return;
  const Duration uncertainty = client_.clock().to_remote(viewer_time()).uncertainty;
  const Duration allowance = kLate + uncertainty + from_seconds(std::abs(half_asymmetry_));
  const bool late = parcel.origin != Origin::replayed && now_ - parcel.sent > allowance;
  if (late && !client_.lateness().late(viewer_time())) ++result_.late_warnings_missed;
}

void LinkStudy::judge_report() {
  if (client_.counts().reports == n_reports_) return;
  n_reports_ = client_.counts().reports;
  ++result_.reports_received;
  if (const auto said = reported_.find(client_.newest()->sequence); said != reported_.end()) {
    report_delays_.push_back(to_seconds(now_ - said->second));
    reported_.erase(said);
  }
  if (!robot_.has_said(*client_.newest())) ++result_.reports_wrong;
}

void LinkStudy::sample() {
  if (client_.clock().ready()) {
    const auto [time, uncertainty] = client_.clock().to_remote(viewer_time());
    const double error = to_seconds(time - robot_time()) - half_asymmetry_;
    errors_.push_back(std::abs(error));
    if (std::abs(error) <= to_seconds(uncertainty)) ++n_covered_;
    ++n_samples_;
    if (client_.lateness().late(viewer_time())) ++n_late_;
  }
  const sync::RobotsClockMap* clock = server_->clock_of(viewer_keys_.open);
  if (clock != nullptr && clock->ready()) {
    const auto [time, uncertainty] = clock->to_remote(robot_time());
    const double error = to_seconds(time - viewer_time()) + half_asymmetry_;
    robot_errors_.push_back(std::abs(error));
    if (std::abs(error) <= to_seconds(uncertainty)) ++n_robot_covered_;
  }
}

// A pending command may be stamped now.
void LinkStudy::note_time() {
  if (client_.commands().next_due()) person_.remember(viewer_time(), now_);
}

void LinkStudy::act() {
  person_.remember(viewer_time(), now_);
  person_.act(now_, viewer_time(), client_, from_viewer_);
  from_viewer_.post(now_, Way::up, kViewerAddress, tap_);
}

LinkStudyResult LinkStudy::run(const std::function<bool(double)>& on_progress) {
  const TrueTime end = TrueTime{} + length_;
  const Duration interval = from_seconds(profile_.sync_interval);
  const Duration restart = params_.restart_every_s > 0 ? from_seconds(params_.restart_every_s) : length_ + kTick;
  const Duration image = params_.images_per_s > 0 ? from_seconds(1 / params_.images_per_s) : length_ + kTick;
  client_.look(viewer_time(), params_.images_per_s > 0 ? image::kFirstCamera : image::kNoCamera);
  TrueTime next_tick, next_publish, next_sample, next_progress, next_restart = TrueTime{} + restart;
  TrueTime next_image = TrueTime{} + image;
  while (true) {
    now_ = std::min(
        {next_tick, next_publish, next_sample, next_restart, next_image, person_.next_act(), tap_.next_arrival()});
    if (now_ >= end) break;
    if (now_ == tap_.next_arrival()) {
      receive(tap_.take());
    } else if (now_ == next_tick) {
      next_tick += kTick;
      tick();
    } else if (now_ == next_publish) {
      next_publish += interval;
      publish();
    } else if (now_ == next_sample) {
      next_sample += kSample;
      sample();
    } else if (now_ == next_image) {
      next_image += image;
      take_image();
    } else if (now_ == next_restart) {
      next_restart += restart;
      start_server();
    } else {
      act();
    }
    if (now_ >= next_progress) {
      next_progress = now_ + kProgress;
      if (on_progress && !on_progress(to_seconds(now_) / params_.duration_s)) break;
    }
  }
  finish();
  return result_;
}

void LinkStudy::finish() {
  const TapCounts& tap = tap_.counts();
  result_.sent = tap.sent;
  result_.lost_fraction = tap.sent == 0 ? 0 : 1 - static_cast<double>(tap.arrived) / static_cast<double>(tap.sent);
  result_.replays_tried = tap.replayed;
  result_.forgeries_tried = tap.forged;
  result_.sessions = client_.counts().sessions_begun;
  result_.mean_one_way_delay_ms = mean(delays_) * 1e3;
  result_.report_delay_ms_p99 = percentile(report_delays_, 99) * 1e3;
  result_.images_received = client_.images().n_whole();
  result_.image_delay_ms_p95 = percentile(image_delays_, 95) * 1e3;
  result_.clock_error_ms_p95 = percentile(errors_, 95) * 1e3;
  result_.robot_clock_error_ms_p95 = percentile(robot_errors_, 95) * 1e3;
  const auto share = [](std::uint64_t n, std::size_t of) {
    return of == 0 ? 0 : static_cast<double>(n) / static_cast<double>(of);
  };
  result_.clock_coverage95 = share(n_covered_, errors_.size());
  result_.robot_clock_coverage95 = share(n_robot_covered_, robot_errors_.size());
  result_.late_fraction = share(n_late_, n_samples_);
  person_.judge(robot_.executed(), profile_, result_);
  result_.hand_driving_overruns = robot_.n_overruns();
}

}  // namespace

LinkStudyResult run_link_study(const impair::LinkProfile& profile, std::uint64_t seed, const LinkStudyParams& params,
                               const std::function<bool(double)>& on_progress) {
  return LinkStudy(profile, seed, params).run(on_progress);
}

}  // namespace forerun::study
