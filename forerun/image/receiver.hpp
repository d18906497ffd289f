// Images from their parts: whole ones only, and only those newer than what there is.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/image/wire.hpp"

namespace forerun::image {

struct Received {
  Info info;
  std::vector<std::uint8_t> bytes;  // as they were encoded; nobody has looked at them
};

class Receiver {
 public:
  // False when it contradicts what was said of this image before.
  bool on_part(const Part& part);
  // The robot side counts anew.
  void forget() noexcept;

  // The newest whole one of this camera.
  [[nodiscard]] const std::optional<Received>& newest(std::uint8_t camera = 0) const noexcept {
    return newest_[camera];
  }
  [[nodiscard]] std::uint64_t n_begun() const noexcept { return n_begun_; }
  [[nodiscard]] std::uint64_t n_whole() const noexcept { return n_whole_; }

 private:
  struct Assembly {
    std::optional<Info> info;                      // none: unused
    std::vector<std::uint8_t> parts;               // in the order in which they came
    std::array<std::uint8_t, kMostParts> index{};  // which they are
    std::bitset<kMostSentParts> came;
    std::size_t n = 0;
  };
  [[nodiscard]] Assembly* assembly_for(const Info& info);
  void finish(Assembly& assembly);

  std::array<Assembly, 2> assemblies_;  // the end of one image may come after the beginning of the next
  std::array<std::optional<Received>, kMostCameras> newest_;
  std::uint64_t n_begun_ = 0;
  std::uint64_t n_whole_ = 0;
};

}  // namespace forerun::image
