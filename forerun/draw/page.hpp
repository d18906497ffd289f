// A page of a study that stands alone: its frame and style, and its sections, which other pages can take over.
#pragma once

#include <string>
#include <string_view>

namespace forerun::draw {

// The title is text, all else markup.
struct PageParts {
  std::string title;
  std::string lead;
  std::string content;
  std::string definitions{};  // of what pictures refer to
  std::string style{};        // beside that of all study pages
};
[[nodiscard]] std::string write_page(const PageParts& parts);

// A part of a page under a heading. Its id is one of a kind in the page; sections do not nest.
[[nodiscard]] std::string write_section(std::string_view id, std::string_view title, std::string_view content);

// What stands under the heading of a section of a written page, and what the pictures of that page refer to. Names that
// are referred to begin with `prefix` afterwards, so that parts of several pages fit into one. Empty: there is none.
[[nodiscard]] std::string cut_section(std::string_view page, std::string_view id, std::string_view prefix);
[[nodiscard]] std::string cut_definitions(std::string_view page, std::string_view prefix);

}  // namespace forerun::draw
