#include "forerun/watch/model_fetch.hpp"

#include <utility>

namespace forerun::watch {

bool ModelFetch::look(sync::Client& client) {
  const auto& newest = client.newest();
  if (!newest || newest->model == 0 || newest->model == model_) return false;
  if (std::exchange(wanted_, newest->model) != newest->model) parts_.reset();
  sync::BulkReceiver& fetch = client.fetch();
  if (!parts_) {
    fetch.begin(wanted_);
    if (fetch.status() != sync::BulkStatus::complete) return false;
    whole_ = fetch.take();
    parts_ = sim::unpack_parts(whole_);
    if (parts_) whole_.clear();
  }
  const bool here = !parts_ || (bring(fetch, sync::ObjectKind::world, parts_->world, world_) &&
                                bring(fetch, sync::ObjectKind::robot, parts_->robot, robot_));
  if (here) model_ = wanted_;
  return here;
}

bool ModelFetch::bring(sync::BulkReceiver& fetch, sync::ObjectKind kind, const sim::PartName& name, Part& part) {
  if (part.digest == name.digest) return true;
  fetch.begin(sync::Offer{kind, name.size, name.digest});
  if (fetch.status() != sync::BulkStatus::complete) return false;
  part = {name.digest, fetch.take()};
  return true;
}

std::vector<std::uint8_t> ModelFetch::bundle() const {
  return whole_.empty() ? sim::join_model(world_.bytes, robot_.bytes) : whole_;
}

double ModelFetch::progress(sync::Client& client) const {
  const auto& newest = client.newest();
  if (newest && newest->model != 0 && newest->model == model_) return 1;
  if (!newest || newest->model != wanted_) return 0;
  if (!parts_) return client.fetch().progress();
  const double total = double{1} * parts_->world.size + parts_->robot.size;
  double here = client.fetch().progress() * client.fetch().size();
  if (world_.digest == parts_->world.digest) here += parts_->world.size;
  if (robot_.digest == parts_->robot.digest) here += parts_->robot.size;
  return here / total;
}

}  // namespace forerun::watch
