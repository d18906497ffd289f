#include "forerun/draw/page.hpp"

#include "forerun/draw/markup.hpp"
#include "forerun/draw/study_style.hpp"

namespace forerun::draw {

std::string write_page(const PageParts& parts) {
  const std::string title = escape(parts.title);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>" +
         title + "</title>\n<style>" + kStudyStyle + "</style>\n</head>\n<body>\n" + parts.definitions +
         "<main>\n<h1>" + title + "</h1>\n<p class=\"lead\">" + parts.lead + "</p>\n" + parts.content +
         "</main>\n</body>\n</html>\n";
}

}  // namespace forerun::draw
