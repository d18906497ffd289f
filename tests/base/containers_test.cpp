// FixedVector, Result and the checks.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <type_traits>

#include "forerun/base/check.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/result.hpp"

namespace forerun {
namespace {

TEST(FixedVector, GrowsUpToItsCapacityAndThenRefuses) {
  FixedVector<int, 3> vector;
  EXPECT_TRUE(vector.empty());
  EXPECT_TRUE(vector.push_back(1));
  EXPECT_TRUE(vector.push_back(2));
  EXPECT_TRUE(vector.push_back(3));
  EXPECT_TRUE(vector.full());
  EXPECT_FALSE(vector.push_back(4));
  EXPECT_EQ(vector.size(), 3u);
  EXPECT_EQ(vector.back(), 3);
}

TEST(FixedVector, ResizingUpGivesFreshElements) {
  FixedVector<int, 4> vector;
  (void)vector.push_back(7);
  (void)vector.push_back(8);
  vector.resize(1);
  vector.resize(3);
  EXPECT_EQ(vector[0], 7);
  EXPECT_EQ(vector[1], 0);
  EXPECT_EQ(vector[2], 0);
  vector.clear();
  EXPECT_TRUE(vector.empty());
}

TEST(FixedVector, IsARangeAndTriviallyCopyable) {
  FixedVector<int, 8> vector;
  for (int i = 1; i <= 5; ++i) (void)vector.push_back(i);
  EXPECT_EQ(std::accumulate(vector.begin(), vector.end(), 0), 15);
  static_assert(std::is_trivially_copyable_v<FixedVector<double, 16>>);
  static_assert(FixedVector<int, 8>::capacity() == 8);
}

TEST(FixedVectorDeathTest, ResizingBeyondTheCapacityIsABrokenPromise) {
  FixedVector<int, 2> vector;
  EXPECT_DEATH(vector.resize(3), "broken promise: size <= N");
}

Result<int> half(int number) {
  if (number % 2 != 0) return Error{std::to_string(number) + " is odd"};
  return number / 2;
}

TEST(Result, HoldsAValueOrASentence) {
  const Result<int> good = half(4);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 2);
  const Result<int> bad = half(3);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "3 is odd");
  EXPECT_EQ(bad.error().kind, ErrorKind::bad_input);
}

TEST(Result, MovesValuesThatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, OfNothingIsSuccessOrASentence) {
  const Result<void> good;
  EXPECT_TRUE(good.ok());
  const Result<void> bad(Error{"no", ErrorKind::impossible});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::impossible);
}

TEST(ResultDeathTest, TakingAValueThatIsNotThereIsABrokenPromise) {
  const Result<int> bad = half(3);
  EXPECT_DEATH((void)bad.value(), "broken promise: ok");
}

TEST(CheckDeathTest, SaysWhatWasPromisedAndWhere) {
  EXPECT_DEATH(FORERUN_CHECK(1 + 1 == 3), "broken promise: 1 \\+ 1 == 3 .*containers_test.cpp:");
}

}  // namespace
}  // namespace forerun
