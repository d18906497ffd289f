// A value on its way from one thread to another.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace forerun::net {

template <class T>
class Shared {
 public:
  void put(T value) {
    const std::lock_guard lock(mutex_);
    value_ = std::move(value);
  }
  // The newest, once.
  [[nodiscard]] std::optional<T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(value_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<T> value_;
};

}  // namespace forerun::net
