// Waiting for what happens in its own time. Tests wait for a condition, never for a time: nothing else in them sleeps
// (tests/tools/style_test.cpp).
#pragma once

#include <functional>

namespace forerun::test {

struct Patience {
  double limit_s = 20;     // far longer than it should take [s]
  double every_s = 0.005;  // between two questions [s]
};

// Asks again and again until `reached` holds; false when the time is up. What must be done again and again, like
// pressing a key, may be done in `reached`.
[[nodiscard]] bool wait_until(const std::function<bool()>& reached, const Patience& patience = {});

}  // namespace forerun::test
