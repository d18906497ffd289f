// Replaces the global allocation functions of the test program. All of them are replaced, so that what one takes the
// matching one gives back, also under a sanitizer, which still watches malloc and free.
#include "tests/support/allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t n_allocations = 0;
thread_local bool is_served = false;
std::atomic<bool> others_are_refused{false};

bool is_refused() noexcept { return others_are_refused.load(std::memory_order_relaxed) && !is_served; }

void* allocate(std::size_t size) noexcept {
  ++n_allocations;
  if (is_refused()) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate_aligned(std::size_t size, std::align_val_t alignment) noexcept {
  ++n_allocations;
  if (is_refused()) return nullptr;
  const auto step = static_cast<std::size_t>(alignment);
  // aligned_alloc wants a whole number of steps
  return std::aligned_alloc(step, (size + step) / step * step);
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return or_throw(allocate_aligned(size, alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return or_throw(allocate_aligned(size, alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate_aligned(size, alignment);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }

namespace forerun {

AllocationCounter::AllocationCounter() : start_(n_allocations) {}

std::size_t AllocationCounter::count() const { return n_allocations - start_; }

NoMemoryElsewhere::NoMemoryElsewhere() {
  is_served = true;
  others_are_refused = true;
}

NoMemoryElsewhere::~NoMemoryElsewhere() {
  others_are_refused = false;
  is_served = false;
}

}  // namespace forerun
