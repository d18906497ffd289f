// Poses that measurements hold together, and where they then are.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/matrix.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::mapping {

// A measured pose of one node in the frame of another.
struct PoseLink {
  int from = 0;
  int to = 0;
  Pose2 from_from_to;        // as measured
  Matrix<3, 3> information;  // of x, y, theta in the frame of `from`
  bool doubtful = false;     // may be wrong altogether: counts the less, the further it is off all others
  double weight = 1;         // how much it counts after optimize(), 0 … 1
};

// What is wrong with a link when its nodes are here: measured against actual, in the frame measured.
struct LinkError {
  Vector<3> error;
  Matrix<3, 3> by_from;  // its derivatives by x, y, theta of `from`
  Matrix<3, 3> by_to;
};
[[nodiscard]] LinkError find_link_error(const PoseLink& link, const Pose2& from, const Pose2& to);
// Its square by the link's information.
[[nodiscard]] double square_error(const PoseLink& link, const Pose2& from, const Pose2& to);

class PoseGraph {
 public:
  int add_node(const Pose2& pose);
  void add_link(const PoseLink& link) { links_.push_back(link); }

  // Gauss and Newton until nothing moves; node 0 stays. Doubtful links first count as nearly certain and then less and
  // less where they do not fit (graduated non-convexity: Yang and others 2020). `gently`: from their last weights on.
  void optimize(bool gently = false);

  [[nodiscard]] std::span<const Pose2> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const PoseLink> links() const { return links_; }
  void move(int node, const Pose2& pose) { nodes_[static_cast<std::size_t>(node)] = pose; }

 private:
  void weigh(double scale);
  double step();

  std::vector<Pose2> nodes_;
  std::vector<PoseLink> links_;
};

}  // namespace forerun::mapping
