// Plays a recording to the page: the reports of all its robots as they were received, at any pace, from any place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/record/mcap_reader.hpp"
#include "forerun/record/messages.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::watch {

class Replay {
 public:
  [[nodiscard]] static Result<Replay> open(const std::string& path);
  [[nodiscard]] static Result<Replay> open(record::McapReader reader, const std::string& name);

  // Shows the beginning. `hub` must outlive it.
  void start(web::PageHub& hub, std::int64_t now_ns);
  // Plays up to now; call it again and again. `now_ns`: a steady clock.
  void turn(std::int64_t now_ns);
  void take(const web::ReplayWish& wish, std::int64_t now_ns);

  // The highest number of a robot; not every number below it need be one.
  [[nodiscard]] std::size_t n_robots() const noexcept { return robots_.rbegin()->first; }
  [[nodiscard]] const web::PageReplay& state() const noexcept { return state_; }
  [[nodiscard]] bool cut_off() const noexcept { return reader_.cut_off(); }
  // Nothing is wrong where this is empty. Messages that cannot be read are left out.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  // What holds at a place of the recording, newest first.
  struct Report {
    record::RecordedReport recorded;
    std::int64_t clock_offset = 0;  // robot's clock − log time [ns]
  };
  struct BeforeOfRobot {
    std::vector<Report> reports;
    std::optional<record::RecordedModel> model;
    std::optional<record::RecordedLink> link;
    std::vector<record::RecordedOutcome> outcomes;
    std::vector<record::RecordedTruth> truths;
  };
  struct Before {
    std::map<std::uint32_t, BeforeOfRobot> robots;
    std::optional<web::DemoSettings> demo;
  };
  // One of the recording's robots as it is played.
  struct Robot {
    std::int64_t first_model = 0;   // log time [ns]
    std::int64_t clock_offset = 0;  // robot's clock − log time [ns]
    RobotTime reported;             // of the newest report
    std::uint64_t model = 0;        // that the page can ask for
  };
  struct Channels {
    std::optional<std::uint16_t> model, report, truth, link, outcome, demo;
  };

  Replay(record::McapReader reader, std::string name);
  [[nodiscard]] static Result<void> check_model(const record::RecordedModel& model);
  [[nodiscard]] std::int64_t position() const;  // log time [ns]
  void jump_to(double at_s);
  void tell_state(std::int64_t now_ns);
  // All models, in the order of the recording, until `take` has seen enough and returns true.
  void for_each_model(const std::function<bool(record::RecordedModel model, std::int64_t log_time)>& take);
  void find_robots();
  [[nodiscard]] Before look_back(std::size_t chunk, std::int64_t time);
  [[nodiscard]] std::uint64_t wanted(const Before& before, const record::McapReader::Chunk& chunk,
                                     std::int64_t time) const;
  void take_before(Before& before, const record::McapMessage& message, std::int64_t time);
  void take_report_before(Before& before, const record::McapMessage& message, std::int64_t time);
  void tell(const Before& before);
  void tell(std::uint32_t number, const BeforeOfRobot& before);
  void pass(const record::McapMessage& message);
  void pass_model(const record::RecordedModel& model);
  void pass_report(std::uint32_t number, const record::RecordedReport& recorded, RobotTime robot_now);
  void pass_link(const record::RecordedLink& recorded);
  [[nodiscard]] std::optional<record::RecordedModel> first_model_of(std::uint32_t number);
  void load(std::size_t chunk);
  [[nodiscard]] RobotTime robot_now(const Robot& robot) const;
  void complain(const Error& error);
  // The value, unless it is an error, which is remembered.
  template <class T>
  [[nodiscard]] std::optional<T> value_of(Result<T> result) {
    if (result) return std::move(*result);
    complain(result.error());
    return std::nullopt;
  }

  record::McapReader reader_;
  std::string name_;
  Channels channels_;
  web::PageHub* hub_ = nullptr;
  web::PageReplay state_;
  std::int64_t turned_ = 0;      // when it was last played on
  std::int64_t next_state_ = 0;  // when the page is told again where it stands
  std::size_t chunk_ = 0;        // the next message is in this one …
  std::size_t message_ = 0;      // … at this place
  std::vector<record::McapMessage> loaded_;
  std::map<std::uint32_t, Robot> robots_;
  std::string problem_;
};

}  // namespace forerun::watch
