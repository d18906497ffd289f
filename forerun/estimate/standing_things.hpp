// What stands where the model has nothing, as boxes that grow with what is seen of them and go when beams pass.
#pragma once

#include <cstdint>
#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/estimate/beams.hpp"
#include "forerun/estimate/sightings.hpp"
#include "forerun/robot/seen_things.hpp"

namespace forerun::estimate {

class StandingThings {
 public:
  static constexpr std::size_t kMost = 64;  // of more, the others are not told

  // Takes away what beams go through.
  void look(std::span<const Fan> fans) noexcept;
  // Somebody stands, or a thing does; part of one that is known, where it is so near that it may be and no beam passes
  // between them. `number` is its own if it is new; true: then it has been given out.
  bool take(const Points& points, std::span<const Fan> fans, std::uint16_t number) noexcept;

  // Gives all of them new numbers, from `first` on; the next one after these.
  std::uint16_t number_anew(std::uint16_t first) noexcept;

  // In the order of their numbers.
  [[nodiscard]] std::span<const robot::Change> boxes() const noexcept { return {boxes_.data(), boxes_.size()}; }
  [[nodiscard]] bool may_be_part(Vec2 place) const noexcept;

 private:
  // An echo's place, and in how many scans in a row beams have gone through it.
  struct Spot {
    Vec2 place;
    int missed = 0;
  };
  using Spots = FixedVector<Spot, 96>;
  // Why a box is believed in, and in how many scans beams went into its middle
  // since it was last seen.
  struct Evidence {
    Spots spots;
    int crossed = 0;
  };

  [[nodiscard]] std::size_t find(const Points& points, std::span<const Fan> fans) const noexcept;
  // False: there is nothing any more.
  [[nodiscard]] bool look_at(robot::Change& box, Evidence& evidence, std::span<const Fan> fans) noexcept;
  void remove(std::size_t i) noexcept;

  FixedVector<robot::Change, kMost> boxes_;
  FixedVector<Evidence, kMost> evidence_;  // for each
};

}  // namespace forerun::estimate
