// Where the robot may be: a few places, each with its chance and with how sure it is.
#pragma once

#include <cstddef>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/predict/spread.hpp"

namespace forerun::predict {

struct MixturePart {
  Vec2 centre;
  Spread spread;  // about the centre
  double weight = 0;
};
using Mixture = FixedVector<MixturePart, kMostParts>;

// Parts that lie about one place become one; those that are far from all others stay their own. The weights are made to
// sum up to 1.
inline constexpr std::size_t kMostOpinions = 24;
using Opinions = FixedVector<MixturePart, kMostOpinions>;
[[nodiscard]] Mixture make_mixture(Opinions opinions) noexcept;

// The smallest set with this much of the chances reaches so far from each centre, in standard deviations; 0: that part
// is not needed. One part alone: as a normal distribution does.
using Reaches = FixedVector<double, kMostParts>;
[[nodiscard]] Reaches reaches_of(const Mixture& mixture, double share) noexcept;

}  // namespace forerun::predict
