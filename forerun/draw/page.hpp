// A page of a study that stands alone: its frame and style.
#pragma once

#include <string>

namespace forerun::draw {

// `lead` and `content` are markup, the title is text.
struct PageParts {
  std::string title;
  std::string lead;
  std::string content;
};
[[nodiscard]] std::string write_page(const PageParts& parts);

}  // namespace forerun::draw
