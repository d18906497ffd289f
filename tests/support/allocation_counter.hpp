// Counts what the current thread takes from the heap, to prove that step functions take nothing.
#pragma once

#include <cstddef>

namespace forerun {

class AllocationCounter {
 public:
  AllocationCounter();

  // Allocations of this thread since construction.
  [[nodiscard]] std::size_t count() const;

 private:
  std::size_t start_;
};

}  // namespace forerun
