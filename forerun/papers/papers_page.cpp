#include "forerun/papers/papers_page.hpp"

#include <algorithm>

#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/io/base64.hpp"

namespace forerun::papers {
namespace {

using draw::escape;
using draw::fixed;

constexpr const char* kStyle = R"css(
main{max-width:1080px}.paper{margin-top:4.5rem;padding-top:1.2rem;border-top:3px solid var(--ink);font-size:1.5rem}
.exhibit{margin-top:2.6rem}.exhibit>h3{font-size:1.15rem;margin:0;line-height:1.3}.exhibit>h3 b,.summary b{color:var(--soft);font-weight:600}
.exhibit>h3 b{margin-right:.4em}.where{margin:.1rem 0 .5rem}.good{color:var(--other);font-weight:600}
.off{color:var(--extrapolation);font-weight:600}.beside td:nth-child(n+2),.beside th:nth-child(n+2),.summary td:nth-child(n+2),
.summary th:nth-child(n+2){width:10rem}.beside{max-width:52rem}.summary td:last-child,.beside td:last-child{white-space:nowrap}
.summary .of td{padding-top:1.3rem;font-weight:650;border-bottom-color:var(--ink);text-align:left}
.differs{border-left:3px solid var(--rule);padding-left:.8rem}.failed{border-left:3px solid var(--extrapolation);padding-left:.8rem}
.plan{background:#fff;border:1px solid var(--rule);border-radius:6px;padding:.5rem}.plan img{display:block;width:100%;height:auto}
code{font-size:.88em;overflow-wrap:anywhere}a{color:var(--prediction)}
@media(max-width:600px){.beside td:nth-child(n+2),.beside th:nth-child(n+2),.summary td:nth-child(n+2),.summary th:nth-child(n+2){width:auto}
.summary td:last-child,.beside td:last-child{white-space:normal}}
)css";

const FinishedRun* find(const PapersReport& report, std::string_view name) {
  const auto found =
      std::find_if(report.runs.begin(), report.runs.end(), [&](const FinishedRun& r) { return name == r.run->name; });
  return found == report.runs.end() ? nullptr : &*found;
}

std::string command_of(const FinishedRun& run) {
  std::string made = "forerun";
  for (const std::string& word : run.arguments) made += " " + word;
  return made;
}

std::string verdict_cell(const PaperFigure& figure, const Verdict& verdict) {
  if (verdict.words.empty()) return std::string("<td><span class=\"soft\">") + figure.note + "</span></td>";
  return std::string("<td class=\"") + (verdict.good ? "good" : "off") + "\">" + verdict.words + "</td>";
}

std::string or_dash(const std::string& text) { return text.empty() ? "–" : text; }

std::string figure_row(const PaperFigure& figure, const PapersReport& report, const std::string& what) {
  const Verdict verdict = judge(figure, report);
  return "<tr><td>" + what + "</td><td>" + or_dash(figure.printed) + "</td><td>" +
         (verdict.ours.empty() ? "<span class=\"soft\">not measured</span>" : verdict.ours) + "</td>" +
         verdict_cell(figure, verdict) + "</tr>\n";
}

constexpr const char* kHead = "<th>the paper</th><th>ours</th><th></th></tr></thead><tbody>\n";

// The most important figures of all papers, with where they are explained.
std::string draw_summary(const PapersReport& report) {
  std::string made = std::string("<table class=\"figures summary\"><thead><tr><th></th>") + kHead;
  for (const Paper& paper : five_papers()) {
    std::string rows;
    for (const Exhibit& exhibit : paper.exhibits) {
      for (const PaperFigure& figure : exhibit.figures) {
        if (!figure.in_summary) continue;
        rows += figure_row(figure, report,
                           std::string("<a href=\"#") + exhibit.id + "\">" + exhibit.numbers + "</a> " + figure.what);
      }
    }
    if (rows.empty()) continue;
    made += std::string("<tr class=\"of\"><td colspan=\"4\"><a href=\"#") + paper.id + "\">" + paper.title +
            "</a></td></tr>\n" + rows;
  }
  return "<div class=\"scroll\">" + made + "</tbody></table></div>\n";
}

std::string draw_figures(const Exhibit& exhibit, const PapersReport& report) {
  if (exhibit.figures.empty()) return "";
  std::string made = std::string("<table class=\"figures beside\"><thead><tr><th></th>") + kHead;
  for (const PaperFigure& figure : exhibit.figures) made += figure_row(figure, report, figure.what);
  return "<div class=\"scroll\">" + made + "</tbody></table></div>\n";
}

// Why a run is not on the page, in one paragraph; empty: it is.
std::string say_missing(const FinishedRun& run) {
  if (!run.chosen) return "<p class=\"soft\">Not run here: <code>" + escape(command_of(run)) + "</code></p>\n";
  if (!run.failed()) return "";
  return "<p class=\"failed\"><code>" + escape(command_of(run)) + "</code> failed with exit code " +
         std::to_string(run.exit_code) + (run.complaint.empty() ? "" : ": " + escape(run.complaint)) + "</p>\n";
}

std::string draw_picture(const PaperPicture& picture, const PapersReport& report) {
  const FinishedRun& run = *find(report, picture.run);
  if (run.picture.empty()) return "";
  if (run.run->picture == RunPicture::page) {
    const std::string cut = draw::cut_section(run.picture, picture.section, std::string(picture.run) + "-");
    return cut.empty() ? "<p class=\"failed\">" + picture_file(*run.run) + " lacks this picture.</p>\n" : cut;
  }
  return "<figure class=\"plan\"><img alt=\"" + escape(command_of(run)) + "\" src=\"data:image/svg+xml;base64," +
         io::encode_base64(run.picture) + "\"></figure>\n";
}

// Those that the exhibit is made of, each once.
std::vector<const FinishedRun*> runs_of(const Exhibit& exhibit, const PapersReport& report) {
  std::vector<const FinishedRun*> runs;
  const auto add = [&](const char* name) {
    const FinishedRun* run = find(report, name);
    if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
  };
  for (const PaperPicture& picture : exhibit.pictures) add(picture.run);
  for (const PaperFigure& figure : exhibit.figures) add(figure.run);
  return runs;
}

std::string say_source(const FinishedRun& run) {
  const std::string file =
      picture_file(*run.run).empty() ? std::string(run.run->name) + ".json" : picture_file(*run.run);
  return "<a href=\"" + file + "\">" + file + "</a>: <code>" + escape(command_of(run)) + "</code>";
}

std::string draw_exhibit(const Exhibit& exhibit, const PapersReport& report) {
  std::string made = std::string("<section class=\"exhibit\" id=\"") + exhibit.id + "\"><h3><b>" + exhibit.numbers +
                     "</b>" + exhibit.title + "</h3>\n<p class=\"soft where\">" + exhibit.printed_as + "</p>\n<p>" +
                     exhibit.about + "</p>\n";
  std::string sources;
  for (const FinishedRun* run : runs_of(exhibit, report)) {
    made += say_missing(*run);
    if (run->chosen && !run->failed()) sources += (sources.empty() ? "" : "<br>") + say_source(*run);
  }
  for (const PaperPicture& picture : exhibit.pictures) made += draw_picture(picture, report);
  made += draw_figures(exhibit, report);
  if (*exhibit.differs != '\0') made += std::string("<p class=\"differs\">") + exhibit.differs + "</p>\n";
  if (!sources.empty()) made += "<p class=\"soft\">" + sources + "</p>\n";
  return made + "</section>\n";
}

std::string draw_paper(const Paper& paper, const PapersReport& report) {
  std::string made = std::string("<h2 class=\"paper\" id=\"") + paper.id + "\">" + paper.title + "</h2>\n";
  if (*paper.source != '\0') made += std::string("<p class=\"soft\">") + paper.source + "</p>\n";
  made += std::string("<p>") + paper.about + "</p>\n";
  for (const Exhibit& exhibit : paper.exhibits) made += draw_exhibit(exhibit, report);
  if (*paper.left_out != '\0') made += std::string("<p class=\"soft\">") + paper.left_out + "</p>\n";
  return made;
}

// What pictures of all runs refer to.
std::string collect_definitions(const PapersReport& report) {
  std::string made;
  for (const FinishedRun& run : report.runs) {
    if (run.picture.empty() || run.run->picture != RunPicture::page) continue;
    made += draw::cut_definitions(run.picture, std::string(run.run->name) + "-");
  }
  return made;
}

struct Tally {
  int held = 0, good = 0, missing = 0;
};
Tally count(const PapersReport& report) {
  Tally tally;
  for (const Paper& paper : five_papers()) {
    for (const Exhibit& exhibit : paper.exhibits) {
      for (const PaperFigure& figure : exhibit.figures) {
        if (figure.judgement == Judgement::none) continue;
        const Verdict verdict = judge(figure, report);
        if (verdict.ours.empty()) {
          ++tally.missing;
        } else {
          ++tally.held;
          tally.good += verdict.good ? 1 : 0;
        }
      }
    }
  }
  return tally;
}

std::string say_main(const PapersReport& report) {
  const Tally tally = count(report);
  std::string made = "Of " + std::to_string(tally.held) + " figures that can be held to what the papers print, " +
                     "<strong class=\"prediction\">" + std::to_string(tally.good) +
                     "</strong> are as printed or better.";
  if (tally.missing > 0) made += " Another " + std::to_string(tally.missing) + " were not measured.";
  return made;
}

std::string item(const char* what, const std::string& value) {
  return std::string("<div><dt>") + what + "</dt><dd>" + value + "</dd></div>\n";
}

std::string draw_settings(const PapersReport& report) {
  const auto failed = std::count_if(report.runs.begin(), report.runs.end(), [](const auto& r) { return r.failed(); });
  const auto chosen = std::count_if(report.runs.begin(), report.runs.end(), [](const auto& r) { return r.chosen; });
  return "<dl>\n" + item("forerun", escape(report.version)) +
         item("runs", std::to_string(chosen) + (report.params.quick ? ", quick" : ", in full")) +
         item("seed", std::to_string(report.params.seed)) + item("failed", std::to_string(failed)) +
         item("took", fixed(report.duration_s, 0) + " s") + item("everything", "<a href=\"all.json\">all.json</a>") +
         "</dl>\n";
}

}  // namespace

Verdict judge(const PaperFigure& figure, const PapersReport& report) {
  Verdict verdict;
  const FinishedRun* run = find(report, figure.run);
  const auto found = run == nullptr ? std::nullopt : find_figure(run->figures, figure.path);
  if (!found) return verdict;
  const double value = figure.scale * *found;
  const std::string unit = figure.unit;
  if (unit == "✓") {
    verdict.ours = value > 0.5 ? "✓" : "✗";
  } else {
    verdict.ours = fixed(value, figure.decimals) + (unit.empty() || unit == "°" ? unit : " " + unit);
  }
  if (figure.judgement == Judgement::none) return verdict;
  verdict.good = value >= figure.low && value <= figure.high;
  if (figure.judgement == Judgement::alike) {
    verdict.words = verdict.good ? "as printed" : "differs";
  } else {
    verdict.words = verdict.good ? "at least as good" : "not as good";
  }
  return verdict;
}

std::string write_papers_page(const PapersReport& report) {
  std::string content = draw_settings(report);
  for (const FinishedRun& run : report.runs) {
    if (run.failed()) content += say_missing(run);
  }
  content += draw_summary(report);
  for (const Paper& paper : five_papers()) content += draw_paper(paper, report);
  return draw::write_page({.title = "Five papers, run again",
                           .lead = say_main(report),
                           .content = content,
                           .definitions = collect_definitions(report),
                           .style = kStyle});
}

std::string describe(const PapersReport& report) {
  const Tally tally = count(report);
  const auto failed = std::count_if(report.runs.begin(), report.runs.end(), [](const auto& r) { return r.failed(); });
  std::string made = std::to_string(tally.good) + " of " + std::to_string(tally.held) +
                     " figures that can be held to what the papers print are as printed or better";
  if (tally.missing > 0) made += "; " + std::to_string(tally.missing) + " were not measured";
  if (failed > 0) made += "; " + std::to_string(failed) + " runs failed";
  return made + "\n";
}

nlohmann::ordered_json to_json(const PapersReport& report) {
  using Json = nlohmann::ordered_json;
  Json json{{"version", report.version},       {"quick", report.params.quick}, {"seed", report.params.seed},
            {"duration_s", report.duration_s}, {"runs", Json::array()},        {"figures", Json::array()}};
  for (const FinishedRun& run : report.runs) {
    if (!run.chosen) continue;
    json["runs"].push_back({{"name", run.run->name},
                            {"command", command_of(run)},
                            {"exit_code", run.exit_code},
                            {"duration_s", run.duration_s},
                            {"complaint", run.complaint},
                            {"result", run.figures}});
  }
  for (const Paper& paper : five_papers()) {
    for (const Exhibit& exhibit : paper.exhibits) {
      for (const PaperFigure& figure : exhibit.figures) {
        const Verdict verdict = judge(figure, report);
        json["figures"].push_back({{"exhibit", exhibit.id},
                                   {"numbers", exhibit.numbers},
                                   {"what", figure.what},
                                   {"run", figure.run},
                                   {"printed", figure.printed},
                                   {"ours", verdict.ours},
                                   {"verdict", verdict.words}});
      }
    }
  }
  return json;
}

}  // namespace forerun::papers
