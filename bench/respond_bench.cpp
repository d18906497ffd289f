// Inference of learned models: a moment ahead of a robot that is driven by hand.
#include <benchmark/benchmark.h>

#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/learn/train_network.hpp"
#include "forerun/respond/frames.hpp"
#include "forerun/respond/responder.hpp"

namespace forerun::bench {
namespace {

respond::Model make_model() {
  respond::Model model;
  model.response = {{0.12, 0.1, 0.95, 3}, {0.12, 0.1, 0.95, 3}, {0.1, 0.05, 1, 30}};
  model.delays = {{0.22, 0, 1}, {0.22, 0, 1}, {0.15, 0, 1}};
  for (const double horizon : {0.13, 0.5, 1.0}) {
    respond::HorizonModel one;
    one.horizon = horizon;
    one.squares.fill({1e-4, 1e-4});
    model.horizons.push_back(one);
  }
  return model;
}

// A robot that answers as the model has it, seen by a camera.
void drive(const respond::Model& model, respond::Responder& responder) {
  Random random(1);
  respond::CommandTrack commands;
  respond::Expected robot;
  for (int i = 0; i < 900; ++i) {
    const double time = i / 30.0;
    const robot::Twist command{std::sin(time), 0, std::cos(2 * time)};
    commands.give(time, command);
    responder.give(time, command);
    respond::advance(model.response, commands, time - 1 / 30.0, time, robot);
    responder.see(time, {robot.path.x + 0.002 * random.normal(), robot.path.y + 0.002 * random.normal(),
                         robot.path.theta + 0.005 * random.normal()});
  }
}

// [ms] ahead.
void predict_best(benchmark::State& state) {
  const respond::Model model = make_model();
  respond::Responder responder(model);
  drive(model, responder);
  const double time = responder.origin().time + 1e-3 * static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(responder.at(time));
}
BENCHMARK(predict_best)->Arg(130)->Arg(500)->Arg(1000);

void predict_by_network(benchmark::State& state) {
  const respond::Model model = make_model();
  respond::Responder responder(model);
  drive(model, responder);
  respond::Network network{42, 10, std::vector<double>(10 * 43, 0.1), std::vector<double>(4 * 11, 0.1)};
  for (auto _ : state) {
    const auto frames = respond::make_frames(responder.track(), responder.commands(), {});
    benchmark::DoNotOptimize(network.predict({frames.data(), 42}));
  }
}
BENCHMARK(predict_by_network);

void take_a_pose(benchmark::State& state) {
  const respond::Model model = make_model();
  respond::Responder responder(model);
  drive(model, responder);
  double time = responder.origin().time;
  for (auto _ : state) {
    time += 1.0 / 30;
    responder.see(time, {time, 0, 0});
  }
}
BENCHMARK(take_a_pose);

// 100,000 samples of 42 numbers, 10 hidden units.
void train_the_papers_network(benchmark::State& state) {
  learn::Samples samples{.n_inputs = 42};
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    double sum = 0;
    for (int k = 0; k < 42; ++k) {
      samples.inputs.push_back(random.normal());
      sum += samples.inputs.back();
    }
    samples.outputs.insert(samples.outputs.end(), {std::sin(sum), sum, std::cos(sum), 1});
  }
  for (auto _ : state) benchmark::DoNotOptimize(learn::train_network(samples, {}));
}
BENCHMARK(train_the_papers_network)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace forerun::bench
