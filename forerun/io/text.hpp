// Small helpers for the sentences that readers of files print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::io {

// The shortest text that reads back as the same number.
[[nodiscard]] std::string show(double value);
// The text with its control characters replaced, so that it stays on one line.
[[nodiscard]] std::string one_line(std::string_view text);
// A piece of foreign text in quotes: short, on one line, without control characters.
[[nodiscard]] std::string quote(std::string_view text);

// The last part of a path, up to its first dot.
[[nodiscard]] std::string bare_name(std::string_view path);

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);
// The word most like `word`; the first one of equals. Empty when there are no words.
[[nodiscard]] std::string nearest_word(std::string_view word, const std::vector<std::string>& words);
// "a, b or c".
[[nodiscard]] std::string join_choices(const std::vector<std::string>& words);

// The whole text as a number, in the spelling of C without hexadecimal; infinities and NaN are numbers here.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace forerun::io
