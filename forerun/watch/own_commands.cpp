#include "forerun/watch/own_commands.hpp"

#include <algorithm>
#include <optional>

namespace forerun::watch {
namespace {

constexpr Duration kAnswers = from_seconds(0.5);  // so long after the round trip there is an answer, or there is none

// Nothing: nobody knows yet. What a newer command took the place of may have been carried out, and so may what was
// given up before an answer could be here: reports will show it.
std::optional<ahead::Settled> settled(const sync::CommandRecord& record, Duration round_trip) {
  using State = sync::CommandRecord::State;
  switch (record.state) {
    case State::executed:
      return ahead::Settled::confirmed;
    case State::refused:
      return ahead::Settled::refused;
    case State::expired:
      if (record.answered - record.given < round_trip + kAnswers) return std::nullopt;
      return ahead::Settled::lost;
    case State::pending:
    case State::replaced:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t tell_commands(net::Viewer& viewer, std::uint64_t told, predict::LiveRobot& live) {
  const auto given = viewer.given();
  const std::uint64_t n_new = std::min<std::uint64_t>(viewer.n_given() - told, given.size());
  for (const ahead::OwnCommand& command : given.last(n_new)) live.give(command);
  const sync::Client& client = viewer.client();
  const Duration round_trip{static_cast<std::int64_t>(client.clock().filter().round_trip())};
  for (const sync::CommandRecord& record : client.commands().records()) {
    if (const auto outcome = settled(record, round_trip)) live.settle(record.number, *outcome);
  }
  return viewer.n_given();
}

}  // namespace forerun::watch
