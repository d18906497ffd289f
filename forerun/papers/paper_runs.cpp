#include "forerun/papers/paper_runs.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace forerun::papers {
namespace {

constexpr PaperRun kRuns[] = {
    {.name = "execution",
     .arguments = "study execution --reality mismatched",
     .quick = "--missions 12",
     .full = "--missions 120",
     .quick_s = 2,
     .full_s = 19},
    {.name = "kenaf",
     .arguments = "study kenaf",
     .quick = "--drives 1",
     .full = "--drives 8",
     .picture = RunPicture::page,
     .quick_s = 43,
     .full_s = 250},
    {.name = "office-crowded",
     .arguments = "study office --reality crowded",
     .quick = "--runs 2",
     .full = "--runs 20",
     .picture = RunPicture::page,
     .quick_s = 4,
     .full_s = 35},
    {.name = "sending",
     .arguments = "study sending",
     .quick = "--runs 1",
     .full = "--runs 5",
     .quick_s = 4,
     .full_s = 20},
    {.name = "office-mismatched",
     .arguments = "study office --reality mismatched",
     .quick = "--runs 2",
     .full = "--runs 20",
     .picture = RunPicture::page,
     .quick_s = 4,
     .full_s = 35},
    {.name = "office-noisy",
     .arguments = "study office --reality noisy",
     .quick = "--runs 2",
     .full = "--runs 20",
     .picture = RunPicture::page,
     .quick_s = 4,
     .full_s = 35},
    {.name = "link-severe",
     .arguments = "study link --profile severe",
     .quick = "--duration-s 900",
     .full = "",
     .quick_s = 0.1,
     .full_s = 2},
    {.name = "link-paper",
     .arguments = "study link --profile paper",
     .quick = "--duration-s 900",
     .full = "",
     .quick_s = 0.1,
     .full_s = 2},
    {.name = "latency",
     .arguments = "study latency",
     .quick = "",
     .full = "",
     .picture = RunPicture::page,
     .quick_s = 3,
     .full_s = 3},
    {.name = "calibration",
     .arguments = "study calibration",
     .quick = "--runs 4",
     .full = "--runs 20",
     .picture = RunPicture::page,
     .quick_s = 2,
     .full_s = 10},
    {.name = "kenaf-test",
     .arguments = "kenaf test",
     .quick = "",
     .full = "--robustness",
     .by_chance = false,
     .quick_s = 2,
     .full_s = 60},
    {.name = "dead-time",
     .arguments = "latency --drive --robot ssl --delay-ms 120 --noise 3",
     .quick = "",
     .full = "",
     .picture = RunPicture::page},
    {.name = "mission", .arguments = "study mission", .quick = "", .full = "", .picture = RunPicture::page},
    {.name = "sensitivity", .arguments = "study sensitivity", .quick = "", .full = "", .picture = RunPicture::page},
    {.name = "drive",
     .arguments = "sim --scenario office-delivery --reality noisy",
     .quick = "",
     .full = "",
     .picture = RunPicture::plan},
    {.name = "plan",
     .arguments = "plan --world bonn-office --from 0.6,1.25 --to 11.3,5",
     .quick = "",
     .full = "",
     .picture = RunPicture::plan,
     .by_chance = false},
};

void add_words(const char* text, std::vector<std::string>& words) {
  std::istringstream stream(text);
  std::copy(std::istream_iterator<std::string>(stream), {}, std::back_inserter(words));
}

}  // namespace

std::span<const PaperRun> paper_runs() { return kRuns; }

const PaperRun* find_run(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kRuns), std::end(kRuns), [&](const PaperRun& r) { return name == r.name; });
  return found == std::end(kRuns) ? nullptr : found;
}

std::vector<std::string> arguments_of(const PaperRun& run, const PaperRunChoice& params) {
  std::vector<std::string> words;
  add_words(run.arguments, words);
  add_words(params.quick ? run.quick : run.full, words);
  if (run.by_chance) words.insert(words.end(), {"--seed", std::to_string(params.seed)});
  return words;
}

std::string picture_file(const PaperRun& run) {
  if (run.picture == RunPicture::none) return "";
  return std::string(run.name) + (run.picture == RunPicture::page ? ".html" : ".svg");
}

std::vector<std::string> outputs_of(const PaperRun& run, const std::string& folder) {
  std::vector<std::string> words{"--json", folder + "/" + run.name + ".json"};
  if (run.picture == RunPicture::none) return words;
  words.insert(words.end(), {run.picture == RunPicture::page ? "--report" : "--svg", folder + "/" + picture_file(run)});
  return words;
}

}  // namespace forerun::papers
