// One list per parameter struct: the same visit reads YAML, checks ranges, writes docs/params.md and feeds the page.
//
// A struct opts in with a function next to it:
//   template <class Visit> void visit_fields(Limits& p, Visit&& visit) {
//     visit("max_speed_mps", p.max_speed, {.low = 0.01, .high = 5, .about = "top forward speed"});
//   }
#pragma once

namespace forerun {

struct Field {
  double low = 0;          // smallest value allowed
  double high = 0;         // largest value allowed
  const char* about = "";  // what it means, in a few words
};

}  // namespace forerun
