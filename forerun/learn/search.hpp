// The parameters with the least cost, found by steps of one parameter at a time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"

namespace forerun::learn {

// A parameter to be found, more than 0. Steps are factors, because it is the ratio that matters.
struct Unknown {
  double value = 1;  // where to begin
  double low = 0;    // allowed …
  double high = 1;   // … from here to here
};

struct SearchParams {
  double first_step = 0.1;   // each parameter is tried this much larger and smaller, as a share of it …
  double last_step = 0.02;   // … then half of that, and so on down to this
  double least_gain = 0.01;  // a step counts when it lowers the sum of the costs by this share, and none of them rises
  int most_costs = 150;      // gives up after so many evaluations
};

template <class Visit>
void visit_fields(SearchParams& p, Visit&& visit) {
  visit("first_step", p.first_step,
        Field{0.0001, 10, "each parameter is tried this much larger and smaller, as a share of it"});
  visit("last_step", p.last_step, Field{0.0001, 10, "then half of that, and so on down to this"});
  visit("least_gain", p.least_gain, Field{0, 1, "a step counts when it lowers the sum of the costs by this share"});
  visit("most_costs", p.most_costs, Field{1, 1e6, "gives up after so many evaluations"});
}

// The costs of these values, one for each independent part of the data, so that chance in one part does not lead
// astray; nothing: the user wants to stop.
using Costs = std::vector<double>;
using Cost = std::function<std::optional<Costs>(std::span<const double> values)>;

struct Found {
  std::vector<double> values;
  Costs costs;
  int n_costs = 0;       // evaluations it took
  bool stopped = false;  // before the end
};

[[nodiscard]] Found search(std::span<const Unknown> unknowns, const Cost& cost, const SearchParams& params = {});

}  // namespace forerun::learn
