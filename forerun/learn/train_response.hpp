// Training: what recorded drives teach of a robot's response (LAT-3, LAT-5).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/learn/commanded_drive.hpp"
#include "forerun/learn/response_model.hpp"
#include "forerun/learn/train_network.hpp"

namespace forerun::learn {

struct TrainParams {
  NetworkParams network;
  double rate_hz = 30;    // frames a second that the models look at, or as many as the slowest recording has
  int frames = 6;         // that the papers' models look at
  double penalty = 1e-3;  // of large weights, relative to the inputs' variance
  std::vector<double> horizons_s{0.13, 0.5, 1};  // [s]
};

template <class Visit>
void visit_fields(TrainParams& p, Visit&& visit) {
  visit("rate_hz", p.rate_hz, Field{2, 200, "frames a second, or as many as the slowest recording has [1/s]"});
  visit("frames", p.frames, Field{1, 16, "that the papers' models look at"});
  visit("penalty", p.penalty, Field{0, 10, "of large weights, relative to the variance of the inputs"});
}

// Told what is being done, and how much of all of it is done (0 … 1); false: the user wants to stop.
using TrainProgress = std::function<bool(const char* doing, double done)>;

// An error where the drives are too short, or the robot was hardly told to move.
[[nodiscard]] Result<LearnedModel> train_response(std::span<const CommandedDrive> drives, const TrainParams& params,
                                                  const TrainProgress& progress = {});

}  // namespace forerun::learn
