// A list with room for a fixed number of elements, for work between the begin and the end of one call.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace forerun::navigate {

// Nothing is allocated after construction, and memory that is never used is never touched.
template <class T>
class ScratchList {
 public:
  explicit ScratchList(std::size_t capacity) : capacity_(capacity), elements_(new T[capacity]) {}
  // A copy has the same room and is empty: what the list holds is of no use to anyone but its owner.
  ScratchList(const ScratchList& other) : ScratchList(other.capacity_) {}
  ScratchList(ScratchList&& other) noexcept { swap(other); }
  ScratchList& operator=(ScratchList other) noexcept {
    swap(other);
    return *this;
  }
  ~ScratchList() = default;

  // False, and nothing changes, when there is no room.
  [[nodiscard]] bool push_back(const T& element) noexcept {
    if (size_ == capacity_) return false;
    elements_[size_++] = element;
    return true;
  }
  // Forgets the elements from `size` on.
  void shrink(std::size_t size) noexcept { size_ = size < size_ ? size : size_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  T& operator[](std::size_t i) noexcept { return elements_[i]; }
  T* begin() noexcept { return elements_.get(); }
  T* end() noexcept { return elements_.get() + size_; }
  const T* begin() const noexcept { return elements_.get(); }
  const T* end() const noexcept { return elements_.get() + size_; }

 private:
  void swap(ScratchList& other) noexcept {
    std::swap(capacity_, other.capacity_);
    std::swap(size_, other.size_);
    std::swap(elements_, other.elements_);
  }

  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::unique_ptr<T[]> elements_;
};

}  // namespace forerun::navigate
