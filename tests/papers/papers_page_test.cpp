// The page of the five papers: what is on it, and what it says of runs that are not there.
#include "forerun/papers/papers_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "forerun/draw/page.hpp"
#include "tests/support/source_tree.hpp"

namespace forerun::papers {
namespace {

using Json = nlohmann::ordered_json;

template <class Visit>
void for_each_exhibit(const Visit& visit) {
  for (const Paper& paper : five_papers()) {
    for (const Exhibit& exhibit : paper.exhibits) visit(exhibit);
  }
}

// A report in which nothing was run.
PapersReport nothing_run() {
  PapersReport report{.version = "1.2.3", .params = {.quick = true, .seed = 7}};
  for (const PaperRun& run : paper_runs()) {
    report.runs.push_back({.run = &run, .arguments = arguments_of(run, report.params), .chosen = false});
  }
  return report;
}

FinishedRun& run_named(PapersReport& report, std::string_view name) {
  return *std::find_if(report.runs.begin(), report.runs.end(), [&](const auto& r) { return name == r.run->name; });
}

PaperFigure length_figure(Judgement judgement) {
  return {.what = "length",
          .printed = "80.8 m",
          .run = "drive",
          .path = "path_length_m",
          .unit = "m",
          .judgement = judgement,
          .low = 78,
          .high = 83};
}

TEST(PaperFigures, AreFoundByNamesIndicesAndConditions) {
  const auto json = Json::parse(R"({"a": {"b": 2}, "list": [{"kind": "x", "size": 100.00000000001, "v": 3, "ok": true},
    {"kind": "y", "size": 100, "v": 5}], "none": null, "plain": [7, 8]})");
  EXPECT_EQ(find_figure(json, "a/b"), 2);
  EXPECT_EQ(find_figure(json, "plain/1"), 8);
  EXPECT_EQ(find_figure(json, "list/kind=x,size=100/v"), 3);
  EXPECT_EQ(find_figure(json, "list/kind=x,size=100/ok"), 1);
  EXPECT_EQ(find_figure(json, "list/*/v"), 5);
  for (const char* path :
       {"none", "a", "a/c", "plain/2", "plain/-1", "plain/x", "list/kind=z/v", "a/b/c", "list/*/w"}) {
    EXPECT_FALSE(find_figure(json, path)) << path;
  }
  EXPECT_FALSE(find_figure(Json(), "a"));
}

TEST(PaperFigures, AreHeldToWhatIsPrinted) {
  PapersReport report = nothing_run();
  EXPECT_EQ(judge(length_figure(Judgement::alike), report).ours, "");
  run_named(report, "drive").figures = {{"path_length_m", 80.04}};
  EXPECT_EQ(judge(length_figure(Judgement::none), report).ours, "80.0 m");
  EXPECT_EQ(judge(length_figure(Judgement::none), report).words, "");
  EXPECT_EQ(judge(length_figure(Judgement::alike), report).words, "as printed");
  EXPECT_EQ(judge(length_figure(Judgement::no_worse), report).words, "at least as good");
  run_named(report, "drive").figures = {{"path_length_m", 90}};
  EXPECT_EQ(judge(length_figure(Judgement::alike), report).words, "differs");
  EXPECT_EQ(judge(length_figure(Judgement::no_worse), report).words, "not as good");
  EXPECT_FALSE(judge(length_figure(Judgement::no_worse), report).good);
}

TEST(PaperRuns, HaveNamesOfTheirOwnAndAreAllUsed) {
  std::set<std::string> names, used;
  for (const PaperRun& run : paper_runs()) EXPECT_TRUE(names.insert(run.name).second) << run.name;
  for_each_exhibit([&](const Exhibit& exhibit) {
    for (const PaperPicture& picture : exhibit.pictures) {
      ASSERT_NE(find_run(picture.run), nullptr) << picture.run;
      EXPECT_NE(find_run(picture.run)->picture, RunPicture::none) << picture.run;
      used.insert(picture.run);
    }
    for (const PaperFigure& figure : exhibit.figures) used.insert(figure.run);
  });
  EXPECT_EQ(names, used);
}

TEST(PaperRuns, TakeTheSeedAndSayWhatTheyWrite) {
  const PaperRun& office = *find_run("office-noisy");
  const auto quick = arguments_of(office, {.quick = true, .seed = 7}), full = arguments_of(office, {});
  EXPECT_EQ(quick, (std::vector<std::string>{"study", "office", "--reality", "noisy", "--runs", "2", "--seed", "7"}));
  EXPECT_EQ(full[5], "20");
  EXPECT_EQ(outputs_of(office, "d"),
            (std::vector<std::string>{"--json", "d/office-noisy.json", "--report", "d/office-noisy.html"}));
  EXPECT_EQ(outputs_of(*find_run("plan"), "d").back(), "d/plan.svg");
  EXPECT_EQ(outputs_of(*find_run("sending"), "d").size(), 2u);
}

TEST(PapersPage, HasEveryFigureAndTableOfTheSpecification) {
  const std::string page = write_papers_page(nothing_run());
  for (const char* number :
       {"PSS-5", "PSS-14", "PSS-14 a", "PSS-14 b", "PSS-14 c", "PSS-14 d", "PSS-14 e", "KEN-5", "KEN-6", "KEN-7",
        "LAT-1", "LAT-2, LAT-3", "LAT-4", "DEC-2", "DEC-9", "DEC-10", "DEC-11"}) {
    EXPECT_NE(page.find("<b>" + std::string(number) + "</b>"), std::string::npos) << number;
  }
  std::set<std::string> places;
  for_each_exhibit([&](const Exhibit& exhibit) {
    EXPECT_TRUE(places.insert(exhibit.id).second) << exhibit.id;
    EXPECT_FALSE(exhibit.pictures.empty() && exhibit.figures.empty()) << exhibit.id;
  });
}

// docs/papers.md says what is where.
TEST(PapersPage, HasATableOfContentsInTheDocuments) {
  const std::string document = test::read_source("docs/papers.md").text;
  for_each_exhibit([&](const Exhibit& exhibit) {
    EXPECT_NE(document.find(std::string("| ") + exhibit.title + " | "), std::string::npos) << exhibit.title;
    EXPECT_NE(document.find(exhibit.printed_as), std::string::npos) << exhibit.printed_as;
  });
  for (const PaperRun& run : paper_runs()) {
    EXPECT_NE(document.find("| `" + std::string(run.name) + "` | `forerun " + run.arguments + "` | "),
              std::string::npos)
        << run.name;
  }
}

TEST(PapersPage, SaysWhatWasNotRunAndMakesNoClaimForIt) {
  const PapersReport report = nothing_run();
  const std::string page = write_papers_page(report);
  EXPECT_NE(page.find("Not run here: <code>forerun study mission --seed 7</code>"), std::string::npos);
  EXPECT_EQ(page.find("as printed</td>"), std::string::npos);
  EXPECT_NE(page.find("Of 0 figures"), std::string::npos);
  const auto json = to_json(report);
  EXPECT_TRUE(json["runs"].empty());
  for (const auto& figure : json["figures"]) EXPECT_EQ(figure["ours"], "") << figure;
}

TEST(PapersPage, SaysWhichRunFailedAndWhy) {
  PapersReport report = nothing_run();
  FinishedRun& failed = run_named(report, "mission");
  failed.chosen = true;
  failed.exit_code = 2;
  failed.complaint = "m < n";
  const std::string page = write_papers_page(report);
  EXPECT_NE(page.find("failed with exit code 2: m &lt; n"), std::string::npos);
  EXPECT_EQ(page.find("href=\"mission.html\""), std::string::npos);
  EXPECT_EQ(to_json(report)["runs"][0]["exit_code"], 2);
}

TEST(PapersPage, TakesPicturesOverAndSaysWhereOneIsMissing) {
  PapersReport report = nothing_run();
  FinishedRun& mission = run_named(report, "mission");
  mission.chosen = true;
  mission.picture = draw::write_page({.title = "t",
                                      .lead = "",
                                      .content = draw::write_section("setup", "h", "<use href=\"#plan\"/>"),
                                      .definitions = "<g id=\"plan\"/>\n"});
  FinishedRun& plan = run_named(report, "plan");
  plan.chosen = true;
  plan.picture = "<svg/>";
  const std::string page = write_papers_page(report);
  EXPECT_NE(page.find("<use href=\"#mission-plan\"/>"), std::string::npos);
  EXPECT_NE(page.find("<g id=\"mission-plan\"/>"), std::string::npos);
  EXPECT_NE(page.find("mission.html lacks this picture"), std::string::npos);
  EXPECT_NE(page.find("data:image/svg+xml;base64,PHN2Zy8+"), std::string::npos);
}

}  // namespace
}  // namespace forerun::papers
