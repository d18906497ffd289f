#include "forerun/watch/warnings.hpp"

namespace forerun::watch {
namespace {

std::optional<Warning> session_warning(const sync::Client& client, OperatorTime now) {
  switch (client.state(now)) {
    case sync::LinkState::refused:
      return Warning{"down", "refused: the robot side does not allow this key",
                     "The robot side does not allow this key: ask its owner for `forerun keys allow`."};
    case sync::LinkState::greeting:
      if (client.found_no_room()) {
        return Warning{"down", "no room: the robot side has as many viewers as it takes",
                       "The robot side has as many viewers as it takes."};
      }
      return Warning{"down", "no session: the robot side has not answered yet",
                     "The robot side has not answered yet. Is forerun serve running there, at this address, and does "
                     "its UDP port let packets through?"};
    case sync::LinkState::silent:
      return Warning{"down", "link down: nothing has come for a while",
                     "Nothing has come for a while. What is shown is a prediction alone."};
    case sync::LinkState::open:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Warning> find_warnings(const sync::Client& client, OperatorTime now, std::optional<double> age_s) {
  std::vector<Warning> list;
  if (auto session = session_warning(client, now)) list.push_back(std::move(*session));
  if (client.server_version() != 0) {
    const std::string version = std::to_string(client.server_version());
    list.push_back({"down", "the robot side speaks version " + version + " of the protocol",
                    "The robot side speaks another version of the protocol: " + version + "."});
  }
  if (age_s && *age_s > client.stale_after_s()) {
    list.push_back(
        {"stale", "stale: the newest state is old", "The newest report is old: the robot may be elsewhere."});
  }
  if (client.lateness().late(now)) {
    list.push_back({"late", "late: packets take more than 0.4 s", "Packets take more than 0.4 s to arrive."});
  } else if (age_s && *age_s > client.overdue_after_s()) {
    list.push_back(
        {"late", "overdue: the next report is late, or lost", "The next report is overdue: it is late, or lost."});
  }
  return list;
}

}  // namespace forerun::watch
