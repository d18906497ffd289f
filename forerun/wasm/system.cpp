// In WebAssembly only: what the core and the C library would ask of a system. There is none, so that the module
// imports nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "forerun/base/check.hpp"
#include "forerun/wasm/results.hpp"

namespace {

// Ends the module; the sentence stands in memory as text for those who see the trap.
[[noreturn]] void end(const char* why) noexcept {
  static bool ending = false;
  if (!ending) {
    ending = true;
    forerun::wasm::results().text = why;
  }
  __builtin_trap();
}

constexpr std::int32_t kNoSuchFile = 8;  // WASI's errno badf

}  // namespace

namespace forerun {

void fail_check(const char* promise, const char*, int) noexcept { end(promise); }

}  // namespace forerun

void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  end("out of memory");
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

// The C library's formatting knows of streams, which end here instead of in imports.
extern "C" {
std::int32_t __imported_wasi_snapshot_preview1_fd_close(std::int32_t) { return kNoSuchFile; }
std::int32_t __imported_wasi_snapshot_preview1_fd_seek(std::int32_t, std::int64_t, std::int32_t, std::int32_t) {
  return kNoSuchFile;
}
std::int32_t __imported_wasi_snapshot_preview1_fd_write(std::int32_t, std::int32_t, std::int32_t, std::int32_t) {
  return kNoSuchFile;
}
}
