// Who may connect to a robot: the list in its key folder, read again whenever it changes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/sync/server.hpp"

namespace forerun::serve {

class AllowedFile {
 public:
  explicit AllowedFile(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Result<std::vector<sync::AllowedKey>> load();
  // Since it was loaded.
  [[nodiscard]] bool changed() const { return change_time() != time_; }

 private:
  [[nodiscard]] std::optional<std::filesystem::file_time_type> change_time() const;

  std::string folder_;
  std::optional<std::filesystem::file_time_type> time_;
};

}  // namespace forerun::serve
