// `forerun study all`: every study, and one page with the five papers' figures and tables beside ours (BEY-8).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/papers/child_programs.hpp"
#include "forerun/papers/papers_page.hpp"

namespace forerun::lab {
namespace {

constexpr const char* kProgram = "/proc/self/exe";

struct AllOptions {
  papers::PaperRunChoice params;
  std::string folder, json;
  std::vector<std::string> only;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
};

std::string name_runs() {
  std::string names;
  for (const papers::PaperRun& run : papers::paper_runs()) names += (names.empty() ? "" : ", ") + std::string(run.name);
  return names;
}

Result<void> check_names(const std::vector<std::string>& only) {
  for (const std::string& name : only) {
    if (papers::find_run(name) == nullptr)
      return Error{"--only: no run is called " + io::quote(name) + "; " + name_runs()};
  }
  return {};
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error)) {
    return Error{folder + ": cannot be made a folder for the report" + (error ? ": " + error.message() : "")};
  }
  return {};
}

// Files that are opened before the work begins, so that what cannot be written shows at once.
struct AllFiles {
  std::optional<io::PendingFile> page, json, copy;
};

Result<AllFiles> open_files(const AllOptions& options) {
  if (auto made = make_folder(options.folder); !made) return made.error();
  auto page = cli::open_pending(options.folder + "/index.html");
  if (!page) return page.error();
  auto json = cli::open_pending(options.folder + "/all.json");
  if (!json) return json.error();
  auto copy = cli::open_pending(options.json);
  if (!copy) return copy.error();
  return AllFiles{std::move(*page), std::move(*json), std::move(*copy)};
}

// All runs, the longest first; those that were not asked for are marked.
std::vector<papers::FinishedRun> plan_runs(const AllOptions& options) {
  std::vector<papers::FinishedRun> runs;
  for (const papers::PaperRun& run : papers::paper_runs()) {
    const auto& only = options.only;
    papers::FinishedRun& planned = runs.emplace_back();
    planned.run = &run;
    planned.arguments = papers::arguments_of(run, options.params);
    planned.chosen = only.empty() || std::find(only.begin(), only.end(), run.name) != only.end();
  }
  const auto cost = [&](const papers::FinishedRun& r) { return options.params.quick ? r.run->quick_s : r.run->full_s; };
  std::stable_sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return cost(a) > cost(b); });
  return runs;
}

// A child for each run that was chosen, in their order.
std::vector<papers::ChildProgram> make_children(const std::vector<papers::FinishedRun>& runs,
                                                const AllOptions& options) {
  std::vector<papers::ChildProgram> children;
  const std::string program = std::filesystem::read_symlink(kProgram).string();
  for (const papers::FinishedRun& run : runs) {
    if (!run.chosen) continue;
    std::vector<std::string>& command = children.emplace_back().command;
    const auto outputs = papers::outputs_of(*run.run, options.folder);
    command = {program};
    command.insert(command.end(), run.arguments.begin(), run.arguments.end());
    command.insert(command.end(), outputs.begin(), outputs.end());
  }
  return children;
}

// How far it is, and what is under way: names of runs and how long they have taken.
void show(std::span<const papers::ChildProgram> children, const std::vector<papers::FinishedRun>& runs,
          cli::StatusLine& line) {
  if (!line.due()) return;
  std::size_t ended = 0, i = 0;
  std::string under_way;
  for (const papers::FinishedRun& run : runs) {
    if (!run.chosen) continue;
    const papers::ChildProgram& child = children[i++];
    ended += child.state == papers::ChildState::ended ? 1 : 0;
    if (child.state != papers::ChildState::running) continue;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, " (%.0f s)", child.duration_s);
    under_way += (under_way.empty() ? ": " : ", ") + std::string(run.run->name) + seconds;
  }
  line.show(std::to_string(ended) + " of " + std::to_string(children.size()) + " runs done" + under_way);
}

// The last sentence that a program complained with.
std::string last_sentence(std::string text) {
  constexpr std::string_view kBegin = "forerun: ";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t begin = text.find_last_of('\n');
  if (begin != std::string::npos) text.erase(0, begin + 1);
  return text.starts_with(kBegin) ? text.substr(kBegin.size()) : text;
}

void fail(papers::FinishedRun& run, const std::string& why) {
  run.exit_code = cli::kCannot;
  run.complaint = why;
}

// Takes over what a run has written.
void take_results(const std::string& folder, papers::FinishedRun& run) {
  const auto text = io::read_file(folder + "/" + run.run->name + ".json", io::kLargestData);
  if (!text) return fail(run, text.error().message);
  auto figures = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (figures.is_discarded()) return fail(run, std::string(run.run->name) + ".json is no JSON");
  run.figures = std::move(figures);
  if (run.run->picture == papers::RunPicture::none) return;
  auto picture = io::read_file(folder + "/" + papers::picture_file(*run.run), io::kLargestData);
  if (!picture) return fail(run, picture.error().message);
  run.picture = std::move(*picture);
}

Result<void> finish(const std::string& folder, const papers::ChildProgram& child, papers::FinishedRun& run) {
  const std::string log = folder + "/" + run.run->name + ".log";
  run.exit_code = child.exit_code;
  run.duration_s = child.duration_s;
  if (run.exit_code == 0) take_results(folder, run);
  if (!run.failed()) {
    std::error_code there_was_none;
    std::filesystem::remove(log, there_was_none);
    return {};
  }
  if (run.complaint.empty()) run.complaint = last_sentence(child.complaints);
  std::fprintf(stderr, "forerun: %s failed with exit code %d%s%s\n", run.run->name, run.exit_code,
               run.complaint.empty() ? "" : ": ", run.complaint.c_str());
  return io::write_file(log, child.complaints);
}

int write(const AllOptions& options, const papers::PapersReport& report, AllFiles files) {
  const auto json = papers::to_json(report);
  const std::string page = options.folder + "/index.html";
  if (auto done = cli::write_text(page, std::move(files.page), papers::write_papers_page(report)); !done) {
    return cli::complain(done.error());
  }
  if (auto done = cli::write_json(options.folder + "/all.json", std::move(files.json), json); !done) {
    return cli::complain(done.error());
  }
  if (auto done = cli::write_json(options.json, std::move(files.copy), json); !done) return cli::complain(done.error());
  if (options.json != "-") std::fputs((papers::describe(report) + page + "\n").c_str(), stdout);
  const bool failed = std::any_of(report.runs.begin(), report.runs.end(), [](const auto& r) { return r.failed(); });
  return failed ? cli::kCannot : cli::kDone;
}

int run_all(const AllOptions& options) {
  if (auto known = check_names(options.only); !known) return cli::complain(known.error());
  auto files = open_files(options);
  if (!files) return cli::complain(files.error());
  cli::catch_interrupts();
  papers::PapersReport report{.version = FORERUN_VERSION, .params = options.params, .runs = plan_runs(options)};
  auto children = make_children(report.runs, options);
  const auto begin = std::chrono::steady_clock::now();
  {
    cli::StatusLine line;
    const bool done = papers::run_children(children, options.jobs, [&](std::span<const papers::ChildProgram> now) {
      show(now, report.runs, line);
      return !cli::interrupted();
    });
    if (!done) return cli::kInterrupted;
  }
  report.duration_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto child = children.begin();
  for (papers::FinishedRun& run : report.runs) {
    if (!run.chosen) continue;
    if (auto done = finish(options.folder, *child++, run); !done) return cli::complain(done.error());
  }
  return write(options, report, std::move(*files));
}

}  // namespace

Study add_all_studies(CLI::App& app) {
  const auto options = std::make_shared<AllOptions>();
  CLI::App* study = app.add_subcommand(
      "all",
      "The studies of the five papers, and one page that walks through them: each figure and table beside ours.");
  study
      ->add_option("--report", options->folder, "a folder for the page (index.html), all.json, and what each run wrote")
      ->required();
  study->add_flag("--quick", options->params.quick, "fewer and shorter drives: minutes");
  study->add_option("--only", options->only, "only these runs: " + name_runs());
  cli::bind_option(*study, "--jobs", options->jobs, Field{1, 256, "runs at once; as many as there are cores"});
  study->add_option("--seed", options->params.seed, "of all chance (1)");
  study->add_option("--json", options->json, "write what is in all.json here too (- for standard output)");
  study->footer(
      "Examples:\n"
      "  forerun study all --quick --report papers\n"
      "  forerun study all --only mission --only sensitivity --report papers");
  return {study, [options] { return run_all(*options); }};
}

}  // namespace forerun::lab
