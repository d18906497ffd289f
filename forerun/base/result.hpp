// A value, or the one sentence that says why there is none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "forerun/base/check.hpp"

namespace forerun {

enum class ErrorKind {
  bad_input,   // wrong usage, file or value: exit code 2
  impossible,  // understood, but cannot be done: exit code 1
};

struct Error {
  std::string message;  // one sentence: file, field, value, what is allowed
  ErrorKind kind = ErrorKind::bad_input;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT: values convert, so that `return value;` works
  Result(Error error) : content_(std::move(error)) {}  // NOLINT: likewise `return Error{…};`

  [[nodiscard]] bool ok() const noexcept { return std::holds_alternative<T>(content_); }
  explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] T& value() noexcept {
    FORERUN_CHECK(ok());
    return *std::get_if<T>(&content_);
  }
  [[nodiscard]] const T& value() const noexcept {
    FORERUN_CHECK(ok());
    return *std::get_if<T>(&content_);
  }
  T& operator*() noexcept { return value(); }
  const T& operator*() const noexcept { return value(); }
  T* operator->() noexcept { return &value(); }
  const T* operator->() const noexcept { return &value(); }

  [[nodiscard]] const Error& error() const noexcept {
    FORERUN_CHECK(!ok());
    return *std::get_if<Error>(&content_);
  }

 private:
  std::variant<T, Error> content_;
};

// The result of work that yields nothing but its success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: `return Error{…};`

  [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const noexcept {
    FORERUN_CHECK(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace forerun
