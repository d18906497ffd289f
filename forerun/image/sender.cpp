#include "forerun/image/sender.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"
#include "forerun/image/erasure.hpp"

namespace forerun::image {
namespace {

constexpr Duration kLookLife = from_seconds(10);        // who has not asked again for so long looks no more
constexpr Duration kAdaptInterval = from_seconds(0.9);  // viewers ask once a second
constexpr double kFirstRate = 4000;                     // [bytes/s]; doubles while nothing waits
constexpr double kSlowestRate = 1500;                   // [bytes/s]
// Datagrams that take so much longer than at best stand in a queue: jitter alone seldom lasts for a second.
constexpr double kLongWait = 0.1;                           // [s]
constexpr double kMostLost = 0.6;                           // beyond that no number of spare parts helps
constexpr double kLess = 0.5, kMore = 1.05, kMuchMore = 2;  // of the rate, with each look
constexpr Duration kCatchUp = from_seconds(0.06);           // parts that had to wait may follow each other closely
constexpr Duration kLongestGap = from_seconds(1);
constexpr double kSure = 1.64;      // standard deviations: 19 images of 20 arrive whole
constexpr double kOverhead = 87.0;  // bytes of a datagram that are no image

}  // namespace

std::size_t n_parts_to_send(std::size_t n, double lost) noexcept {
  const double p = std::min(lost, kMostLost);
  std::size_t sent = n;
  for (; sent < kMostSentParts; ++sent) {
    const double mean = static_cast<double>(sent) * (1 - p);
    if (mean - kSure * sqrt(mean * p) >= static_cast<double>(n)) break;
  }
  return sent;
}

bool Sender::publish(Info info, Bytes image) {
  if (image.empty() || image.size() > kLargestImage) return false;
  info.number = number_ + 1;
  info.size = static_cast<std::uint32_t>(image.size());
  std::array<std::uint8_t, kHeaderSize + kLargestPart> body;
  if (encode(Part{.info = info}, body).empty()) return false;
  info_ = info;
  number_ = info.number;
  parts_.assign(image.begin(), image.end());
  parts_.resize(n_parts(info.size) * part_size(info.size));
  next_part_ = 0;
  return true;
}

Sender::Looker* Sender::find(std::uint32_t session) noexcept {
  const auto found =
      std::find_if(lookers_.begin(), lookers_.end(), [&](const Looker& l) { return l.viewer.session == session; });
  return found == lookers_.end() ? nullptr : found;
}

bool Sender::on_look(const Viewer& viewer, const Look& look, RobotTime now) noexcept {
  forget_expired(now);
  Looker* looker = find(viewer.session);
  if (looker == nullptr) {
    if (lookers_.full() && viewer.operates) {
      for (std::size_t i = 0; i < lookers_.size() && lookers_.full(); ++i) {
        if (!lookers_[i].viewer.operates) remove(i);
      }
    }
    if (!lookers_.push_back({.viewer = viewer, .adapted = now, .rate = std::min(kFirstRate, fastest_)})) return false;
    looker = &lookers_.back();
  }
  looker->until = now + kLookLife;
  looker->lost = look.lost;
  looker->cameras = look.cameras == kNoCamera ? kFirstCamera : look.cameras;
  if (now - looker->adapted >= kAdaptInterval || now < looker->adapted) adapt(*looker, look, now);
  return true;
}

// Begins slowly and doubles; when datagrams begin to wait, or hardly any comes, less, and from then on carefully more.
void Sender::adapt(Looker& looker, const Look& look, RobotTime now) const noexcept {
  looker.adapted = now;
  if (look.wait_s > kLongWait || look.lost > kMostLost) {
    looker.slowed = true;
    looker.rate = std::max(kSlowestRate, looker.rate * kLess);
  } else {
    looker.rate = std::min(fastest_, looker.rate * (looker.slowed ? kMore : kMuchMore));
  }
}

void Sender::rename(std::uint32_t before, std::uint32_t session) noexcept {
  if (Looker* looker = find(before)) looker->viewer.session = session;
}

void Sender::forget(std::uint32_t session) noexcept {
  for (std::size_t i = 0; i < lookers_.size(); ++i) {
    if (lookers_[i].viewer.session == session) return remove(i);
  }
}

void Sender::forget_expired(RobotTime now) noexcept {
  for (std::size_t i = lookers_.size(); i-- > 0;) {
    const bool from_the_future = lookers_[i].until - now > kLookLife;  // the clock was set back
    if (now > lookers_[i].until || from_the_future) remove(i);
  }
}

// Whoever is sent an image at the moment goes on getting it.
void Sender::remove(std::size_t place) noexcept {
  if (place == turn_) next_part_ = 0;
  if (place < turn_) --turn_;
  std::move(lookers_.begin() + place + 1, lookers_.end(), lookers_.begin() + place);
  lookers_.pop_back();
}

Sender::Looker* Sender::whose_turn() noexcept {
  for (std::size_t i = 0; i < lookers_.size(); ++i, next_part_ = 0) {
    const std::size_t place = (turn_ + i) % lookers_.size();
    if (!lacks(lookers_[place])) continue;
    turn_ = place;
    return &lookers_[place];
  }
  return nullptr;
}

Bytes Sender::part(std::size_t index) noexcept {
  const std::size_t n = n_parts(info_.size), length = part_size(info_.size);
  if (index < n) return Bytes(parts_).subspan(index * length, length);
  spare_.resize(length);
  make_spare(parts_, n, static_cast<std::uint8_t>(index), spare_);
  return spare_;
}

std::optional<Sender::Due> Sender::next(RobotTime now) noexcept {
  const bool waits_long = next_at_ - now > kLongestGap;  // the clock was set back
  if (number_ == 0 || (now < next_at_ && !waits_long)) return std::nullopt;
  forget_expired(now);
  Looker* looker = whose_turn();
  if (looker == nullptr) return std::nullopt;
  Due due{looker->viewer.session, {info_, static_cast<std::uint8_t>(next_part_), part(next_part_)}};
  const double size = kOverhead + static_cast<double>(due.part.bytes.size());
  const RobotTime began = waits_long ? now : std::max(next_at_, now - kCatchUp);
  next_at_ = began + from_seconds(size / looker->rate);
  if (++next_part_ >= n_parts_to_send(n_parts(info_.size), looker->lost)) {
    looker->has = number_;
    turn_ = (turn_ + 1) % lookers_.size();
    next_part_ = 0;
  }
  return due;
}

std::optional<RobotTime> Sender::due() const noexcept {
  const bool wanted =
      number_ != 0 && std::any_of(lookers_.begin(), lookers_.end(), [&](const Looker& l) { return lacks(l); });
  return wanted ? std::optional(next_at_) : std::nullopt;
}

Cameras Sender::wanted(RobotTime now) noexcept {
  forget_expired(now);
  Cameras all = kNoCamera;
  for (const Looker& looker : lookers_) all |= looker.cameras;
  return all;
}

std::optional<double> Sender::bytes_per_s(RobotTime now, std::uint8_t camera) noexcept {
  constexpr std::size_t kUsualParts = 6;
  if (!has(wanted(now), camera)) return std::nullopt;
  // they take turns: all must be through before the next image
  double seconds = 0;  // for one byte to all of them
  for (const Looker& looker : lookers_) {
    if (!has(looker.cameras, camera)) continue;
    const double sent = static_cast<double>(n_parts_to_send(kUsualParts, looker.lost)) / kUsualParts;
    seconds += sent * (1 + kOverhead / kLargestPart) / looker.rate;
  }
  return 1 / seconds;
}

}  // namespace forerun::image
