// Fetches the mission that a robot's reports name, so that who watches knows where it leads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "forerun/mission/action.hpp"
#include "forerun/robot/timed_path.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/watch/model_fetch.hpp"

namespace forerun::watch {

class MissionFetch {
 public:
  // Asks for it once the model is here: both come one after the other. True once for each mission.
  [[nodiscard]] bool look(sync::Client& client, const ModelFetch& model);

  // The newest one that could be read; 0: none so far.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::shared_ptr<const robot::TimedPath>& path() const noexcept { return path_; }
  [[nodiscard]] const std::vector<mission::Action>& actions() const noexcept { return actions_; }
  [[nodiscard]] bool is_unreadable(std::uint64_t mission) const noexcept { return mission == unreadable_; }
  // As the robot has it.
  [[nodiscard]] const std::vector<std::uint8_t>& object() const noexcept { return object_; }

 private:
  std::uint64_t number_ = 0;
  std::uint64_t unreadable_ = 0;  // is not asked for again
  std::string name_;
  std::shared_ptr<const robot::TimedPath> path_;
  std::vector<mission::Action> actions_;
  std::vector<std::uint8_t> object_;
};

}  // namespace forerun::watch
