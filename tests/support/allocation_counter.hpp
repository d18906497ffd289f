// What threads take from the heap: counted, to prove that step functions take nothing, and refused, to prove that what
// runs out of memory goes on.
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

// While it lives all threads but the one that made it are refused.
class NoMemoryElsewhere {
 public:
  NoMemoryElsewhere();
  ~NoMemoryElsewhere();
  NoMemoryElsewhere(const NoMemoryElsewhere&) = delete;
  NoMemoryElsewhere& operator=(const NoMemoryElsewhere&) = delete;
};

}  // namespace forerun
