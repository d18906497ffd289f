// What the page is told: the messages between program and page, and what a browser that comes later must know first.
// May be used from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "forerun/web/page_sink.hpp"
#include "forerun/web/web_server.hpp"

namespace forerun::web {

enum class PageMode : std::uint8_t { demo, operate, watch, replay };

// Where a recording that is played stands.
struct PageReplay {
  double at_s = 0;  // since its beginning
  double duration_s = 0;
  double begin_s = 0;  // when it was recorded, since 1970; of a simulation 0
  double pace = 1;
  bool paused = false;
  std::uint32_t jump = 0;  // counts up when what is told does not follow from what was told before
};

// What is left out is as it was.
struct ReplayWish {
  std::optional<double> at_s;
  std::optional<double> pace;
  std::optional<bool> paused;
};

// A piece of a mission that the page brings, for the robot.
struct MissionPart {
  std::uint32_t part = 0;  // counts from 0
  std::uint32_t of = 0;
  std::string base64;
};

// What the page asks for.
struct PageWish {
  std::uint32_t robot = 1;
  std::optional<robot::Command> command;
  std::optional<DemoSettings> demo;  // what the message leaves out is as it was
  std::optional<ReplayWish> replay;
  std::optional<MissionPart> mission;
  std::optional<image::Cameras> look;  // of which of the robot's cameras this browser wants images
};
// One sentence where it is none.
[[nodiscard]] Result<PageWish> parse_page_wish(std::string_view text, const DemoSettings& now);

class PageHub final : public PageSink {
 public:
  // Robots are numbered from 1 up to `n_robots`; numbers may be left out. `web` must outlive the hub.
  PageHub(WebServer& web, PageMode mode, std::string version, std::size_t n_robots);

  void set_mode(PageMode mode);
  // The page is told again when something has changed.
  void set_robot(std::uint32_t robot, const RobotCard& card) override;
  void set_demo(const DemoSettings& settings) override;
  // Kept until robots that were of this model are all of another.
  void put_model(std::uint64_t model, Bytes bytes) override;
  // Kept until the robot has another one.
  void put_mission(std::uint32_t robot, std::uint64_t mission, Bytes bytes) override;
  // A new jump forgets what was told of the robots.
  void set_replay(const PageReplay& replay);

  void report(std::uint32_t robot, const PageReport& report, RobotTime robot_now) override;
  void time(std::uint32_t robot, RobotTime robot_now) override;
  void truth(std::uint32_t robot, RobotTime robot_now, const Pose2& pose) override;
  void link(std::uint32_t robot, const PageLink& link) override;
  void image(std::uint32_t robot, const PageImage& image, RobotTime robot_now) override;
  // The page that gave it knows.
  void command(std::uint32_t, std::uint32_t, const robot::Command&) override {}
  void outcome(std::uint32_t robot, const PageOutcome& outcome) override;

  // Says to one browser why its message was not understood.
  void refuse(BrowserId browser, const std::string& text);
  // Tells a browser that has joined all that it must know.
  void welcome(BrowserId browser);

 private:
  struct Robot {
    std::optional<RobotCard> card;    // the page hears of robots that have one, and of no others
    std::deque<std::string> reports;  // bodies, the newest last; of a replay several, for predictors to learn from
    std::int64_t clock_offset = 0;    // robot's clock − ours [ns], when the newest came
    RobotTime told;                   // the robot's clock, as it was told last
    WebMessage link;
    std::uint64_t mission = 0;  // that browsers can fetch
  };
  struct Model {
    std::uint64_t number = 0;
    bool named = false;  // by a robot's card, since it was put
  };
  void forget_models();
  [[nodiscard]] WebMessage hello() const;
  [[nodiscard]] Robot* find(std::uint32_t robot);
  [[nodiscard]] RobotTime clock_of(const Robot& robot) const;

  WebServer& web_;
  std::mutex mutex_;
  PageMode mode_;
  std::string version_;
  std::vector<Robot> robots_;
  std::vector<Model> models_;  // that browsers can fetch
  WebMessage demo_;
  std::optional<PageReplay> replay_;
};

}  // namespace forerun::web
