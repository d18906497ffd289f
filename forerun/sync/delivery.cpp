#include "forerun/sync/delivery.hpp"

#include <algorithm>
#include <utility>

namespace forerun::sync {

std::uint64_t Delivery::begin(Duration now, ObjectKind kind, std::vector<std::uint8_t> bytes, const Cipher& cipher) {
  cancel();
  object_ = store_.add(kind, std::move(bytes), cipher);
  n_chunks_ = n_chunks(store_.find(object_)->size);
  due_ = now;
  return object_;
}

double Delivery::share() const noexcept {
  if (verdict_) return 1;
  return n_chunks_ == 0 ? 0 : std::min(1.0, static_cast<double>(n_asked_) / n_chunks_);
}

void Delivery::on_verdict(const Verdict& verdict) noexcept {
  if (!due_ || verdict.object != object_) return;
  store_.remove(object_);
  due_.reset();
  verdict_ = verdict;
}

Inbox::Known* Inbox::find(std::uint64_t object) noexcept {
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.verdict.object == object; });
  return found == known_.end() ? nullptr : found;
}

std::optional<Verdict> Inbox::on_offer(Duration now, const Offer& offer, bool room) {
  const std::uint64_t object = object_of(offer.digest);
  if (!is_known(offer.kind)) {
    return Verdict{object, Taken::refused, robot::Refusal::not_able, robot::Words("it knows no objects of this kind")};
  }
  if (is_fetching() && receiver_.object() == object) return std::nullopt;
  const Known* known = find(object);
  const bool lasts = known && now >= known->at && now - known->at < kRefusalLife;
  if (known && (known->verdict.taken == Taken::yes || lasts)) return known->verdict;
  if (!room) return Verdict{object, Taken::too_many};
  if (!counted_since_ || now < *counted_since_ || now - *counted_since_ > kCountAnew) {
    counted_since_ = now;
    n_objects_ = 0;
    n_bytes_ = 0;
  }
  // an object that was refused and is offered once more has been counted
  if (!known) {
    if (offer.size > kMostBytes - n_bytes_) return Verdict{object, Taken::too_large};
    if (n_objects_ == kMostObjects) return Verdict{object, Taken::too_many};
    ++n_objects_;
    n_bytes_ += offer.size;
  }
  receiver_.begin(offer);
  return std::nullopt;
}

std::optional<Verdict> Inbox::on_chunk(Duration now, const Chunk& chunk, const Key& who, RobotSide& robot) {
  if (!is_fetching()) return std::nullopt;
  receiver_.on_chunk(chunk);
  if (is_fetching()) return std::nullopt;
  Verdict verdict{receiver_.object(), Taken::mismatch};
  if (receiver_.status() == BulkStatus::complete) {
    const robot::Reply reply = robot.take_object({who, receiver_.kind(), receiver_.object(), receiver_.bytes()});
    const bool refused = reply.state == robot::Reply::State::refused;
    verdict = {receiver_.object(), refused ? Taken::refused : Taken::yes, reply.refusal, reply.words};
  }
  receiver_.cancel();
  if (Known* before = find(verdict.object)) {
    *before = {verdict, now};
    return verdict;
  }
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
