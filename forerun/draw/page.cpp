#include "forerun/draw/page.hpp"

#include "forerun/draw/markup.hpp"
#include "forerun/draw/study_style.hpp"

namespace forerun::draw {
namespace {

// What stands between the two; empty where one of them is missing.
std::string_view between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + from.size());
  const std::size_t end = text.find(to);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

// The text with `added` after each `mark`.
std::string insert_after(std::string_view text, std::string_view mark, std::string_view added) {
  std::string made;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    made.append(text.substr(0, at + mark.size())).append(added);
    text.remove_prefix(at + mark.size());
  }
  return made.append(text);
}

}  // namespace

std::string write_page(const PageParts& parts) {
  const std::string title = escape(parts.title);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>" +
         title + "</title>\n<style>" + kStudyStyle + parts.style + "</style>\n</head>\n<body>\n" + parts.definitions +
         "<main>\n<h1>" + title + "</h1>\n<p class=\"lead\">" + parts.lead + "</p>\n" + parts.content +
         "</main>\n</body>\n</html>\n";
}

std::string write_section(std::string_view id, std::string_view title, std::string_view content) {
  std::string made = "<section id=\"";
  return made.append(id).append("\"><h2>").append(title).append("</h2>\n").append(content).append("</section>\n");
}

std::string cut_section(std::string_view page, std::string_view id, std::string_view prefix) {
  const std::string begin = "<section id=\"" + std::string(id) + "\"><h2>";
  const std::string_view section = between(page, begin, "</section>");
  const std::size_t heading = section.find("</h2>\n");
  if (heading == std::string_view::npos) return "";
  return insert_after(section.substr(heading + 6), "href=\"#", prefix);
}

std::string cut_definitions(std::string_view page, std::string_view prefix) {
  return insert_after(between(page, "<body>\n", "<main>"), "id=\"", prefix);
}

}  // namespace forerun::draw
