#include "forerun/learn/train_response.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "forerun/base/math.hpp"
#include "forerun/io/text.hpp"
#include "forerun/learn/identify_response.hpp"
#include "forerun/learn/replay.hpp"
#include "forerun/respond/frames.hpp"
#include "forerun/respond/ways.hpp"

namespace forerun::learn {
namespace {

using respond::kInputs;
using respond::Ways;

constexpr double kShortest = 20;         // of all recordings together [s]
constexpr int kFewestChanges = 8;        // of the commands
constexpr double kSlowestPeriod = 0.25;  // between two poses [s]
constexpr double kMostSamples = 150'000;
constexpr std::size_t kFolds = 5;
constexpr double kFoldBlock = 10;  // a single recording is cut into such parts [s]

using Normal = Eigen::Matrix<double, kInputs, kInputs>;
using Moments = Eigen::Matrix<double, kInputs, 3>;

double duration_of(std::span<const CommandedDrive> drives) {
  double sum = 0;
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& s : drive.stretches) sum += s.poses.back().time - s.poses.front().time;
  }
  return sum;
}

int count_changes(std::span<const CommandedDrive> drives) {
  int n = 0;
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& stretch : drive.stretches) {
      for (std::size_t i = 1; i < stretch.commands.size(); ++i) {
        n += stretch.commands[i].velocity == stretch.commands[i - 1].velocity ? 0 : 1;
      }
    }
  }
  return n;
}

Result<void> check_drives(std::span<const CommandedDrive> drives) {
  for (const CommandedDrive& drive : drives) {
    if (drive.period <= kSlowestPeriod) continue;
    return Error{drive.file + ": there is a pose every " + io::show(drive.period) +
                 " s, but a response needs one every " + io::show(kSlowestPeriod) + " s or more often"};
  }
  const double duration = duration_of(drives);
  if (duration < kShortest) {
    return Error{"the recordings hold " + io::show(std::floor(duration * 10) / 10) + " s of driving, but at least " +
                 io::show(kShortest) + " s are needed"};
  }
  if (const int n = count_changes(drives); n < kFewestChanges) {
    return Error{"the commands change " + std::to_string(n) +
                 " times, but a response shows only after changes: at least " + std::to_string(kFewestChanges) +
                 " are needed"};
  }
  return {};
}

// What is learned from, for one horizon.
struct Gathered {
  Samples paper;
  std::vector<respond::NetworkInputs> inputs;  // of our residuals …
  std::vector<Pose2> targets;                  // … and what they should say
  std::vector<std::uint8_t> folds;
  respond::WaySquares sums{};

  void add(const respond::NetworkInputs& input, const Pose2& target, std::size_t fold) {
    inputs.push_back(input);
    targets.push_back(target);
    folds.push_back(static_cast<std::uint8_t>(fold));
  }
};

class Gatherer {
 public:
  Gatherer(const respond::Model& model, std::size_t frames)
      : model_(model), frames_(frames), all_(model.horizons.size()) {
    for (Gathered& one : all_) one.paper.n_inputs = respond::kPerFrame * frames;
  }

  void take(const Moment& moment, std::size_t fold) {
    for (std::size_t h = 0; h < all_.size(); ++h) {
      if (moment.truth[h]) take(*moment.responder, h, *moment.truth[h], fold);
    }
  }
  [[nodiscard]] std::vector<Gathered>& all() { return all_; }

 private:
  void take(const respond::Responder& responder, std::size_t h, const Pose2& truth, std::size_t fold) {
    Gathered& into = all_[h];
    const double horizon = model_.horizons[h].horizon;
    const auto frames = respond::make_frames(responder.track(), responder.commands(),
                                             {frames_, model_.period, horizon, shortest_delay(model_.response)});
    into.paper.inputs.insert(into.paper.inputs.end(), frames.begin(),
                             frames.begin() + static_cast<std::ptrdiff_t>(into.paper.n_inputs));
    const SinCos turn = sincos(truth.theta);
    for (const double value : {truth.x, truth.y, turn.sin, turn.cos}) into.paper.outputs.push_back(value);
    const Ways ways = respond::predict_ways(model_, responder.origin(), responder.commands(), horizon);
    for (std::size_t way = 0; way < ways.size(); ++way) {
      into.sums[way].place += square(ways[way].x - truth.x) + square(ways[way].y - truth.y);
      into.sums[way].heading += square(normalize_angle(ways[way].theta - truth.theta));
    }
    const respond::Expected then =
        respond::expected_ahead(model_.response, responder.origin(), responder.commands(), horizon);
    const auto inputs = respond::make_network_inputs(model_, responder.origin(), responder.commands(),
                                                     respond::make_inputs(responder.origin(), then), horizon);
    into.add(inputs, {truth.x - then.path.x, truth.y - then.path.y, normalize_angle(truth.theta - then.path.theta)},
             fold);
  }

  const respond::Model& model_;
  std::size_t frames_;
  std::vector<Gathered> all_;
};

struct Sums {
  Normal normal = Normal::Zero();
  Moments moments = Moments::Zero();
  double n = 0;

  void add(const respond::NetworkInputs& input, const Pose2& target) {
    const Eigen::Map<const Eigen::Matrix<double, kInputs, 1>> x(input.data());
    normal.selfadjointView<Eigen::Lower>().rankUpdate(x);
    moments += x * Eigen::RowVector3d(target.x, target.y, target.theta);
    n += 1;
  }
  [[nodiscard]] Sums without(const Sums& other) const {
    return {normal - other.normal, moments - other.moments, n - other.n};
  }
  // The last input is always 1 and costs nothing; one that never changes from 0 has no weight.
  [[nodiscard]] Moments solve(double penalty) const {
    Normal a = normal.selfadjointView<Eigen::Lower>();
    const double least = 1e-12 * n;
    for (Eigen::Index i = 0; i + 1 < a.rows(); ++i) a(i, i) += std::max(penalty * a(i, i), least);
    a(a.rows() - 1, a.rows() - 1) += least;
    return a.ldlt().solve(moments);
  }
};

void add_error(respond::Squares& sum, const Pose2& said, const Pose2& wanted) {
  sum.place += square(said.x - wanted.x) + square(said.y - wanted.y);
  sum.heading += square(said.theta - wanted.theta);
}

// Learns the weights, and finds how far off they are on parts that they had not learned from.
respond::Squares learn_weights(const Gathered& from, double penalty, respond::HorizonModel& into) {
  std::array<Sums, kFolds> folds;
  Sums all;
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    folds[from.folds[i]].add(from.inputs[i], from.targets[i]);
    all.add(from.inputs[i], from.targets[i]);
  }
  const Moments weights = all.solve(penalty);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      into.residual[k][i] = weights(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    }
  }
  std::array<Moments, kFolds> held_out;
  for (std::size_t f = 0; f < kFolds; ++f) held_out[f] = all.without(folds[f]).solve(penalty);
  respond::Squares sum;
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    const Eigen::Map<const Eigen::Matrix<double, kInputs, 1>> x(from.inputs[i].data());
    const Eigen::Vector3d said = held_out[from.folds[i]].transpose() * x;
    add_error(sum, {said[0], said[1], said[2]}, from.targets[i]);
  }
  return sum;
}

// Of the folds for which `use` holds.
template <class Use>
Samples samples_of(const Gathered& from, Use&& use) {
  Samples samples{.n_inputs = respond::kNetworkInputs, .n_outputs = 3};
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    if (!use(from.folds[i])) continue;
    samples.inputs.insert(samples.inputs.end(), from.inputs[i].begin(), from.inputs[i].end());
    for (const double value : {from.targets[i].x, from.targets[i].y, from.targets[i].theta})
      samples.outputs.push_back(value);
  }
  return samples;
}

respond::ResidualNetwork to_fixed(const respond::Network& network) {
  respond::ResidualNetwork fixed;
  for (std::size_t unit = 0; unit < respond::kNetworkUnits; ++unit) {
    for (std::size_t i = 0; i < fixed.in.size(); ++i) {
      fixed.in[i][unit] = network.in_weights[unit * fixed.in.size() + i];
    }
  }
  const double* next = network.out_weights.data();
  for (auto& row : fixed.out) std::copy_n(std::exchange(next, next + row.size()), row.size(), row.begin());
  return fixed;
}

// Likewise the network. Each half is judged by what the other one taught.
respond::Squares learn_network(const Gathered& from, NetworkParams params, const std::function<bool(int)>& go_on,
                               respond::HorizonModel& into) {
  params.hidden = respond::kNetworkUnits;
  into.network = to_fixed(train_network(samples_of(from, [](std::size_t) { return true; }), params, go_on));
  respond::HorizonModel half[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const Samples samples = samples_of(from, [k](std::size_t fold) { return fold % 2 == k; });
    if (samples.size() > 0) half[k].network = to_fixed(train_network(samples, params, go_on));
  }
  respond::Squares sum;
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    add_error(sum, respond::apply_network(half[1 - from.folds[i] % 2].network, from.inputs[i]), from.targets[i]);
  }
  return sum;
}

void learn_residuals(const Gathered& from, const TrainParams& params, const std::function<bool(int)>& go_on,
                     respond::HorizonModel& into) {
  respond::WaySquares sums = from.sums;
  sums[respond::kWeighed] = learn_weights(from, params.penalty, into);
  sums[respond::kNetworked] = learn_network(from, params.network, go_on, into);
  const double n = static_cast<double>(from.inputs.size());
  for (std::size_t way = 0; way < respond::kWays; ++way)
    into.squares[way] = {sums[way].place / n, sums[way].heading / n};
}

respond::Model begin_model(std::span<const CommandedDrive> drives, const TrainParams& params) {
  respond::Model model;
  model.period = 1 / params.rate_hz;
  for (const CommandedDrive& drive : drives) {
    model.period = std::max(model.period, drive.period);
    model.sideways = model.sideways || drive.sideways;
  }
  for (const double horizon : params.horizons_s) {
    respond::HorizonModel one;
    one.horizon = horizon;
    model.horizons.push_back(one);
  }
  return model;
}

std::vector<Gathered> gather(std::span<const CommandedDrive> drives, const respond::Model& model, std::size_t frames,
                             const std::function<void(double)>& progress) {
  const double duration = duration_of(drives);
  const ReplayParams replaying{.spacing_s = std::max(0.05, duration / kMostSamples),
                               .history_s = static_cast<double>(frames) * model.period};
  Gatherer gatherer(model, frames);
  double done = 0;
  for (std::size_t d = 0; d < drives.size(); ++d) {
    for (const CommandedStretch& stretch : drives[d].stretches) {
      replay(stretch, model, replaying, [&](const Moment& moment) {
        const double block = std::floor((moment.responder->origin().time - stretch.poses.front().time) / kFoldBlock);
        const std::size_t part = drives.size() > 1 ? d : static_cast<std::size_t>(std::max(0.0, block));
        gatherer.take(moment, part % kFolds);
      });
      done += stretch.poses.back().time - stretch.poses.front().time;
      progress(done / duration);
    }
  }
  return std::move(gatherer.all());
}

}  // namespace

Result<LearnedModel> train_response(std::span<const CommandedDrive> drives, const TrainParams& params,
                                    const TrainProgress& progress) {
  if (auto checked = check_drives(drives); !checked) return checked.error();
  const auto say = [&](const char* doing, double done) { return !progress || progress(doing, done); };
  const Error stopped{"stopped before the end", ErrorKind::impossible};
  LearnedModel model{.frames = static_cast<std::size_t>(params.frames)};
  model.duration_s = duration_of(drives);
  model.best = begin_model(drives, params);
  if (!say("finding delays and lags", 0)) return stopped;
  model.best.response = identify_response(drives);
  model.best.delays = identify_delays(drives);
  auto gathered =
      gather(drives, model.best, model.frames, [&](double done) { say("looking at the drives", 0.1 + 0.2 * done); });
  for (std::size_t h = 0; h < gathered.size(); ++h) {
    if (gathered[h].inputs.size() < 100) {
      return Error{"no stretch without a gap is long enough for a horizon of " +
                   io::show(model.best.horizons[h].horizon) + " s"};
    }
    const double begun = 0.3 + 0.7 * static_cast<double>(h) / static_cast<double>(gathered.size());
    bool go_on = say("training", begun);
    const auto still = [&](int) { return go_on = go_on && say("training", begun); };
    learn_residuals(gathered[h], params, still, model.best.horizons[h]);
    if (!go_on) return stopped;
    PaperModels papers;
    papers.linear = train_linear(gathered[h].paper, params.penalty * 1e-3);
    papers.network = train_network(gathered[h].paper, params.network, [&](int epoch) {
      const double share = 0.7 / static_cast<double>(gathered.size()) * epoch / params.network.epochs;
      return go_on = go_on && say("training", begun + share);
    });
    if (!go_on) return stopped;
    model.papers.push_back(std::move(papers));
    model.n_samples = std::max(model.n_samples, gathered[h].inputs.size());
  }
  if (auto checked = respond::check_model(model.best); !checked) {
    return Error{"nothing can be learned from these recordings: " + checked.error().message, ErrorKind::impossible};
  }
  return model;
}

}  // namespace forerun::learn
