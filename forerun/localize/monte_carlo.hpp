// Where in a known map a robot is, from its odometry and what its range sensors see: Monte Carlo localization (Thrun,
// Burgard and Fox, Probabilistic Robotics, 2005, chapter 8), with as many particles as it takes, found again when it
// is lost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/geom/matrix.hpp"
#include "forerun/localize/clusters.hpp"
#include "forerun/localize/echoes.hpp"
#include "forerun/localize/kld.hpp"
#include "forerun/localize/likelihood_field.hpp"
#include "forerun/localize/odometry_model.hpp"
#include "forerun/localize/place_search.hpp"

namespace forerun::localize {

struct LocalizeParams {
  int least_particles = 300;
  int most_particles = 10'000;
  KldParams kld{};
  OdometryParams odometry{};
  PlaceSearchParams search{};
  double echo_sigma_m = 0.08;      // of an echo about its wall: the sensor's noise and the map's
  double outlier_share = 0.2;      // how little an echo that no wall explains says against a place
  double independent_echoes = 30;  // a scan counts as this many: neighbouring echoes err alike
  double update_m = 0.1;           // a scan is used after this way [m]
  double update_rad = 0.1;         // or after this turn [rad]
  double short_term = 0.3;         // how fast the average of how well scans fit follows them
  double long_term = 0.02;         // and the one that it is compared with
};

template <class Visit>
void visit_fields(LocalizeParams& p, Visit&& visit) {
  visit("least_particles", p.least_particles, Field{10, 1e6, "fewest particles"});
  visit("most_particles", p.most_particles, Field{10, 1e6, "most particles"});
  visit("echo_sigma_m", p.echo_sigma_m, Field{0.01, 1, "spread of an echo about its wall [m]"});
  visit("outlier_share", p.outlier_share, Field{0.001, 0.9, "how little an echo off the map says against a place"});
  visit("independent_echoes", p.independent_echoes, Field{1, 1000, "a scan counts as this many echoes"});
  visit("update_m", p.update_m, Field{0, 10, "a scan is used after this way [m]"});
  visit("update_rad", p.update_rad, Field{0, 3, "or after this turn [rad]"});
  visit("short_term", p.short_term, Field{0.01, 1, "how fast the short average of how well scans fit follows them"});
  visit("long_term", p.long_term, Field{0.0001, 1, "how fast the long average does"});
}

enum class Status : std::uint8_t {
  searching,  // nothing known, or several places are as likely
  localized,
  lost,  // it was localized, but what is seen does not fit any more
};
[[nodiscard]] const char* to_string(Status status) noexcept;

struct Belief {
  Pose2 pose{};               // the likeliest place
  Matrix<3, 3> covariance{};  // of x, y and heading; while not localized, of everything that is in question
  double share = 0;           // of the belief that is at that place
  Fit fit{};                  // of the newest scan, there
  Status status = Status::searching;
  std::size_t n_particles = 0;
};

class MonteCarlo {
 public:
  // `map` has at least one free cell. Takes all memory that it will need.
  MonteCarlo(const OccupancyMap& map, const LocalizeParams& params, std::uint64_t seed);
  MonteCarlo(const MonteCarlo&) = delete;
  MonteCarlo& operator=(const MonteCarlo&) = delete;

  // It is about here, or anywhere.
  void start_at(const Pose2& pose, double sigma_m, double sigma_rad) noexcept;
  void start_anywhere() noexcept;

  // What was seen where odometry believed the robot to be. False: it has hardly moved, and nothing was done. Allocates
  // nothing; the same inputs give the same bits.
  bool update(const Pose2& odometry, const Echoes& echoes) noexcept;

  // Of the newest scan that was used.
  [[nodiscard]] const Belief& belief() const noexcept { return belief_; }
  [[nodiscard]] Pose2 map_from_odom() const noexcept { return map_from_odom_; }
  // When odometry says this.
  [[nodiscard]] Pose2 pose_at(const Pose2& odometry) const noexcept { return map_from_odom_ * odometry; }
  [[nodiscard]] std::span<const Particle> particles() const noexcept { return particles_; }

 private:
  void carry_on_from(const Pose2& odometry) noexcept;
  void move(const Pose2& odometry) noexcept;
  void add_found_places(const Echoes& echoes) noexcept;
  [[nodiscard]] double found_share() const noexcept;
  void choose_trusted(const Echoes& echoes) noexcept;
  void weigh() noexcept;
  [[nodiscard]] double log_weight(const Pose2& pose) const noexcept;
  [[nodiscard]] bool is_on_floor(Vec2 p) const noexcept;
  void judge(const Echoes& echoes) noexcept;
  [[nodiscard]] Status next_status() noexcept;
  void resample() noexcept;
  [[nodiscard]] std::size_t count_needed() noexcept;

  LocalizeParams params_;
  const OccupancyMap map_;
  LikelihoodField field_;
  EchoTable table_;
  PlaceSearch search_;
  ClusterFinder finder_;
  BinCounter bins_;
  Random random_;
  std::vector<Particle> particles_, drawn_;  // never more than reserved
  std::vector<double> sums_;                 // of the weights up to each particle
  Echoes trusted_;
  std::optional<Pose2> odometry_;  // at the last update
  Pose2 map_from_odom_;
  Pose2 trusted_map_from_odom_;  // when it got lost
  Belief belief_;
  double short_term_ = 0, long_term_ = 0;  // averages of how much of a scan is explained
  bool jumped_ = false;                    // the newest scan moved the likeliest place far away
  int good_updates_ = 0;                   // in a row with one place in question
};

}  // namespace forerun::localize
