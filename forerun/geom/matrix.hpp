// Small matrices of fixed size, for filters. Sums run in the order of the indices, so that the same inputs give the
// same bits natively and in WebAssembly.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "forerun/base/math.hpp"

namespace forerun {

template <std::size_t R, std::size_t C>
struct Matrix {
  std::array<std::array<double, C>, R> rows{};

  constexpr double& operator()(std::size_t i, std::size_t j) noexcept { return rows[i][j]; }
  constexpr double operator()(std::size_t i, std::size_t j) const noexcept { return rows[i][j]; }
  // of a single column
  constexpr double& operator[](std::size_t i) noexcept requires(C == 1) { return rows[i][0]; }
  constexpr double operator[](std::size_t i) const noexcept requires(C == 1) { return rows[i][0]; }
  [[nodiscard]] constexpr Matrix<1, C> row(std::size_t i) const noexcept { return {{rows[i]}}; }

  constexpr Matrix& operator+=(const Matrix& b) noexcept {
    for (std::size_t i = 0; i < R; ++i) {
      for (std::size_t j = 0; j < C; ++j) rows[i][j] += b.rows[i][j];
    }
    return *this;
  }
  constexpr Matrix& operator-=(const Matrix& b) noexcept {
    for (std::size_t i = 0; i < R; ++i) {
      for (std::size_t j = 0; j < C; ++j) rows[i][j] -= b.rows[i][j];
    }
    return *this;
  }
  constexpr Matrix& operator*=(double factor) noexcept {
    for (auto& row : rows) {
      for (double& value : row) value *= factor;
    }
    return *this;
  }
  constexpr Matrix& operator/=(double divisor) noexcept {
    for (auto& row : rows) {
      for (double& value : row) value /= divisor;
    }
    return *this;
  }
  constexpr bool operator==(const Matrix&) const noexcept = default;
};

template <std::size_t N>
using Vector = Matrix<N, 1>;

template <std::size_t N>
[[nodiscard]] constexpr Matrix<N, N> identity() noexcept {
  Matrix<N, N> one;
  for (std::size_t i = 0; i < N; ++i) one(i, i) = 1;
  return one;
}

template <std::size_t R, std::size_t C>
[[nodiscard]] constexpr Matrix<C, R> transposed(const Matrix<R, C>& a) noexcept {
  Matrix<C, R> result;
  for (std::size_t i = 0; i < R; ++i) {
    for (std::size_t j = 0; j < C; ++j) result(j, i) = a(i, j);
  }
  return result;
}

template <std::size_t R, std::size_t C>
[[nodiscard]] constexpr Matrix<R, C> operator+(Matrix<R, C> a, const Matrix<R, C>& b) noexcept {
  return a += b;
}
template <std::size_t R, std::size_t C>
[[nodiscard]] constexpr Matrix<R, C> operator-(Matrix<R, C> a, const Matrix<R, C>& b) noexcept {
  return a -= b;
}
template <std::size_t R, std::size_t C>
[[nodiscard]] constexpr Matrix<R, C> operator*(Matrix<R, C> a, double factor) noexcept {
  return a *= factor;
}
template <std::size_t R, std::size_t C>
[[nodiscard]] constexpr Matrix<R, C> operator/(Matrix<R, C> a, double divisor) noexcept {
  return a /= divisor;
}
template <std::size_t R, std::size_t K, std::size_t C>
[[nodiscard]] constexpr Matrix<R, C> operator*(const Matrix<R, K>& a, const Matrix<K, C>& b) noexcept {
  Matrix<R, C> product;
  for (std::size_t i = 0; i < R; ++i) {
    for (std::size_t j = 0; j < C; ++j) {
      for (std::size_t k = 0; k < K; ++k) product(i, j) += a(i, k) * b(k, j);
    }
  }
  return product;
}

// The lower triangle L with L · Lᵀ = a; only a's lower triangle is read. None unless `a` is positive definite.
template <std::size_t N>
[[nodiscard]] std::optional<Matrix<N, N>> cholesky(const Matrix<N, N>& a) noexcept {
  Matrix<N, N> lower;
  for (std::size_t j = 0; j < N; ++j) {
    for (std::size_t i = j; i < N; ++i) {
      double rest = a(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= lower(i, k) * lower(j, k);
      if (i == j && !(rest > 0)) return std::nullopt;
      lower(i, j) = i == j ? sqrt(rest) : rest / lower(j, j);
    }
  }
  return lower;
}

// The x with a · x = b, for a symmetric `a`. None unless `a` is positive definite.
template <std::size_t N, std::size_t C>
[[nodiscard]] std::optional<Matrix<N, C>> solve_symmetric(const Matrix<N, N>& a, const Matrix<N, C>& b) noexcept {
  const auto lower = cholesky(a);
  if (!lower) return std::nullopt;
  Matrix<N, C> x = b;
  for (std::size_t column = 0; column < C; ++column) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t k = 0; k < i; ++k) x(i, column) -= (*lower)(i, k) * x(k, column);
      x(i, column) /= (*lower)(i, i);
    }
    for (std::size_t i = N; i-- > 0;) {
      for (std::size_t k = i + 1; k < N; ++k) x(i, column) -= (*lower)(k, i) * x(k, column);
      x(i, column) /= (*lower)(i, i);
    }
  }
  return x;
}

template <std::size_t N>
[[nodiscard]] std::optional<Matrix<N, N>> inverse_symmetric(const Matrix<N, N>& a) noexcept {
  return solve_symmetric(a, identity<N>());
}

}  // namespace forerun
