// What the demo's page may change: the network, and how faithful the robot is. The one list of these settings: the
// command line, the page's messages and the page's sliders take their ranges from it.
#pragma once

#include <string>

#include "forerun/base/fields.hpp"

namespace forerun::web {

struct DemoSettings {
  double loss = 0.3;      // share, each way
  double delay_s = 0.09;  // each way [s]
  double interval_s = 3;  // between two reports [s]
  bool blackout = false;  // nothing passes
  std::string reality = "noisy";
  bool operator==(const DemoSettings&) const = default;
};

template <class Visit>
void visit_fields(DemoSettings& p, Visit&& visit) {
  visit("loss", p.loss, Field{0, 1, "share of datagrams that the network loses, each way"});
  visit("delay_s", p.delay_s, Field{0, 10, "how long datagrams take, each way [s]"});
  visit("interval_s", p.interval_s, Field{0.05, 60, "time between two reports of the robot [s]"});
  visit("blackout", p.blackout, Field{.about = "nothing passes"});
  visit("reality", p.reality, Field{.about = "how far the robot departs from its copy"});
}

}  // namespace forerun::web
