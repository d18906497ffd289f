#include "forerun/sync/delivery.hpp"

#include <utility>

namespace forerun::sync {

std::uint64_t Delivery::begin(Duration now, ObjectKind kind, std::vector<std::uint8_t> bytes, const Cipher& cipher) {
  cancel();
  object_ = store_.add(kind, std::move(bytes), cipher);
  due_ = now;
  return object_;
}

void Delivery::on_verdict(const Verdict& verdict) noexcept {
  if (!due_ || verdict.object != object_) return;
  store_.remove(object_);
  due_.reset();
  verdict_ = verdict;
}

std::optional<Verdict> Inbox::on_offer(Duration now, const Offer& offer) {
  const std::uint64_t object = object_of(offer.digest);
  for (Known& known : known_) {
    if (known.verdict.object != object) continue;
    const bool lasts = now >= known.at && now - known.at < kRefusalLife;
    if (known.verdict.taken == Taken::yes || lasts) return known.verdict;
    known = {};
  }
  if (is_fetching() && receiver_.object() == object) return std::nullopt;
  if (offer.size > kMostBytes - n_bytes_) return Verdict{object, Taken::too_large};
  if (n_objects_ == kMostObjects) return Verdict{object, Taken::too_many};
  ++n_objects_;
  n_bytes_ += offer.size;
  receiver_.begin(offer);
  return std::nullopt;
}

std::optional<Verdict> Inbox::on_chunk(Duration now, const Chunk& chunk, RobotSide& robot) {
  if (!is_fetching()) return std::nullopt;
  receiver_.on_chunk(chunk);
  if (is_fetching()) return std::nullopt;
  Verdict verdict{receiver_.object(), Taken::mismatch};
  if (receiver_.status() == BulkStatus::complete) {
    const robot::Reply reply = robot.take_object(receiver_.kind(), receiver_.bytes());
    const bool refused = reply.state == robot::Reply::State::refused;
    verdict = {receiver_.object(), refused ? Taken::refused : Taken::yes, reply.refusal, reply.words};
  }
  receiver_.cancel();
  if (known_.full()) {
    std::copy(known_.begin() + 1, known_.end(), known_.begin());
    known_.resize(kMostObjects - 1);
  }
  known_.push_back({verdict, now});
  return verdict;
}

void Inbox::begin_session() noexcept {
  n_objects_ = is_fetching() ? 1 : 0;
  n_bytes_ = is_fetching() ? receiver_.size() : 0;
}

}  // namespace forerun::sync
