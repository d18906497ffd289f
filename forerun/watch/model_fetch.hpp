// Fetches the model that a robot's reports name: a list of its parts, then the parts that are not here yet. A robot
// that was recalibrated has another description in the same world, and the world is not fetched again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::watch {

// One for each client: it fetches one object at a time.
class ModelFetch {
 public:
  // Asks for what the newest report names until it is there. True once for each model.
  [[nodiscard]] bool look(sync::Client& client);
  // The newest model that is whole and verified; 0: none so far.
  [[nodiscard]] std::uint64_t model() const noexcept { return model_; }
  // World and robot of it in one piece, as `sim::unpack_model` takes them.
  [[nodiscard]] std::vector<std::uint8_t> bundle() const;
  // How much of the model of the newest report is here, 0 … 1.
  [[nodiscard]] double progress(sync::Client& client) const;

 private:
  struct Part {
    sync::Digest digest{};
    std::vector<std::uint8_t> bytes;
  };
  [[nodiscard]] bool bring(sync::BulkReceiver& fetch, sync::ObjectKind kind, const sim::PartName& name, Part& part);

  std::uint64_t model_ = 0;
  std::uint64_t wanted_ = 0;
  std::optional<sim::ModelParts> parts_;  // of the wanted one
  Part world_, robot_;                    // kept while the reports name them
  std::vector<std::uint8_t> whole_;       // of a robot side that has both in one object
};

}  // namespace forerun::watch
