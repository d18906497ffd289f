// A learned model with all it was compared with, as `forerun train` writes it and `forerun evaluate` reads it (LAT-5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/respond/model.hpp"
#include "forerun/respond/network.hpp"

namespace forerun::learn {

// The papers' models for one horizon.
struct PaperModels {
  respond::LinearModel linear;
  respond::Network network;
};

struct LearnedModel {
  std::string robot;                // that it is for; empty: nobody said
  std::uint64_t fingerprint = 0;    // of its description; 0: none
  respond::Model best;              // ours
  std::size_t frames = 6;           // that the papers' models look at
  std::vector<PaperModels> papers;  // one for each horizon of `best`
  std::size_t n_samples = 0;        // learned from
  double duration_s = 0;            // of the recordings
};

// The papers' models count commands that are older than this: younger ones cannot show.
[[nodiscard]] double shortest_delay(const respond::Response& response) noexcept;

// JSON with a version and a checksum.
[[nodiscard]] std::string write_model(const LearnedModel& model);
// Refuses what is no model, another version, broken, or holds numbers that are none. `file` is the name used in
// messages.
[[nodiscard]] Result<LearnedModel> parse_model(std::string_view text, const std::string& file);
[[nodiscard]] Result<LearnedModel> load_model(const std::string& path);

}  // namespace forerun::learn
