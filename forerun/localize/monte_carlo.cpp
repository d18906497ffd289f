#include "forerun/localize/monte_carlo.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::localize {
namespace {

constexpr std::size_t kFewestEchoes = 6;    // fewer say nothing of a place
constexpr double kOffFloor = -4;            // logarithm of how unlikely a robot is inside a wall or off the map
constexpr double kSearchShare = 0.2;        // of the belief goes to places found anew, while it is not localized
constexpr double kMostDoubt = 0.3;          // and at most this much while it is
constexpr double kClearlyBetter = 0.15;     // the quality of a place that is worth a doubt is higher by this
constexpr double kPerInFront = 0.5;         // and by this for each echo that is hidden here: little is known then
constexpr double kMostThrough = 0.1;        // share of its echoes from behind walls
constexpr double kThroughWall = -2;         // logarithm of how unlikely it is to see through a wall
constexpr std::size_t kThroughChecks = 12;  // echoes that are asked for it
constexpr double kOldShare = 0.05;          // of the belief goes to where it would be had it not got lost
constexpr double kUsualDip = 0.9;           // scans fit so much less well now and then without any reason
constexpr double kLostFit = 0.6;            // of what was usual: then it is somewhere else
constexpr double kClearShare = 0.9;         // of the belief at one place: then it is there
constexpr double kDividedShare = 0.5;       // of the belief at one place: then it is not any more
constexpr double kWidest = 0.4;             // σ of a place that is one [m]
constexpr double kLeastFit = 0.45;          // of a scan is explained where the robot really is
constexpr double kJump = 1;                 // a place so far from where it was thought to be is another one [m]
constexpr int kGoodUpdates = 4;             // in a row with one clear place
constexpr double kAgreeing = 0.1;           // of the particles must explain an echo that is to be trusted
constexpr std::size_t kAgreeSample = 100;   // particles that are asked
constexpr double kExplainedWithin = 0.3;    // [m]
constexpr double kLeastTrusted = 0.3;       // of the echoes: with fewer it is the place that is wrong

// What a map's cells and walls that are not quite there leave in doubt, however alike the particles.
constexpr double kMapError = 0.03;       // [m]
constexpr double kMapTurnError = 0.005;  // [rad]

}  // namespace

const char* to_string(Status status) noexcept {
  constexpr const char* kNames[] = {"searching", "localized", "lost"};
  return kNames[static_cast<std::size_t>(status)];
}

MonteCarlo::MonteCarlo(const OccupancyMap& map, const LocalizeParams& params, std::uint64_t seed)
    : params_(params),
      map_(map),
      field_(map),
      table_({params.echo_sigma_m, params.outlier_share}),
      search_(map_, {params.echo_sigma_m, params.outlier_share}, params.search),
      finder_(static_cast<std::size_t>(params.most_particles + params.search.keep + 1)),
      bins_(static_cast<std::size_t>(params.most_particles)),
      random_(seed, 0x10ca) {
  const auto capacity = static_cast<std::size_t>(params.most_particles + params.search.keep + 1);
  particles_.reserve(capacity);
  drawn_.reserve(capacity);
  sums_.reserve(capacity);
  start_anywhere();
}

void MonteCarlo::start_at(const Pose2& pose, double sigma_m, double sigma_rad) noexcept {
  const int n = std::min(params_.most_particles, 4 * params_.least_particles);
  particles_.clear();
  for (int i = 0; i < n; ++i) {
    const double x = pose.x + sigma_m * random_.normal(), y = pose.y + sigma_m * random_.normal();
    particles_.push_back({{x, y, normalize_angle(pose.theta + sigma_rad * random_.normal())}, 1.0 / n});
  }
  odometry_.reset();
  belief_ = {.pose = pose, .share = 1, .status = Status::localized, .n_particles = particles_.size()};
  belief_.covariance(0, 0) = belief_.covariance(1, 1) = square(sigma_m);
  belief_.covariance(2, 2) = square(sigma_rad);
  short_term_ = long_term_ = 0;
}

void MonteCarlo::start_anywhere() noexcept {
  particles_.clear();
  for (int i = 0; i < params_.most_particles; ++i) {
    particles_.push_back({search_.random_pose(random_), 1.0 / params_.most_particles});
  }
  odometry_.reset();
  belief_ = {.n_particles = particles_.size()};
  short_term_ = long_term_ = 0;
  good_updates_ = 0;
}

bool MonteCarlo::update(const Pose2& odometry, const Echoes& echoes) noexcept {
  if (odometry_) {
    const Pose2 step = inverse(*odometry_) * odometry;
    const bool moved = length(step.position()) >= params_.update_m || std::fabs(step.theta) >= params_.update_rad;
    if (!moved || echoes.size() < kFewestEchoes) return false;
  }
  if (echoes.size() < kFewestEchoes) {
    if (belief_.status == Status::localized) carry_on_from(odometry);
    return false;
  }
  move(odometry);
  choose_trusted(echoes);
  add_found_places(echoes);
  weigh();
  judge(echoes);
  resample();
  map_from_odom_ = belief_.pose * inverse(odometry);
  return true;
}

// Nothing was seen yet, but it is known where it began.
void MonteCarlo::carry_on_from(const Pose2& odometry) noexcept {
  map_from_odom_ = belief_.pose * inverse(odometry);
  odometry_ = odometry;
}

void MonteCarlo::move(const Pose2& odometry) noexcept {
  if (odometry_) {
    belief_.pose = pose_at(odometry);
    const OdometryModel model(inverse(*odometry_) * odometry, params_.odometry);
    for (Particle& particle : particles_) particle.pose = model.sample(particle.pose, random_);
  }
  odometry_ = odometry;
}

// How much of the belief goes to places that are found anew (augmented MCL).
double MonteCarlo::found_share() const noexcept {
  if (belief_.status != Status::localized) return kSearchShare;
  if (!(long_term_ > 0)) return 0;
  return clamp(1 - short_term_ / (kUsualDip * long_term_), 0.0, kMostDoubt);
}

void MonteCarlo::add_found_places(const Echoes& echoes) noexcept {
  const double share = found_share();
  if (share <= 0) return;
  // while it is localized, only what fits clearly better: along a corridor many places fit as well as the right one
  double least = 0, most_through = 1;
  if (belief_.status == Status::localized) {
    const Fit here = fit_of(map_, field_, table_, echoes, belief_.pose);
    least = here.quality() + kClearlyBetter + kPerInFront * here.in_front;
    most_through = kMostThrough;
  }
  const auto found = search_.find(field_, echoes, random_);
  const auto joins = [&](const FoundPlace& place) {
    return place.fit.quality() >= least && place.fit.through <= most_through;
  };
  double found_weight = 0;
  for (const FoundPlace& place : found) found_weight += joins(place) ? place.weight : 0;
  if (found_weight <= 0) return;
  const double old_share = belief_.status == Status::lost ? kOldShare : 0;
  for (Particle& particle : particles_) particle.weight *= 1 - share - old_share;
  // it may have been right all along, and only hemmed in
  if (old_share > 0) particles_.push_back({trusted_map_from_odom_ * *odometry_, old_share});
  for (const FoundPlace& place : found) {
    if (joins(place)) particles_.push_back({place.pose, share * place.weight / found_weight});
  }
}

// Echoes that hardly any particle explains come from what is on no map, people for one: they must not pull it away.
// While the place is in question, they may well be right and the particles wrong.
void MonteCarlo::choose_trusted(const Echoes& echoes) noexcept {
  trusted_ = echoes;
  if (belief_.status != Status::localized || particles_.empty()) return;
  const std::size_t every = std::max<std::size_t>(1, particles_.size() / kAgreeSample);
  std::array<std::uint32_t, kMaxEchoes> n_agreeing{};
  std::uint32_t n_asked = 0;
  for (std::size_t i = 0; i < particles_.size(); i += every, ++n_asked) {
    const Transform2 world_from_robot(particles_[i].pose);
    for (std::size_t k = 0; k < echoes.size(); ++k) {
      if (distance_to_wall(field_, world_from_robot, echoes[k]) < kExplainedWithin * 100) ++n_agreeing[k];
    }
  }
  trusted_.clear();
  for (std::size_t k = 0; k < echoes.size(); ++k) {
    if (n_agreeing[k] >= kAgreeing * n_asked) trusted_.push_back(echoes[k]);
  }
  if (static_cast<double>(trusted_.size()) < kLeastTrusted * static_cast<double>(echoes.size())) trusted_ = echoes;
}

bool MonteCarlo::is_on_floor(Vec2 p) const noexcept {
  const Cell cell = map_.frame().cell_of(p);
  return map_.frame().contains(cell) && map_[cell] == Occupancy::free;
}

double MonteCarlo::log_weight(const Pose2& pose) const noexcept {
  const Transform2 world_from_robot(pose);
  double sum = 0;
  const std::size_t every = std::max<std::size_t>(1, trusted_.size() / kThroughChecks);
  for (std::size_t i = 0; i < trusted_.size(); ++i) {
    const bool through = i % every == 0 && is_seen_through_wall(map_, world_from_robot, trusted_[i]);
    const std::uint8_t distance = distance_to_wall(field_, world_from_robot, trusted_[i]);
    sum += through ? kThroughWall : static_cast<double>(table_.log_likelihood(distance));
  }
  const double counts = std::min(1.0, params_.independent_echoes / static_cast<double>(trusted_.size()));
  return counts * sum + (is_on_floor(pose.position()) ? 0 : kOffFloor);
}

void MonteCarlo::weigh() noexcept {
  sums_.clear();
  double highest = -kInfinity, total = 0;
  for (const Particle& particle : particles_) {
    sums_.push_back(log_weight(particle.pose));
    if (particle.weight > 0) highest = std::max(highest, sums_.back());
  }
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    particles_[i].weight *= exp(sums_[i] - highest);
    total += particles_[i].weight;
  }
  for (Particle& particle : particles_) particle.weight /= total;
}

// Where it is, how sure that is, and whether what is seen fits there.
void MonteCarlo::judge(const Echoes& echoes) noexcept {
  const Clusters clusters = finder_.find(particles_);
  Cluster best = clusters.empty() ? summarize(particles_, [](std::size_t) { return true; }) : clusters[0];
  jumped_ = distance(best.mean.position(), belief_.pose.position()) > kJump;
  belief_.pose = best.mean;
  belief_.share = best.share;
  belief_.covariance = best.covariance;
  belief_.covariance(0, 0) += square(kMapError);
  belief_.covariance(1, 1) += square(kMapError);
  belief_.covariance(2, 2) += square(kMapTurnError);
  belief_.n_particles = particles_.size();
  belief_.fit = fit_of(map_, field_, table_, echoes, best.mean);
  belief_.status = next_status();
  if (belief_.status == Status::localized) return;
  // about the likeliest place, of all that is in question
  Matrix<3, 3> all;
  for (const Particle& p : particles_) {
    const Vector<3> off{
        {{{p.pose.x - best.mean.x}, {p.pose.y - best.mean.y}, {normalize_angle(p.pose.theta - best.mean.theta)}}}};
    all += off * transposed(off) * p.weight;
  }
  belief_.covariance = all;
}

Status MonteCarlo::next_status() noexcept {
  const double quality = belief_.fit.quality();
  const bool first = !(short_term_ > 0);
  short_term_ = first ? quality : short_term_ + params_.short_term * (quality - short_term_);
  const double width = sqrt(std::max(belief_.covariance(0, 0), belief_.covariance(1, 1)));
  if (belief_.status == Status::localized) {
    long_term_ = long_term_ > 0 ? long_term_ + params_.long_term * (quality - long_term_) : quality;
    const bool fits = short_term_ >= kLostFit * long_term_;
    if (fits && !jumped_ && belief_.share >= kDividedShare) return Status::localized;
    good_updates_ = 0;
    trusted_map_from_odom_ = map_from_odom_;
    return Status::lost;
  }
  const bool good = !jumped_ && belief_.share >= kClearShare && width <= kWidest && quality >= kLeastFit;
  good_updates_ = good ? good_updates_ + 1 : 0;
  if (good_updates_ < kGoodUpdates) return belief_.status;
  long_term_ = short_term_;
  return Status::localized;
}

// Draws until there are as many as the places in question ask for.
std::size_t MonteCarlo::count_needed() noexcept {
  bins_.clear();
  const auto least = static_cast<std::size_t>(params_.least_particles);
  const auto most = static_cast<std::size_t>(params_.most_particles);
  std::size_t n = 0;
  double needed = 1;
  while (n < most && (n < least || static_cast<double>(n) < needed)) {
    const auto at = std::upper_bound(sums_.begin(), sums_.end(), random_.uniform() * sums_.back());
    const auto i = std::min(static_cast<std::size_t>(at - sums_.begin()), particles_.size() - 1);
    if (bins_.add(particles_[i].pose, params_.kld)) needed = kld_count(bins_.n_bins(), params_.kld);
    ++n;
  }
  return n;
}

// Systematic: one random number, and equal steps from there on.
void MonteCarlo::resample() noexcept {
  sums_.clear();
  double sum = 0;
  for (const Particle& particle : particles_) sums_.push_back(sum += particle.weight);
  const std::size_t n = count_needed();
  const double step = sum / static_cast<double>(n);
  double at = step * random_.uniform();
  drawn_.clear();
  std::size_t i = 0;
  for (std::size_t k = 0; k < n; ++k, at += step) {
    while (i + 1 < particles_.size() && sums_[i] <= at) ++i;
    drawn_.push_back({particles_[i].pose, 1 / static_cast<double>(n)});
  }
  std::swap(particles_, drawn_);
}

}  // namespace forerun::localize
