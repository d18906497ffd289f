#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <new>
#include <thread>

namespace forerun {
namespace {

TEST(AllocationCounter, SeesEveryKindOfAllocation) {
  const AllocationCounter counter;
  // called by name, because compilers may leave out what a new-expression takes and gives back
  constexpr std::align_val_t kWide{64};
  ::operator delete(::operator new(8));
  ::operator delete[](::operator new[](8));
  ::operator delete(::operator new(8, std::nothrow), std::nothrow);
  ::operator delete(::operator new(8, kWide), kWide);
  ::operator delete[](::operator new[](8, kWide), kWide);
  EXPECT_EQ(counter.count(), 5u);
}

TEST(AllocationCounter, CountsOnlyItsOwnThread) {
  std::size_t there = 0;
  std::thread other([&] {
    const AllocationCounter counter;
    ::operator delete(::operator new(8));
    there = counter.count();
  });
  const AllocationCounter counter;
  other.join();
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_EQ(there, 1u);
}

}  // namespace
}  // namespace forerun
