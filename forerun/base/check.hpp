// Promises that programmers make to each other. Input from files and networks is never asserted, it is checked.
#pragma once

namespace forerun {

// Prints what was promised and where, then aborts.
[[noreturn]] void fail_check(const char* promise, const char* file, int line) noexcept;

}  // namespace forerun

// always on
#define FORERUN_CHECK(promise) ((promise) ? static_cast<void>(0) : ::forerun::fail_check(#promise, __FILE__, __LINE__))

// off in release builds
#ifdef NDEBUG
#define FORERUN_ASSERT(promise) static_cast<void>(0)
#else
#define FORERUN_ASSERT(promise) FORERUN_CHECK(promise)
#endif
