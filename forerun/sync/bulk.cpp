#include "forerun/sync/bulk.hpp"

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::sync {
namespace {

constexpr std::size_t kRequestsAWindow = 8;
constexpr int kOfferHaste = 5;  // so many times the offer is asked for early
constexpr int kDown = 3;        // after so many waits in vain, each twice as long as the one before, the link is down

// Not the whole window in one request: it may be lost, and then nothing would come at all.
std::size_t chunks_at_once(std::size_t window) noexcept {
  return std::clamp<std::size_t>(window / kRequestsAWindow, 1, kMostChunksPerRequest);
}

}  // namespace

std::uint64_t BulkStore::add(ObjectKind kind, std::vector<std::uint8_t> bytes, const Cipher& cipher) {
  FORERUN_CHECK(!bytes.empty() && bytes.size() <= UINT32_MAX);
  const Offer offer{kind, static_cast<std::uint32_t>(bytes.size()), cipher.hash(bytes)};
  const std::uint64_t object = object_of(offer.digest);
  objects_.insert_or_assign(object, Object{offer, std::move(bytes)});
  return object;
}

const Offer* BulkStore::find(std::uint64_t object) const noexcept {
  const auto place = objects_.find(object);
  return place == objects_.end() ? nullptr : &place->second.offer;
}

void BulkReceiver::begin(std::uint64_t object) noexcept {
  if (object == object_ && status_ > BulkStatus::idle) return;
  cancel();
  object_ = object;
  counts_.mismatches = 0;
  status_ = BulkStatus::asking;
}

void BulkReceiver::begin(const Offer& offer) {
  begin(object_of(offer.digest));
  on_offer(offer);
}

void BulkReceiver::cancel() noexcept {
  release();
  status_ = BulkStatus::idle;
  failure_ = BulkFailure::none;
}

// Gives the memory back; what was learnt about the link stays.
void BulkReceiver::release() noexcept {
  bytes_ = {};
  pieces_ = {};
  offer_ = {};
  n_here_ = next_ = 0;
  under_way_.clear();
  offer_asked_.reset();
  came_ = lost_ = 0;
}

void BulkReceiver::fail(BulkFailure why) noexcept {
  release();
  status_ = BulkStatus::failed;
  failure_ = why;
}

void BulkReceiver::on_offer(const Offer& offer) {
  if (status_ != BulkStatus::asking) return;
  if (object_of(offer.digest) != object_ || offer.size == 0) {
    ++counts_.refused;
    return;
  }
  if (offer.size > params_.largest_object) {
    fail(BulkFailure::too_large);
    return;
  }
  offer_ = offer;
  bytes_.resize(offer.size);
  pieces_.assign(n_chunks(offer.size), Piece::missing);
  status_ = BulkStatus::fetching;
  something_came();
}

void BulkReceiver::on_chunk(const Chunk& chunk) {
  if (status_ != BulkStatus::fetching) return;
  const bool fits = chunk.object == object_ && chunk.index < pieces_.size() &&
                    chunk.bytes.size() == chunk_length(offer_.size, chunk.index);
  if (!fits) {
    ++counts_.refused;
    return;
  }
  something_came();
  chunk_came_ = now_;
  Piece& piece = pieces_[chunk.index];
  if (piece == Piece::here) {
    ++counts_.duplicates;
    return;
  }
  if (piece == Piece::asked) {
    ++came_;
    const auto same = [&](const Asked& asked) { return asked.index == chunk.index; };
    Asked& asked = *std::find_if(under_way_.begin(), under_way_.end(), same);
    note_order(asked);
    asked = under_way_.back();
    under_way_.resize(under_way_.size() - 1);
  }
  piece = Piece::here;
  ++n_here_;
  ++counts_.chunks;
  std::copy(chunk.bytes.begin(), chunk.bytes.end(),
            bytes_.begin() + static_cast<std::ptrdiff_t>(std::size_t{chunk.index} * kChunkSize));
  if (n_here_ == pieces_.size()) verify();
}

void BulkReceiver::verify() {
  if (cipher_.hash(bytes_) == offer_.digest) {
    status_ = BulkStatus::complete;
    pieces_ = {};
    return;
  }
  ++counts_.mismatches;
  if (counts_.mismatches > params_.most_mismatches) {
    fail(BulkFailure::mismatch);
    return;
  }
  // there is no telling which piece was wrong, so all of them count as wrong
  release();
  status_ = BulkStatus::asking;
}

std::vector<std::uint8_t> BulkReceiver::take() noexcept {
  if (status_ != BulkStatus::complete) return {};
  std::vector<std::uint8_t> taken = std::move(bytes_);
  cancel();
  return taken;
}

double BulkReceiver::progress() const noexcept {
  if (status_ == BulkStatus::complete) return 1;
  return pieces_.empty() ? 0 : static_cast<double>(n_here_) / static_cast<double>(pieces_.size());
}

void BulkReceiver::something_came() noexcept {
  quiet_since_ = now_;
  backoff_ = 0;
}

void BulkReceiver::measure(Duration round_trip) noexcept {
  constexpr double kWeight = 0.125;  // of the newest one
  const double s = to_seconds(round_trip.ns > 0 ? round_trip : params_.unknown_round_trip);
  round_trip_ = round_trip_ > 0 ? round_trip_ + kWeight * (s - round_trip_) : s;
  // before it was known for the first time there is nothing to compare with
  if (round_trip.ns <= 0) return;
  shortest_round_trip_ = shortest_round_trip_ > 0 ? std::min(shortest_round_trip_, s) : s;
}

// How long to wait for an answer: twice the usual time, doubled again and again while nothing comes.
Duration BulkReceiver::patience() const noexcept {
  const Duration wait = params_.shortest_wait + from_seconds(std::min(2 * round_trip_, 60.0));
  return std::max(wait, std::min(Duration{wait.ns << backoff_}, params_.longest_wait));
}

void BulkReceiver::wait_longer() noexcept {
  constexpr int kMostDoublings = 10;
  if (backoff_ < kMostDoublings) ++backoff_;
  quiet_since_ = now_;
}

BulkReceiver::Plan BulkReceiver::make_plan(Duration now, Duration round_trip) noexcept {
  Plan plan;
  now_ = now;
  if (status_ != BulkStatus::asking && status_ != BulkStatus::fetching) return plan;
  measure(round_trip);
  if (status_ == BulkStatus::asking) {
    ask_for_offer(plan);
  } else {
    give_up_late_chunks();
    adapt_window();
    ask_for_chunks(plan);
    const std::size_t n = plan.size();
    for (std::size_t i = 0; i < n && is_worth_asking_twice(); ++i) plan.push_back(plan[i]);
  }
  counts_.requests += plan.size();
  return plan;
}

void BulkReceiver::ask_for_offer(Plan& plan) noexcept {
  if (offer_asked_) {
    // question and answer are small, and everything waits for them
    const Duration wait = patience();
    if (now_ - *offer_asked_ < (backoff_ < kOfferHaste ? Duration{wait.ns / 4} : wait)) return;
    wait_longer();
  }
  offer_asked_ = now_;
  plan.push_back({object_, 0, 0});
}

// What answers an earlier question for the same chunk comes too soon, and says nothing about the order.
void BulkReceiver::note_order(const Asked& asked) noexcept {
  if (to_seconds(now_ - asked.at) < 0.75 * shortest_round_trip_) return;
  newest_came_ = std::max(newest_came_, asked.turn);
}

// What was asked for before something that has come was overtaken, or lost; after a while the latter is likelier.
void BulkReceiver::settle_order() noexcept {
  const Duration hold = Duration{params_.shortest_wait.ns / 2} + from_seconds(round_trip_ / 8);
  if (now_ - waited_since_ < hold) return;
  overtaken_ = waited_for_;
  waited_for_ = newest_came_;
  waited_since_ = now_;
}

// Chunks that come one after the other, however slowly, were not lost: they stood in a queue.
void BulkReceiver::give_up_late_chunks() noexcept {
  const Duration wait = patience();
  const bool flowing = now_ - chunk_came_ < params_.shortest_wait + from_seconds(round_trip_);
  settle_order();
  std::size_t kept = 0;
  for (const Asked& asked : under_way_) {
    if (asked.turn >= overtaken_ && (flowing || now_ - asked.at < wait)) {
      under_way_[kept++] = asked;
      continue;
    }
    pieces_[asked.index] = Piece::missing;
    next_ = std::min(next_, asked.index);
    ++lost_;
    ++counts_.timeouts;
  }
  const bool any_late = kept < under_way_.size();
  under_way_.resize(kept);
  if (!any_late || now_ - quiet_since_ < wait) return;
  if (backoff_ == 0) window_ = std::max(window_ / 2, kSmallestWindow);
  wait_longer();
  // a link that is down says nothing about the share that it usually loses
  if (backoff_ >= kDown) came_ = lost_ = 0;
}

bool BulkReceiver::is_queueing() const noexcept {
  constexpr double kQueueing = 0.1;  // a round trip may grow to twice the shortest and this [s]
  return shortest_round_trip_ > 0 && round_trip_ > 2 * shortest_round_trip_ + kQueueing;
}

// Once a round. A link that always loses its share is not made better by restraint, but one that loses more than usual,
// or delays more, is being filled. The first round tells what is usual; until the link is full for the first time, its
// room is sought in great steps.
void BulkReceiver::adapt_window() noexcept {
  constexpr std::size_t kShortestRound = 48;  // fewer chunks say too little about a share
  constexpr double kLeastVariance = 0.03;     // a link that has lost nothing so far may still lose something
  const std::size_t round = came_ + lost_;
  if (round < std::max(2 * window_, kShortestRound)) return;
  const double loss = static_cast<double>(lost_) / static_cast<double>(round);
  const double usual = usual_loss_.value_or(loss);
  // three standard deviations; the chunks of one request are lost together
  const double n_requests = static_cast<double>(round) / static_cast<double>(chunks_at_once(window_));
  const double chance = 3 * sqrt(std::max(usual * (1 - usual), kLeastVariance) / n_requests);
  const bool crowded = loss > usual + chance || is_queueing();
  was_crowded_ = was_crowded_ || crowded;
  const std::size_t wider = window_ + (was_crowded_ ? kWindowStep : window_);
  window_ = crowded ? std::max(window_ / 2, kSmallestWindow) : std::min(wider, kLargestWindow);
  usual_loss_ = usual + 0.25 * (loss - usual);
  came_ = lost_ = 0;
}

// The first missing ones, neighbours together in one request.
void BulkReceiver::ask_for_chunks(Plan& plan) noexcept {
  const auto end = static_cast<std::uint32_t>(pieces_.size());
  // while nothing comes, a knock now and then is enough
  const std::size_t most = backoff_ == 0 ? window_ : backoff_ < kDown ? kSmallestWindow : 1;
  const std::size_t at_once = chunks_at_once(most);
  // a few at once, so that a request is for many
  if (!under_way_.empty() && under_way_.size() + most / 4 > most) return;
  while (under_way_.size() < most) {
    while (next_ < end && pieces_[next_] != Piece::missing) ++next_;
    if (next_ == end) return;
    const bool neighbour =
        !plan.empty() && plan.back().count < at_once && plan.back().first + plan.back().count == next_;
    if (neighbour) {
      ++plan.back().count;
    } else {
      plan.push_back({object_, next_, 1});
    }
    pieces_[next_] = Piece::asked;
    under_way_.push_back({next_, ++n_asked_, now_});
  }
}

// The last chunks cost as many round trips as all before them when each is lost again and again. Where losses are usual
// and no queue grows, they are asked for twice; together they still fit into the window.
bool BulkReceiver::is_worth_asking_twice() const noexcept {
  const bool loses = counts_.timeouts > counts_.chunks / 8;
  return loses && !is_queueing() && backoff_ == 0 && pieces_.size() - n_here_ <= window_ / 2;
}

}  // namespace forerun::sync
