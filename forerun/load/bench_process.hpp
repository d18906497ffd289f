// What load tests need of the system: two processes on two cores that share a board, and what one of them costs.
#pragma once

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <new>

namespace forerun::load {

[[nodiscard]] double cpu_time();        // of this process, kernel included [s]
[[nodiscard]] double resident_bytes();  // of this process

// Does `work` in a second process, on the second core, which ends with this one; this process stays on the first.
// Below zero: it could not be started.
[[nodiscard]] pid_t start_beside(const std::function<void()>& work);

// A port of this machine.
[[nodiscard]] inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A board in memory that both processes see.
template <class Board>
class SharedBoard {
 public:
  SharedBoard() {
    void* memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) board_ = new (memory) Board;
  }
  ~SharedBoard() {
    if (board_ != nullptr) munmap(board_, sizeof(Board));
  }
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;
  [[nodiscard]] Board* get() const { return board_; }  // null where there is no memory

 private:
  Board* board_ = nullptr;
};

}  // namespace forerun::load
