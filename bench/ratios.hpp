// What `make bench` says in plain words after the benchmarks: our speed over that of a reference, timed in turns.
#pragma once

namespace forerun::bench {

void report_ray_ratios();
void report_value_iteration_ratios();
void report_loop_rates();
void report_replica_rates();
void report_physics_rates();

}  // namespace forerun::bench
