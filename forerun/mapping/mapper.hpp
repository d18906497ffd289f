// A map from scans and odometry: scan after scan is matched to the last ones, places that were seen before are
// recognised, and all poses are made to fit.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/mapping/patch.hpp"
#include "forerun/mapping/pose_graph.hpp"

namespace forerun::mapping {

struct MapperParams {
  double reach_m = 12;       // surfaces further off are left out of matching [m]
  int n_recent = 10;         // scans that the newest one is matched to
  double drift = 0.05;       // how far off poses get, a metre of way: known places are looked for so far around
  double turn_radpm = 0.02;  // likewise the heading [rad/m]
  double widest_m = 6;       // nowhere is looked further around than this [m]
  double agreement = 0.85;   // of two views of one place: the least share that says the same
};

template <class Visit>
void visit_fields(MapperParams& p, Visit&& visit) {
  visit("reach_m", p.reach_m, Field{1, 100, "surfaces further off are left out of matching [m]"});
  visit("n_recent", p.n_recent, Field{1, 100, "scans that the newest one is matched to"});
  visit("drift", p.drift,
        Field{0, 1, "how far off poses get, a metre of way: known places are looked for so far around"});
  visit("turn_radpm", p.turn_radpm, Field{0, 1, "likewise the heading [rad/m]"});
  visit("widest_m", p.widest_m, Field{0, 100, "nowhere is looked further around than this [m]"});
  visit("agreement", p.agreement, Field{0, 1, "of two views of one place: the least share that says the same"});
}

class Mapper {
 public:
  explicit Mapper(const MapperParams& params = {}) : params_(params) {}

  // The next scan, where the robot has moved since the last one.
  void add(Sweep sweep);
  // Looks at all that is near each other with all that is known now, and makes it fit. `go_on` is told the share done;
  // when it says no, the rest is left out.
  void finish(const std::function<bool(double)>& go_on = {});

  [[nodiscard]] PlacedSweeps placed() const { return {sweeps_, graph_.nodes()}; }
  [[nodiscard]] const PoseGraph& graph() const { return graph_; }
  // Recognised places that are believed.
  [[nodiscard]] int n_closures() const;

 private:
  // A recognised place that would move the map a lot, and waits for a second one that says the same.
  struct Witness {
    PoseLink link;
    Pose2 correction;   // world_from_world: what it would do to the newest poses
    double driven = 0;  // when it was seen [m]
  };

  void close_loops(int newest);
  bool take(const PoseLink& link, double way);
  bool confirm(const PoseLink& link);
  bool look_again(int newest);
  [[nodiscard]] std::vector<int> find_candidates(int newest, std::span<const double> ways, std::size_t most) const;
  [[nodiscard]] bool is_linked(int old, int newest) const;

  MapperParams params_;
  std::vector<Sweep> sweeps_;
  PoseGraph graph_;
  std::vector<double> driven_;  // until each scan [m]
  std::vector<Witness> witnesses_;
};

}  // namespace forerun::mapping
