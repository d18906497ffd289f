// What the link does on a bad network, with clocks that drift and are set, and with somebody hostile on the line: two
// real ends in virtual time, judged by what only the study can know.
#pragma once

#include <cstdint>
#include <functional>

#include "forerun/base/fields.hpp"
#include "forerun/impair/profile.hpp"
#include "forerun/study/sim_clock.hpp"
#include "forerun/study/wiretap.hpp"

namespace forerun::study {

struct LinkStudyParams {
  double duration_s = 14400;   // of virtual time [s]
  double restart_every_s = 0;  // the robot side restarts so often [s]; 0: never
  double images_per_s = 0;     // of the robot's camera, to the viewer [1/s]
  ClockHabits clocks;
  TapHabits tap;
};

template <class Visit>
void visit_fields(LinkStudyParams& p, Visit&& visit) {
  visit("duration_s", p.duration_s, Field{10, 1e7, "virtual time [s]"});
  visit("restart_every_s", p.restart_every_s, Field{0, 1e7, "the robot side restarts so often; 0: never [s]"});
  visit("images_per_s", p.images_per_s, Field{0, 10, "images of the robot's camera, as `serve` sends them [1/s]"});
  visit("clock_step_every_s", p.clocks.step_every_s,
        Field{0, 1e7,
              "both clocks are set so often, by a millisecond to ten seconds; 0: never, as in our own programs [s]"});
}

struct LinkStudyResult {
  std::uint64_t sent = 0;      // datagrams, by both ends
  std::uint64_t received = 0;  // of these, taken as genuine by the other end
  double lost_fraction = 0;
  std::uint64_t duplicates_used = 0;
  std::uint64_t replays_accepted = 0;
  std::uint64_t forgeries_accepted = 0;
  std::uint64_t stale_commands_executed = 0;    // older than the limit and the stated uncertainty
  std::uint64_t backlog_commands_executed = 0;  // given before a silence of the link, executed after it
  double stop_latency_ms_p99 = 0;
  double clock_error_ms_p95 = 0;  // apart from half the constant asymmetry of the path
  double clock_coverage95 = 0;
  std::uint64_t late_warnings_missed = 0;
  // beyond the names that the checks ask for
  double mean_one_way_delay_ms = 0;
  double robot_clock_error_ms_p95 = 0;  // the robot side's own estimate, which judges commands
  double robot_clock_coverage95 = 0;
  double late_fraction = 0;  // of the time with the warning on
  std::uint64_t reports_received = 0;
  double report_delay_ms_p99 = 0;  // from the robot's word to the viewer's knowing
  std::uint64_t images_taken = 0;
  std::uint64_t images_received = 0;
  double image_delay_ms_p95 = 0;    // from the taking to the viewer's having it whole
  std::uint64_t reports_wrong = 0;  // that say something else than the robot did
  std::uint64_t commands_given = 0;
  std::uint64_t commands_executed = 0;
  std::uint64_t commands_executed_twice = 0;
  std::uint64_t stops_given = 0;
  std::uint64_t hand_driving_overruns = 0;  // hand driving that outlived its commands
  std::uint64_t sessions = 0;
  std::uint64_t replays_tried = 0;
  std::uint64_t forgeries_tried = 0;
};

// `on_progress` is told the share done now and then, and ends the study early by giving false.
[[nodiscard]] LinkStudyResult run_link_study(const impair::LinkProfile& profile, std::uint64_t seed,
                                             const LinkStudyParams& params,
                                             const std::function<bool(double)>& on_progress = {});

}  // namespace forerun::study
