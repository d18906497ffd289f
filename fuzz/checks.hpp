// What every entry of the fuzz targets checks in the same way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/base/bytes.hpp"
#include "forerun/base/check.hpp"
#include "forerun/base/result.hpp"

namespace forerun::fuzz {

// Whether the reader took the bytes.
template <class T>
bool check_answer(const Result<T>& result) {
  if (result) return true;
  FORERUN_CHECK(!result.error().message.empty());
  FORERUN_CHECK(result.error().message.find('\n') == std::string::npos);
  return false;
}

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline bool is_same(Bytes a, Bytes b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
// `b` begins with all of `a`.
inline bool begins(Bytes a, Bytes b) { return a.size() <= b.size() && is_same(a, b.first(a.size())); }

}  // namespace forerun::fuzz
