#include "forerun/respond/frames.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::respond {

FrameInputs make_frames(const SeenTrack& track, const CommandTrack& commands, const FrameShape& params) noexcept {
  FrameInputs inputs{};
  const Seen& now = track.newest();
  const Transform2 here(now.pose);
  const double end = now.time + params.horizon - params.delay;
  const double n = static_cast<double>(params.frames);
  const double slice = std::max(params.period, (params.horizon + 2 * params.period) / n);
  std::size_t hint = 0;
  for (std::size_t i = 0; i < params.frames; ++i) {
    double* frame = &inputs[kPerFrame * i];
    const double back = static_cast<double>(i + 1);
    const Seen then = track.at(now.time - back * params.period, hint);
    const Vec2 place = here.to_local(then.pose.position());
    const SinCos turn = sincos(then.pose.theta - now.pose.theta);
    const robot::Twist command = commands.mean(end - back * slice, end - (back - 1) * slice);
    const double values[kPerFrame] = {place.x, place.y, turn.sin, turn.cos, command.vx, command.vy, command.w};
    std::copy(values, values + kPerFrame, frame);
  }
  return inputs;
}

}  // namespace forerun::respond
