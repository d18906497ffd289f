#include "forerun/learn/train_network.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <numeric>

#include "forerun/base/random.hpp"

namespace forerun::learn {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<const Matrix>;
using Eigen::Index;
using Eigen::VectorXd;

Rows rows_of(const std::vector<double>& values, std::size_t n) {
  return {values.data(), static_cast<Index>(values.size() / n), static_cast<Index>(n)};
}

// What makes a column's mean 0 and its spread 1; a column that never changes is left as it is.
struct Scale {
  VectorXd mean, spread;

  explicit Scale(const Rows& rows) : mean(rows.colwise().mean()), spread(rows.cols()) {
    for (Index i = 0; i < rows.cols(); ++i) {
      const double variance = (rows.col(i).array() - mean[i]).square().mean();
      spread[i] = variance > 1e-18 ? std::sqrt(variance) : 1;
    }
  }
  [[nodiscard]] Matrix apply(const Rows& rows) const {
    return (rows.rowwise() - mean.transpose()).array().rowwise() / spread.transpose().array();
  }
};

// Weights with a last column that is always added.
struct Layer {
  Matrix weights, step;

  Layer(Index rows, Index columns, Random& random) : weights(rows, columns + 1), step(Matrix::Zero(rows, columns + 1)) {
    const double size = 1 / std::sqrt(static_cast<double>(columns));
    for (Index i = 0; i < weights.size(); ++i) weights.data()[i] = size * random.uniform(-1, 1);
  }
  [[nodiscard]] Matrix apply(const Matrix& values) const {
    const Index n = weights.cols() - 1;
    return (values * weights.leftCols(n).transpose()).rowwise() + weights.col(n).transpose();
  }
  void descend(const Matrix& delta, const Matrix& values, double rate, double momentum) {
    const Index n = weights.cols() - 1;
    step *= momentum;
    step.leftCols(n).noalias() -= rate * (delta.transpose() * values);
    step.col(n) -= rate * delta.colwise().sum().transpose();
    weights += step;
  }
};

// One step of backpropagation on some samples.
void learn_batch(Layer& in, Layer& out, const Matrix& values, const Matrix& wanted, double rate, double momentum) {
  const Matrix units = (1 / (1 + (-in.apply(values).array()).exp())).matrix();
  const Matrix error = (out.apply(units) - wanted) / static_cast<double>(values.rows());
  const Matrix back = error * out.weights.leftCols(out.weights.cols() - 1);
  const Matrix inner = (back.array() * units.array() * (1 - units.array())).matrix();
  out.descend(error, units, rate, momentum);
  in.descend(inner, values, rate, momentum);
}

void shuffle(std::vector<Index>& order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

// The network for values as they are, not scaled.
respond::Network fold(const Layer& in, const Layer& out, const Scale& inputs, const Scale& outputs) {
  const Index n = inputs.mean.size(), hidden = in.weights.rows();
  Matrix first = in.weights, second = out.weights;
  first.leftCols(n).array().rowwise() /= inputs.spread.transpose().array();
  first.col(n) -= first.leftCols(n) * inputs.mean;
  second.array().colwise() *= outputs.spread.array();
  second.col(hidden) += outputs.mean;
  return {static_cast<std::size_t>(n),
          static_cast<std::size_t>(hidden),
          {first.data(), first.data() + first.size()},
          {second.data(), second.data() + second.size()}};
}

}  // namespace

respond::Network train_network(const Samples& samples, const NetworkParams& params,
                               const std::function<bool(int)>& go_on) {
  const Rows raw_inputs = rows_of(samples.inputs, samples.n_inputs);
  const Rows raw_outputs = rows_of(samples.outputs, samples.n_outputs);
  const Scale input_scale(raw_inputs), output_scale(raw_outputs);
  const Matrix inputs = input_scale.apply(raw_inputs), outputs = output_scale.apply(raw_outputs);
  Random random(static_cast<std::uint64_t>(params.seed), 0x7e7);
  Layer in(params.hidden, inputs.cols(), random), out(outputs.cols(), params.hidden, random);
  std::vector<Index> order(samples.size());
  std::iota(order.begin(), order.end(), 0);
  const Index n = inputs.rows();
  for (int epoch = 0; epoch < params.epochs; ++epoch) {
    shuffle(order, random);
    const double rate = params.rate * std::pow(0.01, epoch / std::max(1.0, params.epochs - 1.0));
    for (Index at = 0; at < n; at += params.batch) {
      const Index size = std::min<Index>(params.batch, n - at);
      Matrix values(size, inputs.cols()), wanted(size, outputs.cols());
      for (Index i = 0; i < size; ++i) {
        const Index sample = order[static_cast<std::size_t>(at + i)];
        values.row(i) = inputs.row(sample);
        wanted.row(i) = outputs.row(sample);
      }
      learn_batch(in, out, values, wanted, rate, params.momentum);
    }
    if (go_on && !go_on(epoch + 1)) break;
  }
  return fold(in, out, input_scale, output_scale);
}

respond::LinearModel train_linear(const Samples& samples, double penalty) {
  const Rows raw_inputs = rows_of(samples.inputs, samples.n_inputs);
  const Rows raw_outputs = rows_of(samples.outputs, samples.n_outputs);
  const Scale scale(raw_inputs);
  const Matrix inputs = scale.apply(raw_inputs);
  const VectorXd means = raw_outputs.colwise().mean();
  const Index n = inputs.cols();
  const double count = static_cast<double>(inputs.rows());
  Matrix normal = inputs.transpose() * inputs / count;
  normal.diagonal().array() += penalty;
  const Matrix moments = inputs.transpose() * (raw_outputs.rowwise() - means.transpose()) / count;
  Matrix weights(raw_outputs.cols(), n + 1);
  weights.leftCols(n) = normal.ldlt().solve(moments).transpose();
  weights.leftCols(n).array().rowwise() /= scale.spread.transpose().array();
  weights.col(n) = means - weights.leftCols(n) * scale.mean;
  return {samples.n_inputs, {weights.data(), weights.data() + weights.size()}};
}

}  // namespace forerun::learn
