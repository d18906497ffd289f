#include "forerun/kenaf/driver.hpp"

#include <poll.h>

#include <algorithm>

#include "forerun/kenaf/candump.hpp"

namespace forerun::kenaf {
namespace {

constexpr std::chrono::milliseconds kRepeatEvery{20};

std::int64_t time_of_day_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int milliseconds_until(Clock::time_point time) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kRepeatEvery.count()));
}

}  // namespace

Driver::Driver(std::unique_ptr<Bus> bus, const std::string& log_path) : bus_(std::move(bus)) {
  if (!log_path.empty()) log_ = {std::fopen(log_path.c_str(), "we"), &std::fclose};
  thread_ = std::thread([this] { run(); });
}

Driver::~Driver() {
  ending_ = true;
  thread_.join();
  set_tracks(0, 0);
}

void Driver::set_tracks(double left_mm, double right_mm) {
  const std::lock_guard lock(command_mutex_);
  tracks_.left_mm = left_mm;
  tracks_.right_mm = right_mm;
  send();
}

void Driver::set_flippers(const FlipperAngles& angles) {
  const std::lock_guard lock(command_mutex_);
  flippers_ = angles;
  send();
}

std::optional<KnownStatus> Driver::newest() const {
  const std::lock_guard lock(status_mutex_);
  return newest_;
}

std::optional<KnownStatus> Driver::await_newer(std::uint64_t number, std::chrono::milliseconds time) const {
  std::unique_lock lock(status_mutex_);
  status_came_.wait_for(lock, time, [&] { return newest_ && newest_->number > number; });
  return newest_;
}

void Driver::run() {
  std::vector<CanFrame> frames;
  Clock::time_point next = Clock::now();
  while (!ending_) {
    if (Clock::now() >= next) {
      const std::lock_guard lock(command_mutex_);
      send();
      next = std::max(next, Clock::now() - kRepeatEvery) + kRepeatEvery;  // what was missed is not made up for
    }
    pollfd watched{bus_->descriptor(), POLLIN, 0};
    static_cast<void>(::poll(&watched, 1, milliseconds_until(next)));
    frames.clear();
    bus_->receive(frames);
    for (const CanFrame& frame : frames) take(frame);
  }
}

void Driver::send() {
  ++tracks_.counter;
  std::array<CanFrame, 3> frames;
  std::size_t n = 0;
  frames[n++] = encode(tracks_);
  if (flippers_) frames[n++] = encode(*flippers_);
  if (!greeted_) frames[n++] = ask_for_status();
  greeted_ = true;
  bus_->send({frames.data(), n});
  for (std::size_t i = 0; i < n; ++i) log(frames[i]);
}

void Driver::take(const CanFrame& frame) {
  log(frame);
  const auto status = gatherer_.take(frame);
  if (!status) return;
  const std::lock_guard lock(status_mutex_);
  // the same one again, which somebody asked for, is no news
  if (newest_ && newest_->status.counter == status->counter) return;
  newest_ = {*status, Clock::now(), newest_ ? newest_->number + 1 : 1};
  status_came_.notify_all();
}

void Driver::log(const CanFrame& frame) {
  const std::lock_guard lock(log_mutex_);
  if (!log_) return;
  std::string name = bus_->name();
  std::replace(name.begin(), name.end(), ' ', '_');
  std::fprintf(log_.get(), "%s\n", to_candump({time_of_day_us(), name, frame}).c_str());
}

}  // namespace forerun::kenaf
