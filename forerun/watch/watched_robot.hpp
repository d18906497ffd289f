// A robot that is watched on a thread of its own: from its session to the page, and into a recording.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "forerun/net/viewer.hpp"
#include "forerun/watch/live_recording.hpp"
#include "forerun/watch/page_feed.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::watch {

// One robot's session, on a thread of its own: a name service that hangs, or a model that is large, concerns no other.
class WatchedRobot {
 public:
  // `recording` may be null.
  WatchedRobot(net::Viewer viewer, web::PageHub& hub, record::Recording* recording, std::uint32_t number,
               const std::string& place)
      : viewer_(std::move(viewer)),
        recorder_(recording != nullptr ? std::make_unique<LiveRecording>(*recording, &hub) : nullptr),
        feed_(viewer_, recorder_ ? static_cast<web::PageSink&>(*recorder_) : hub, number, place),
        thread_([this] { run(); }) {}
  ~WatchedRobot() {
    quit_ = true;
    thread_.join();
  }
  WatchedRobot(const WatchedRobot&) = delete;
  WatchedRobot& operator=(const WatchedRobot&) = delete;

 private:
  static constexpr double kTurn_s = 0.05;

  void run() {
    while (!quit_) {
      viewer_.poll(kTurn_s);
      feed_.look();
      if (recorder_) recorder_->look();
    }
  }

  net::Viewer viewer_;
  std::unique_ptr<LiveRecording> recorder_;  // null: nothing is recorded
  PageFeed feed_;
  std::atomic<bool> quit_{false};
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace forerun::watch
