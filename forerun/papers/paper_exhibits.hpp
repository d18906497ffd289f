// The figures and tables of the five papers, and what of ours belongs beside each: data of the page of `study all`.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace forerun::papers {

// How ours is held to what the paper printed.
enum class Judgement {
  none,      // nothing to hold it to
  alike,     // it should be within the limits
  no_worse,  // the same, and beyond what is printed is better
};

// One number that was printed, or one of ours that belongs beside it.
struct PaperFigure {
  const char* what;
  const char* printed;  // as in the paper; empty: nothing
  const char* run;      // whose JSON has ours
  const char* path;     // in it (see `find_figure`)
  double scale = 1;     // from there to the unit
  int decimals = 1;
  const char* unit = "";
  Judgement judgement = Judgement::none;
  double low = -std::numeric_limits<double>::infinity();  // limits, in the unit
  double high = std::numeric_limits<double>::infinity();
  bool in_summary = false;
  const char* note = "";  // in the place of a verdict: why there is none
};

// A part of what a run has drawn: a section of its page, or all of its plan.
struct PaperPicture {
  const char* run;
  const char* section = "";
};

struct Exhibit {
  const char* id;       // of its place in the page
  const char* numbers;  // of SPEC
  const char* title;
  const char* printed_as;  // which figure of which paper
  const char* about;       // what it shows; markup
  const char* differs;     // where ours differs and why; markup
  std::span<const PaperPicture> pictures;
  std::span<const PaperFigure> figures;
};

struct Paper {
  const char* id;
  const char* title;
  const char* source;    // who, where, when
  const char* about;     // markup
  const char* left_out;  // figures that have no counterpart here, and why; markup
  std::span<const Exhibit> exhibits;
};

// One after the other, then what goes beyond them.
[[nodiscard]] std::span<const Paper> five_papers();
[[nodiscard]] Paper paper_prediction();
[[nodiscard]] Paper paper_kenaf();
[[nodiscard]] Paper paper_latency();
[[nodiscard]] Paper paper_decoupled();
[[nodiscard]] Paper beyond_the_papers();

// The value at a path like `gap_bins/gap_s=6/prediction_m`: names and indices; `a=1,b=x` chooses the first element of
// an array that has these values, `*` the one for which what follows is largest. Nothing: it is not there, or null.
[[nodiscard]] std::optional<double> find_figure(const nlohmann::ordered_json& json, std::string_view path);

}  // namespace forerun::papers
