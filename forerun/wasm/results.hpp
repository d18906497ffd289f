// What a call of the C interface leaves behind for its caller to read.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace forerun::wasm {

struct Results {
  std::vector<double> numbers;
  std::vector<float> values;     // cells of the last value function
  const float* cells = nullptr;  // `values`, or a grid of the model
  std::vector<std::uint8_t> bytes;
  std::string text;
};

// One for all: a module has one caller.
[[nodiscard]] Results& results() noexcept;

// Replaces the numbers; allocates nothing when there were as many before.
void give(std::initializer_list<double> numbers);
// Leaves the sentence as text; gives FORERUN_REFUSED.
int refuse(std::string why);

}  // namespace forerun::wasm
