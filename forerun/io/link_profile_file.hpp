// Link profiles from YAML, or straight from recorded round trips. The keys are described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/impair/profile.hpp"

namespace forerun::io {

// A profile's file, its bare name (`4g` is profiles/4g.yaml), or a recording (.csv or .txt, may be packed with gzip):
// then the profile is that recording and nothing else.
[[nodiscard]] Result<impair::LinkProfile> load_link_profile(const std::string& name_or_file);

// The same from memory, with the recording named but not read; `file` is the name used in messages.
[[nodiscard]] Result<impair::LinkProfile> parse_link_profile(std::string_view text, const std::string& file);

}  // namespace forerun::io
