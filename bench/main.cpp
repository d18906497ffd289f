// How fast it is. First every goal as a ratio, both sides measured in this run; then, with `--all` or any
// `--benchmark_…` flag, Google Benchmark's tables.
#include <benchmark/benchmark.h>

#include <string_view>
#include <vector>

#include "bench/ratios.hpp"

namespace {

void report_ratios() {
  forerun::bench::report_ray_ratios();
  forerun::bench::report_value_iteration_ratios();
  forerun::bench::report_loop_rates();
  forerun::bench::report_replica_rates();
  forerun::bench::report_physics_rates();
}

int run_tables(int argc, char** argv) {
  // `--all` only means: no filter
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--all") arguments.push_back(argv[i]);
  }
  int n_arguments = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&n_arguments, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(n_arguments, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  report_ratios();
  return argc > 1 ? run_tables(argc, argv) : 0;
}
