// Which part of which image goes to whom next, and when: the newest image only, one part at a time, never faster than
// the link takes it. Those who look through its camera get whole images in turn, with spare parts for what their link
// loses.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/image/wire.hpp"

namespace forerun::image {

// How many parts are sent of an image of `n`, so that nearly always enough of them arrive.
[[nodiscard]] std::size_t n_parts_to_send(std::size_t n, double lost) noexcept;

class Sender {
 public:
  static constexpr std::size_t kMostLookers = 8;

  // `bytes_per_s`: to all lookers together, at most.
  explicit Sender(double bytes_per_s) noexcept : fastest_(bytes_per_s) {}

  // Takes the place of the image before, whose parts that have not gone out are not sent. `info.number` and
  // `info.size` are filled in. False when it is too large, or its numbers cannot be.
  [[nodiscard]] bool publish(Info info, Bytes image);

  struct Viewer {
    std::uint32_t session = 0;
    bool operates = false;
  };
  // This viewer wants images. False when there are too many; those who operate come before others.
  bool on_look(const Viewer& viewer, const Look& look, RobotTime now) noexcept;
  // A session goes on under another number.
  void rename(std::uint32_t before, std::uint32_t session) noexcept;
  void forget(std::uint32_t session) noexcept;

  struct Due {
    std::uint32_t session = 0;
    Part part;  // points into the sender until the next call
  };
  // What is to be sent now, if anything.
  [[nodiscard]] std::optional<Due> next(RobotTime now) noexcept;
  // When something is to be sent; nothing: not before something changes.
  [[nodiscard]] std::optional<RobotTime> due() const noexcept;

  // Through which cameras somebody looks.
  [[nodiscard]] Cameras wanted(RobotTime now) noexcept;
  // How many bytes of images of this camera reach each who looks through it in a second; nothing: nobody does.
  [[nodiscard]] std::optional<double> bytes_per_s(RobotTime now, std::uint8_t camera = 0) noexcept;
  [[nodiscard]] std::uint64_t n_published() const noexcept { return number_; }

 private:
  struct Looker {
    Viewer viewer;
    RobotTime until;
    RobotTime adapted;    // when the rate was set
    double rate = 0;      // [bytes/s]
    bool slowed = false;  // it was too fast once
    double lost = 0;
    Cameras cameras = kFirstCamera;
    std::uint32_t has = 0;  // number of the image that was sent whole
  };
  void adapt(Looker& looker, const Look& look, RobotTime now) const noexcept;
  // The newest image is still to be sent to them.
  [[nodiscard]] bool lacks(const Looker& looker) const noexcept {
    return looker.has != number_ && image::has(looker.cameras, info_.camera);
  }
  [[nodiscard]] Looker* find(std::uint32_t session) noexcept;
  void forget_expired(RobotTime now) noexcept;
  void remove(std::size_t place) noexcept;
  [[nodiscard]] Looker* whose_turn() noexcept;
  [[nodiscard]] Bytes part(std::size_t index) noexcept;

  double fastest_;
  FixedVector<Looker, kMostLookers> lookers_;
  Info info_;
  std::uint32_t number_ = 0;         // of the newest image; 0: none yet
  std::vector<std::uint8_t> parts_;  // the image, filled up to whole parts
  std::vector<std::uint8_t> spare_;
  std::size_t turn_ = 0;       // whose turn it is, by place
  std::size_t next_part_ = 0;  // for that one
  RobotTime next_at_;
};

}  // namespace forerun::image
