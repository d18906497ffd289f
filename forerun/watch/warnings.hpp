// What is wrong with the link, in words: the one list for the page, for recordings and for `view --headless`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::watch {

struct Warning {
  const char* kind = "";  // "late", "stale", "down"
  std::string brief;      // a few words, for a line of many
  std::string text;       // whole sentences, for people
};

// `age_s`: of the newest report; none where it is not known.
[[nodiscard]] std::vector<Warning> find_warnings(const sync::Client& client, OperatorTime now,
                                                 std::optional<double> age_s);

}  // namespace forerun::watch
