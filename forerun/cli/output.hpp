// Results for programs: one JSON document on standard output or in a file.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/io/file.hpp"

namespace forerun::cli {

// Exactly one document, to a file that appears when it is whole or, for "-", to standard output.
[[nodiscard]] Result<void> write_json(const std::string& destination, const nlohmann::ordered_json& document);

// Whether all that was printed on standard output has got there.
[[nodiscard]] Result<void> flush_output();

// The same in two parts, for long work: opened before it begins, so that what cannot be written shows at once. Nothing
// is opened, and nothing written, where no file is named.
[[nodiscard]] Result<std::optional<io::PendingFile>> open_pending(const std::string& destination);
[[nodiscard]] Result<void> write_json(const std::string& destination, std::optional<io::PendingFile> file,
                                      const nlohmann::ordered_json& document);
[[nodiscard]] Result<void> write_text(const std::string& destination, std::optional<io::PendingFile> file,
                                      const std::string& text);

// Options and the files that they name, each once: an error where two name the same.
[[nodiscard]] Result<void> keep_apart(const std::vector<std::pair<std::string, std::string>>& files);

// Nothing may be written over what is read: an error where an output is one of the inputs.
[[nodiscard]] Result<void> keep_inputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace forerun::cli
