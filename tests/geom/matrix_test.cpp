// Small matrices: results worked out by hand, and laws at random matrices.
#include "forerun/geom/matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "forerun/base/random.hpp"

namespace forerun {
namespace {

template <std::size_t R, std::size_t C>
Matrix<R, C> random_matrix(Random& random) {
  Matrix<R, C> a;
  for (auto& row : a.rows) {
    for (double& value : row) value = random.uniform(-2, 2);
  }
  return a;
}

template <std::size_t N>
Matrix<N, N> random_covariance(Random& random) {
  const auto a = random_matrix<N, N>(random);
  return a * transposed(a) + identity<N>() * 0.1;
}

template <std::size_t R, std::size_t C>
double largest_difference(const Matrix<R, C>& a, const Matrix<R, C>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < R; ++i) {
    for (std::size_t j = 0; j < C; ++j) largest = std::max(largest, std::fabs(a(i, j) - b(i, j)));
  }
  return largest;
}

constexpr Matrix<2, 3> kA{{{{1, 2, 3}, {4, 5, 6}}}};
constexpr Matrix<3, 2> kB{{{{7, 8}, {9, 10}, {11, 12}}}};

TEST(Matrix, ProductsSumsAndTransposesAsByHand) {
  static_assert(kA * kB == Matrix<2, 2>{{{{58, 64}, {139, 154}}}});
  static_assert(transposed(kA) == Matrix<3, 2>{{{{1, 4}, {2, 5}, {3, 6}}}});
  static_assert(kA + kA == kA * 2 && (kA * 2) / 2 == kA && kA - kA == Matrix<2, 3>{});
  static_assert(kA.row(1) == Matrix<1, 3>{{{{4, 5, 6}}}});
  Vector<2> v;
  v[0] = 3;
  v[1] = -1;
  EXPECT_EQ(transposed(kA) * v, (Vector<3>{{{{-1}, {1}, {3}}}}));
}

TEST(Matrix, CholeskyAndInverseAsByHand) {
  constexpr Matrix<3, 3> a{{{{4, 12, -16}, {12, 37, -43}, {-16, -43, 98}}}};
  EXPECT_EQ(cholesky(a), (Matrix<3, 3>{{{{2, 0, 0}, {6, 1, 0}, {-8, 5, 3}}}}));
  constexpr Matrix<2, 2> b{{{{2, 1}, {1, 2}}}};
  const Matrix<2, 2> inverse{{{{2.0 / 3, -1.0 / 3}, {-1.0 / 3, 2.0 / 3}}}};
  EXPECT_LT(largest_difference(*inverse_symmetric(b), inverse), 1e-15);
}

TEST(Matrix, ProductsAreAssociativeAndTransposeInReverse) {
  Random random(1, 2);
  for (int i = 0; i < 100; ++i) {
    const auto a = random_matrix<2, 5>(random);
    const auto b = random_matrix<5, 3>(random);
    const auto c = random_matrix<3, 4>(random);
    EXPECT_LT(largest_difference((a * b) * c, a * (b * c)), 1e-12);
    EXPECT_EQ(transposed(a * b), transposed(b) * transposed(a));
    EXPECT_EQ(identity<2>() * a, a);
    EXPECT_EQ(a * identity<5>(), a);
  }
}

TEST(Matrix, WhatIsSolvedFulfilsTheEquation) {
  Random random(2, 2);
  for (int i = 0; i < 100; ++i) {
    const auto a = random_covariance<6>(random);
    const auto b = random_matrix<6, 2>(random);
    const auto x = solve_symmetric(a, b);
    ASSERT_TRUE(x);
    EXPECT_LT(largest_difference(a * *x, b), 1e-10) << i;
    const auto lower = cholesky(a);
    EXPECT_LT(largest_difference(*lower * transposed(*lower), a), 1e-12) << i;
    EXPECT_LT(largest_difference(a * *inverse_symmetric(a), identity<6>()), 1e-10) << i;
  }
}

TEST(Matrix, WhatIsNotPositiveDefiniteHasNoFactorAndNoSolution) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const Matrix<2, 2>& bad : {Matrix<2, 2>{}, Matrix<2, 2>{{{{1, 1}, {1, 1}}}}, Matrix<2, 2>{{{{1, 2}, {2, 1}}}},
                                  Matrix<2, 2>{{{{-1, 0}, {0, 1}}}}, Matrix<2, 2>{{{{kNan, 0}, {0, 1}}}}}) {
    EXPECT_FALSE(cholesky(bad));
    EXPECT_FALSE(inverse_symmetric(bad));
  }
}

}  // namespace
}  // namespace forerun
