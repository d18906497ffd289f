// Fetches the model that a robot's reports name.
#pragma once

#include <cstdint>

#include "forerun/sync/client.hpp"

namespace forerun::watch {

class ModelFetch {
 public:
  // Asks for the model of the newest report until it is there. True once for each model: its bytes, whole and verified,
  // are then `client.fetch().bytes()`, and its number is `model()`.
  [[nodiscard]] bool look(sync::Client& client) {
    if (!client.newest() || client.newest()->model == 0 || client.newest()->model == model_) return false;
    const std::uint64_t wanted = client.newest()->model;
    client.fetch().begin(wanted);
    if (client.fetch().status() != sync::BulkStatus::complete) return false;
    model_ = wanted;
    return true;
  }
  [[nodiscard]] std::uint64_t model() const noexcept { return model_; }  // 0: none so far

 private:
  std::uint64_t model_ = 0;
};

}  // namespace forerun::watch
