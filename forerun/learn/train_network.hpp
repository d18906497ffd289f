// Backpropagation for the papers' network: one hidden layer, sigmoid units, linear outputs (LAT-3).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/respond/network.hpp"

namespace forerun::learn {

struct NetworkParams {
  int hidden = 10;
  int epochs = 40;     // times that all samples are shown
  int batch = 16;      // samples a step
  double rate = 0.02;  // of learning, at first; falls to a hundredth of it
  double momentum = 0.9;
  int seed = 1;
};

template <class Visit>
void visit_fields(NetworkParams& p, Visit&& visit) {
  visit("hidden", p.hidden, Field{1, 64, "hidden units"});
  visit("epochs", p.epochs, Field{1, 10000, "times that all samples are shown"});
  visit("batch", p.batch, Field{1, 100000, "samples a step"});
  visit("rate", p.rate, Field{1e-6, 1, "rate of learning, at first"});
  visit("momentum", p.momentum, Field{0, 0.999, "how much of a step goes on in the next one"});
  visit("seed", p.seed, Field{0, 1e9, "of the first weights and of the order of the samples"});
}

// Rows of inputs and of outputs, one after the other.
struct Samples {
  std::size_t n_inputs = 0;
  std::size_t n_outputs = respond::kOutputs;
  std::vector<double> inputs;
  std::vector<double> outputs;

  [[nodiscard]] std::size_t size() const noexcept { return outputs.size() / n_outputs; }
};

// The same samples and parameters give the same network, to the last bit. `go_on` is asked after each epoch, with how
// many are done.
[[nodiscard]] respond::Network train_network(const Samples& samples, const NetworkParams& params,
                                             const std::function<bool(int)>& go_on = {});

// Ridge regression: one row of weights for each output; `penalty` is relative to the inputs' variance.
[[nodiscard]] respond::LinearModel train_linear(const Samples& samples, double penalty);

}  // namespace forerun::learn
