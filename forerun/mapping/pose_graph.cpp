#include "forerun/mapping/pose_graph.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace forerun::mapping {
namespace {

constexpr double kFits = 12;     // squared error of three numbers that a right link stays below, 99 %
constexpr int kMostSteps = 8;    // of Gauss and Newton at one scale
constexpr double kStill = 1e-4;  // poses that move less have settled [m, rad]

// The normal equations, as triplets; node 0 is left out.
class Equations {
 public:
  explicit Equations(std::size_t n_nodes) : gradient_(Eigen::VectorXd::Zero(size_of(n_nodes))) {}

  void add(const PoseLink& link, const LinkError& e) {
    const Matrix<3, 3> weighted = link.information * link.weight;
    const Matrix<3, 3> from_half = transposed(e.by_from) * weighted, to_half = transposed(e.by_to) * weighted;
    add_block(link.from, link.from, from_half * e.by_from);
    add_block(link.to, link.to, to_half * e.by_to);
    // the lower triangle is enough
    if (link.from > link.to) add_block(link.from, link.to, from_half * e.by_to);
    if (link.to > link.from) add_block(link.to, link.from, to_half * e.by_from);
    add_gradient(link.from, from_half * e.error);
    add_gradient(link.to, to_half * e.error);
  }

  // How far each node should move; nothing where the equations cannot be solved.
  [[nodiscard]] Eigen::VectorXd solve() {
    const auto n = gradient_.size();
    for (Eigen::Index i = 0; i < n; ++i) triplets_.emplace_back(i, i, 1e-9);
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(triplets_.begin(), triplets_.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(matrix);
    if (solver.info() != Eigen::Success) return Eigen::VectorXd::Zero(n);
    return -solver.solve(gradient_);
  }

 private:
  static Eigen::Index size_of(std::size_t n_nodes) {
    return n_nodes < 2 ? 0 : static_cast<Eigen::Index>(n_nodes - 1) * 3;
  }

  void add_block(int row, int column, const Matrix<3, 3>& block) {
    if (row == 0 || column == 0) return;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int r = 3 * (row - 1) + i, c = 3 * (column - 1) + j;
        if (r >= c) triplets_.emplace_back(r, c, block(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
      }
    }
  }
  void add_gradient(int row, const Vector<3>& part) {
    for (int i = 0; row > 0 && i < 3; ++i) gradient_[3 * (row - 1) + i] += part[static_cast<std::size_t>(i)];
  }

  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::VectorXd gradient_;
};

}  // namespace

LinkError find_link_error(const PoseLink& link, const Pose2& from, const Pose2& to) {
  const SinCos a = sincos(from.theta);
  const Vec2 d = to.position() - from.position();
  const Vec2 seen{a.cos * d.x + a.sin * d.y, a.cos * d.y - a.sin * d.x};  // `to` in the frame of `from`
  LinkError e;
  e.error[0] = seen.x - link.from_from_to.x;
  e.error[1] = seen.y - link.from_from_to.y;
  e.error[2] = normalize_angle(to.theta - from.theta - link.from_from_to.theta);
  e.by_to = {{{{a.cos, a.sin, 0}, {-a.sin, a.cos, 0}, {0, 0, 1}}}};
  e.by_from = {{{{-a.cos, -a.sin, seen.y}, {a.sin, -a.cos, -seen.x}, {0, 0, -1}}}};
  return e;
}

double square_error(const PoseLink& link, const Pose2& from, const Pose2& to) {
  const Vector<3> error = find_link_error(link, from, to).error;
  return (transposed(error) * link.information * error)(0, 0);
}

int PoseGraph::add_node(const Pose2& pose) {
  nodes_.push_back(pose);
  return static_cast<int>(nodes_.size()) - 1;
}

// Geman and McClure's weights, with a scale that says how far off a link may be and still count.
void PoseGraph::weigh(double scale) {
  for (PoseLink& link : links_) {
    if (!link.doubtful) continue;
    const double off =
        square_error(link, nodes_[static_cast<std::size_t>(link.from)], nodes_[static_cast<std::size_t>(link.to)]);
    link.weight = square(scale * kFits / (scale * kFits + off));
  }
}

double PoseGraph::step() {
  Equations equations(nodes_.size());
  for (const PoseLink& link : links_) {
    equations.add(link, find_link_error(link, nodes_[static_cast<std::size_t>(link.from)],
                                        nodes_[static_cast<std::size_t>(link.to)]));
  }
  const Eigen::VectorXd change = equations.solve();
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * (i - 1));
    nodes_[i] = {nodes_[i].x + change[at], nodes_[i].y + change[at + 1],
                 normalize_angle(nodes_[i].theta + change[at + 2])};
  }
  return change.size() == 0 ? 0 : change.cwiseAbs().maxCoeff();
}

void PoseGraph::optimize(bool gently) {
  double worst = 0;
  for (const PoseLink& link : links_) {
    if (link.doubtful)
      worst = std::max(worst, square_error(link, nodes_[static_cast<std::size_t>(link.from)],
                                           nodes_[static_cast<std::size_t>(link.to)]));
  }
  double scale = gently ? 1 : std::max(1.0, 2 * worst / kFits);
  for (;;) {
    for (int i = 0; i < (scale > 1 ? 2 : kMostSteps); ++i) {
      weigh(scale);
      if (step() < kStill) break;
    }
    if (scale <= 1) return;
    scale = std::max(1.0, scale / 4);
  }
}

}  // namespace forerun::mapping
