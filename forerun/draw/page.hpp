// A page of a study that stands alone: its frame and style.
#pragma once

#include <string>

namespace forerun::draw {

// The title is text, all else markup.
struct PageParts {
  std::string title;
  std::string lead;
  std::string content;
  std::string definitions{};  // of what pictures refer to
};
[[nodiscard]] std::string write_page(const PageParts& parts);

}  // namespace forerun::draw
