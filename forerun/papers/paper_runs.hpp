// What `forerun study all` runs: commands of the program itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::papers {

// What a run draws beside its figures.
enum class RunPicture { none, page, plan };

struct PaperRun {
  const char* name;       // also of its files
  const char* arguments;  // of the program
  const char* quick;      // what is added for a first look
  const char* full;       // and for all that the papers show
  RunPicture picture = RunPicture::none;
  bool by_chance = true;  // takes `--seed`
  double quick_s = 1;     // of a core, about
  double full_s = 1;
};

// The longest first, so that none is left alone at the end.
[[nodiscard]] std::span<const PaperRun> paper_runs();
[[nodiscard]] const PaperRun* find_run(std::string_view name);

struct PaperRunChoice {
  bool quick = false;
  std::uint64_t seed = 1;
};

// What stands on the command line after the program, without the files that it writes; these have the run's name.
[[nodiscard]] std::vector<std::string> arguments_of(const PaperRun& run, const PaperRunChoice& params);
[[nodiscard]] std::vector<std::string> outputs_of(const PaperRun& run, const std::string& folder);
// Of its picture; empty: it has none.
[[nodiscard]] std::string picture_file(const PaperRun& run);

}  // namespace forerun::papers
