#include "forerun/study/prediction_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "forerun/draw/plan_svg.hpp"
#include "tests/support/outings.hpp"

namespace forerun::study {
namespace {

TrackPoint make_point(double time, double gap) {
  const double x = 2 + 0.3 * time;
  predict::Region likely;
  likely.parts.push_back({{x, 3}, 0.3, 0.1, 0});
  return {time, gap, {x, 3, 0}, {x + 0.2 * gap, 3, 0}, {x + 0.02 * gap, 3, 0}, likely};
}

draw::Curve make_curve(double slope) {
  draw::Curve curve;
  for (double at = 0.25; at <= 18; at += 0.25) {
    curve.at.push_back(at);
    curve.mean.push_back(slope * at);
    curve.low.push_back(0.9 * slope * at);
    curve.high.push_back(1.1 * slope * at);
  }
  return curve;
}

// A whole report of a robot that drives along the hall.
StudyPage make_input() {
  StudyPage input;
  input.title = "hall";
  input.settings = {{"world", "hall"}, {"runs", "2"}};
  const world::World hall = make_hall();
  input.plan = draw::draw_plan(hall, world::project(hall, {}, {}));
  input.start = {1.5, 3, 0};
  input.goals = {{"office", {8, 3}}, {"kitchen", {11, 5}}};
  for (int piece = 0; piece < 3; ++piece) {
    input.trajectories.pieces.emplace_back();
    for (int i = 0; i <= 6; ++i) input.trajectories.pieces.back().points.push_back(make_point(piece * 6.0 + i, i));
  }
  Gap gap{.at_goal = true};
  for (double t = 0; t <= 12.5; t += 0.1) gap.points.push_back(make_point(t, t));
  input.gaps = {gap, gap};
  input.by_gap = {{make_curve(0.2), make_curve(0.02)}, 0.5};
  input.by_distance = {{make_curve(0.5), make_curve(0.1)}, 0.25};
  input.coverage = {.share95 = make_curve(0.05),
                    .share50 = make_curve(0.03),
                    .radius95 = make_curve(0.05),
                    .error95 = make_curve(0.04),
                    .coverage95 = 0.951,
                    .coverage50 = 0.493};
  input.interval_s = 6;
  input.loss = 0.3;
  return input;
}

// The first tag that does not fit, or nothing. Enough for what we write: quoted attributes and no comments.
std::string find_unbalanced(const std::string& page) {
  static const std::regex kTag(R"(<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(/?)>|<)");
  std::vector<std::string> open;
  const std::size_t begin = page.find("<html");
  for (std::sregex_iterator tag(page.begin() + static_cast<std::ptrdiff_t>(begin), page.end(), kTag), end; tag != end;
       ++tag) {
    const std::string name = (*tag)[2];
    if (name.empty()) return "stray < before " + std::string(tag->suffix()).substr(0, 40);
    if ((*tag)[4] == "/") continue;
    if ((*tag)[1] != "/") {
      open.push_back(name);
      continue;
    }
    if (open.empty() || open.back() != name) return "</" + name + ">";
    open.pop_back();
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

std::string text_of(const std::string& page) { return std::regex_replace(page, std::regex("<[^>]*>"), ""); }

TEST(PredictionPage, TheCheckOfTagsCanFail) {
  EXPECT_EQ(find_unbalanced("<html><p class=\"a\">b</p><br/></html>"), "");
  EXPECT_NE(find_unbalanced("<html><p>b</html>"), "");
  EXPECT_NE(find_unbalanced("<html><p a=<b></p></html>"), "");
}

TEST(PredictionPage, IsWellFormedAndHasEverySection) {
  const std::string page = write_study_page(make_input());
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_EQ(find_unbalanced(page), "");
  for (const char* id : {"a", "b", "c", "d", "e", "f", "papers"}) {
    EXPECT_NE(page.find("<section id=\"" + std::string(id) + "\">"), std::string::npos) << id;
  }
}

TEST(PredictionPage, SaysTheMainFigureInASentence) {
  const std::string text = text_of(write_study_page(make_input()));
  EXPECT_NE(
      text.find("6 s after the last message the prediction is off by 0.12 m on average, extrapolation by 1.20 m."),
      std::string::npos);
  EXPECT_NE(text.find("95.1 %"), std::string::npos);
  EXPECT_NE(text.find("49.3 %"), std::string::npos);
  EXPECT_NE(text.find("10 a minute, 30 % lost"), std::string::npos);
}

TEST(PredictionPage, SaysOfARecordedRobotOnlyWhatHoldsForIt) {
  StudyPage input = make_input();
  input.source = DriveSource::recorded;
  input.measure = Measure::relative;
  input.gaps[0].start = GapStart::after_leaving;
  const std::string page = write_study_page(input), text = text_of(page);
  EXPECT_EQ(find_unbalanced(page), "");
  EXPECT_NE(
      text.find("the motion since it is predicted with an error of 0.12 m on average, and extrapolated with 1.20"),
      std::string::npos);
  for (const char* words : {"papers", "goal 1", "follows from the message alone"}) {
    EXPECT_EQ(text.find(words), std::string::npos) << words;
  }
}

TEST(PredictionPage, DrawsAnImageOfEachMethodEveryTwoSeconds) {
  const std::string page = write_study_page(make_input());
  std::size_t cells = 0;
  for (std::size_t at = 0; (at = page.find("<td><div class=\"window\"", at)) != std::string::npos; ++at) ++cells;
  EXPECT_EQ(cells, 3 * 7u);  // 0, 2, … 12 s
}

TEST(PredictionPage, TextFromFilesIsNeverMarkup) {
  const std::string evil = "<script>alert('\"&')</script>";
  StudyPage input = make_input();
  input.title = evil;
  input.settings = {{evil, evil}};
  input.goals[0].name = evil;
  input.by_gap.curves[kPrediction].name = evil;
  const std::string page = write_study_page(input);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("alert('"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(find_unbalanced(page), "");
}

TEST(PredictionPage, FetchesNothing) {
  const std::string page = write_study_page(make_input());
  for (const char* reference : {"http:", "https:", "src=", "@import", "url(", "<link", "<script", "<iframe"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  // its own plan, and pictures within the page
  static const std::regex kReference("href=\"([^\"]*)\"");
  for (std::sregex_iterator ref(page.begin(), page.end(), kReference), end; ref != end; ++ref) {
    const std::string target = (*ref)[1];
    EXPECT_TRUE(target == "#plan" || target.rfind("data:image/png;base64,", 0) == 0) << target;
  }
}

TEST(PredictionPage, SaysWhatThereIsNotInsteadOfLeavingItOut) {
  StudyPage empty;
  empty.title = "nothing";
  const std::string page = write_study_page(empty);
  EXPECT_EQ(find_unbalanced(page), "");
  EXPECT_NE(page.find("No message arrived"), std::string::npos);
  EXPECT_NE(page.find("too short for such a gap"), std::string::npos);
  EXPECT_NE(page.find("Too few messages"), std::string::npos);
  EXPECT_NE(page.find("were not measured"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("inf"), std::string::npos);
}

TEST(PredictionPage, SaysWhichGapItShows) {
  StudyPage input = make_input();
  input.gaps[0].at_goal = false;
  EXPECT_NE(write_study_page(input).find("differ most"), std::string::npos);
  input.gaps[0].at_goal = true;
  EXPECT_EQ(write_study_page(input).find("differ most"), std::string::npos);
}

TEST(PlanSvg, HeavyPlansBecomeAPicture) {
  world::World hall = make_hall();
  const world::FreeGrid free = world::project(hall, {}, {});
  EXPECT_EQ(draw::draw_plan(hall, free).shapes.find("<image"), std::string::npos);
  for (int i = 0; i < 6000; ++i) add_box(hall, {0.5 + (i % 100) * 0.1, 0.5 + (i / 100) * 0.08, 0.3}, {0.02, 0.02}, 2);
  const draw::PlanDrawing heavy = draw::draw_plan(hall, free);
  EXPECT_NE(heavy.shapes.find("<image"), std::string::npos);
  EXPECT_LT(heavy.shapes.size(), 50'000u);
  EXPECT_TRUE(heavy.area.contains({6, 3}));
}

TEST(PlanSvg, WordsLieWhereTheirPlaceIs) {
  draw::PlanWindow window({{0, 0}, {10, 5}}, "hall");
  window.add_words({2.5, 4}, "here", "name");
  window.add_words({20, 4}, "outside", "name");
  const std::string html = window.html(300);
  EXPECT_NE(html.find("left:25%;top:20%"), std::string::npos);
  EXPECT_EQ(html.find("outside"), std::string::npos);
  EXPECT_NE(html.find("max-width:600px"), std::string::npos);
}

TEST(Curve, ValuesBetweenPlacesAreInterpolated) {
  const draw::Curve curve{"", {1, 2, 4}, {10, 20, 40}, {}, {}};
  EXPECT_EQ(value_at(curve, 2), 20);
  EXPECT_EQ(value_at(curve, 3), 30);
  EXPECT_TRUE(std::isnan(value_at(curve, 0.5)));
  EXPECT_TRUE(std::isnan(value_at(curve, 5)));
}

}  // namespace
}  // namespace forerun::study
