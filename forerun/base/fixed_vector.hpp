// A vector with room for N elements inside itself: no heap, trivially copyable when T is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "forerun/base/check.hpp"

namespace forerun {

template <class T, std::size_t N>
class FixedVector {
 public:
  // Adds an element; false, and nothing changes, when all N places are taken.
  bool push_back(const T& element) noexcept {
    if (size_ == N) return false;
    elements_[size_++] = element;
    return true;
  }
  void pop_back() noexcept {
    FORERUN_ASSERT(size_ > 0);
    --size_;
  }
  void clear() noexcept { size_ = 0; }
  void resize(std::size_t size) noexcept {
    FORERUN_CHECK(size <= N);
    for (std::size_t i = size_; i < size; ++i) elements_[i] = T{};
    size_ = size;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] bool full() const noexcept { return size_ == N; }
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }

  T& operator[](std::size_t i) noexcept {
    FORERUN_ASSERT(i < size_);
    return elements_[i];
  }
  const T& operator[](std::size_t i) const noexcept {
    FORERUN_ASSERT(i < size_);
    return elements_[i];
  }
  T& back() noexcept { return (*this)[size_ - 1]; }
  const T& back() const noexcept { return (*this)[size_ - 1]; }

  T* data() noexcept { return elements_.data(); }
  const T* data() const noexcept { return elements_.data(); }
  T* begin() noexcept { return elements_.data(); }
  T* end() noexcept { return elements_.data() + size_; }
  const T* begin() const noexcept { return elements_.data(); }
  const T* end() const noexcept { return elements_.data() + size_; }

  friend bool operator==(const FixedVector& a, const FixedVector& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<T, N> elements_{};
  std::size_t size_ = 0;
};

}  // namespace forerun
