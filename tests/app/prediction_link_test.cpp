// The viewer says where the robot is while nothing comes from it: real programs, real sockets, a relay that goes black.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "forerun/robot/extrapolation.hpp"
#include "tests/app/link_programs.hpp"

namespace forerun::test {
namespace {

struct Place {
  double time = 0;  // the robot's clock [s]
  Vec2 position;
};

Place reported(const json& line) {
  const json& state = line["state"];
  return {state["t_s"], {state["x_m"], state["y_m"]}};
}

// What a viewer in the dark said: where the robot is now, and where its last velocities would have taken it.
struct Guess {
  double time = 0;
  Vec2 predicted, extrapolated;
};

Guess guess_of(const json& line) {
  const json &state = line["state"], &prediction = line["prediction"];
  robot::Report report;
  report.state = {{state["x_m"], state["y_m"], state["theta_rad"]}, {state["v_mps"], 0, state["w_radps"]}};
  const double gap = line["gap_s"];
  return {state["t_s"].get<double>() + gap,
          {prediction["x_m"], prediction["y_m"]},
          robot::extrapolate(report, from_seconds(gap)).pose.position()};
}

// Between the two states that somebody with a good line saw; null outside them.
std::optional<Vec2> seen_at(const std::vector<Place>& seen, double time) {
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const Place &a = seen[i - 1], &b = seen[i];
    if (time < a.time || time > b.time || b.time <= a.time) continue;
    return a.position + (b.position - a.position) * ((time - a.time) / (b.time - a.time));
  }
  return std::nullopt;
}

double mean_error(const std::vector<Guess>& guesses, Vec2 Guess::*which, const std::vector<Place>& seen) {
  double sum = 0;
  for (const Guess& guess : guesses) {
    const auto truth = seen_at(seen, guess.time);
    EXPECT_TRUE(truth) << "nobody saw the robot at " << guess.time;
    sum += truth ? distance(guess.*which, *truth) : 0;
  }
  return sum / static_cast<double>(guesses.size());
}

TEST(PredictionEndToEnd, GoesOnThroughABlackoutAndIsNearerThanGoingStraightOn) {
  Link link;
  link.serve();
  link.folder.write("clean.yaml", "name: clean\nboth: {delay_s: 0.02, jitter_s: 0.005, loss: 0.02}\n");
  link.impair(link.folder.file("clean.yaml"));
  Background witness(forerun_command({"view", "--headless", "--watch", "--connect", link.server_address, "--server-key",
                                      link.robot_key, "--keys", link.folder.file("desk")}));
  link.view(link.relay_address);
  const json ready = link.await([](const json& l) { return l["prediction"].is_object(); }, 30);
  ASSERT_FALSE(ready.is_null()) << link.last;
  EXPECT_GT(ready["prediction"]["radius95_m"], 0);
  EXPECT_EQ(ready["prediction"]["vy_mps"], 0) << "a robot with a synchro drive";

  // to a place that it will reach in the dark
  const double goal = ready["state"]["x_m"].get<double>() + 3.5;
  link.viewer->write_line(R"({"command":"goal","y_m":1.25,"x_m":)" + std::to_string(goal) + "}");
  const json driving = link.await(
      [&](const json& l) {
        return l["state"]["v_mps"] > 0.25 && l["state"]["goal"].is_array() &&
               std::fabs(l["state"]["goal"][0].get<double>() - goal) < 0.01;
      },
      20);
  ASSERT_FALSE(driving.is_null()) << link.last;
  link.relay->signal(SIGUSR1);
  std::vector<Guess> guesses;
  const json end = link.await(
      [&](const json& l) {
        if (!l["gap_s"].is_number() || l["gap_s"] < 1.5) return false;
        if (l["prediction"].is_object()) guesses.push_back(guess_of(l));
        return l["gap_s"] > 9;
      },
      40);
  ASSERT_FALSE(end.is_null()) << link.last;
  ASSERT_GE(guesses.size(), 4u);

  std::vector<Place> seen;
  const std::string last_seen = witness.await_line(
      [&](const std::string& text) {
        const json line = json::parse(text, nullptr, false);
        if (line.is_object() && line["state"].is_object()) seen.push_back(reported(line));
        return !seen.empty() && seen.back().time > guesses.back().time;
      },
      30);
  ASSERT_FALSE(last_seen.empty());
  EXPECT_LT(mean_error(guesses, &Guess::predicted, seen), 0.5 * mean_error(guesses, &Guess::extrapolated, seen));
  EXPECT_GT(distance(guesses.front().predicted, reported(end).position), 0.2) << "it should have moved on in the dark";
  EXPECT_GT(distance(guesses.back().predicted, guesses.front().predicted), 0.2) << "and gone on moving";
}

}  // namespace
}  // namespace forerun::test
