#include "forerun/watch/mission_fetch.hpp"

#include <utility>

#include "forerun/mission/mission_bytes.hpp"

namespace forerun::watch {

bool MissionFetch::look(sync::Client& client, const ModelFetch& model) {
  const auto& newest = client.newest();
  if (!newest || !newest->mission || newest->model != model.model()) return false;
  const std::uint64_t wanted = newest->mission->number;
  if (wanted == 0 || wanted == number_ || wanted == unreadable_) return false;
  sync::BulkReceiver& fetch = client.fetch();
  fetch.begin(wanted);
  if (fetch.status() != sync::BulkStatus::complete) return false;
  std::vector<std::uint8_t> object = fetch.take();
  const auto read = mission::unpack_signed(object);
  auto mission = read ? mission::mission_from_bytes(read->mission) : Error{"it is no mission"};
  if (!mission) {
    unreadable_ = wanted;
    return false;
  }
  number_ = wanted;
  name_ = std::move(mission->name);
  path_ = std::make_shared<const robot::TimedPath>(std::move(mission->path));
  actions_ = std::move(mission->actions);
  object_ = std::move(object);
  return true;
}

}  // namespace forerun::watch
