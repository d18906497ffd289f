#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "forerun/net/line_buffer.hpp"
#include "forerun/net/local_socket.hpp"

namespace forerun::net {
namespace {

constexpr int kSendBuffer = 4096;              // what waits there is old: a few lines are enough [bytes]
constexpr std::size_t kMostWaiting = 4096;     // beyond that, the other program is deaf [bytes]
constexpr std::size_t kMostReading = 1 << 16;  // a call [bytes]

Error failure(const std::string& path, const std::string& what) {
  return Error{"unix:" + path + " " + what, ErrorKind::impossible};
}

sockaddr_un address_of(const std::string& path) noexcept {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* any(const sockaddr_un& address) noexcept { return reinterpret_cast<const sockaddr*>(&address); }

// A socket file that a program left behind when it died is removed; anything else at the path is not ours.
Result<void> make_room(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return {};
  if (!S_ISSOCK(status.st_mode)) return failure(path, "exists and is no socket");
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const sockaddr_un address = address_of(path);
  const bool dead = connect(probe, any(address), sizeof address) != 0 && errno == ECONNREFUSED;
  close(probe);
  if (!dead) return failure(path, "is in use by another program");
  unlink(path.c_str());
  return {};
}

class UnixLines final : public LineTransport {
 public:
  UnixLines(int listener, std::string path) : listener_(listener), path_(std::move(path)) {}
  ~UnixLines() override {
    drop();
    close(listener_);
    unlink(path_.c_str());
  }

  void receive(const LineHandlers& handlers) override {
    // first to the end of what a program left that has gone, then to the one that has come after it
    read(handlers);
    if (welcome()) read(handlers);
    flush();
  }

  bool send(std::string_view line, bool needed) override {
    if (peer_ < 0) welcome();
    flush();
    const bool room = waiting_.size() + line.size() < kMostWaiting;
    if (peer_ < 0 || !room) {
      ++counts.unsent;
      if (peer_ >= 0 && needed) {
        ++counts.deaf;
        drop();
      }
      return false;
    }
    waiting_.append(line).push_back('\n');
    flush();
    return peer_ >= 0;
  }

  [[nodiscard]] bool connected() const noexcept override { return peer_ >= 0; }
  [[nodiscard]] FixedVector<int, 2> descriptors() const noexcept override {
    FixedVector<int, 2> all;
    all.push_back(listener_);
    if (peer_ >= 0) all.push_back(peer_);
    return all;
  }
  [[nodiscard]] std::string where() const override { return "unix:" + path_; }

 private:
  void feed(std::string_view bytes, const LineHandlers& handlers) {
    lines_.feed(
        bytes,
        [&](std::string_view line) {
          ++counts.lines;
          handlers.on_line(line);
        },
        [&] {
          ++counts.too_long;
          handlers.on_too_long();
        });
  }

  void read(const LineHandlers& handlers) {
    std::array<char, 4096> piece;
    for (std::size_t total = 0; peer_ >= 0 && total < kMostReading;) {
      const ssize_t n = recv(peer_, piece.data(), piece.size(), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n <= 0) {
        drop();
        return;
      }
      total += static_cast<std::size_t>(n);
      feed({piece.data(), static_cast<std::size_t>(n)}, handlers);
    }
  }

  // Lets the first caller in, if none is here yet, and sends the others away. Says whether there is a new one.
  bool welcome() {
    bool is_new = false;
    int newcomer;
    while ((newcomer = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
      if (peer_ >= 0) {
        ++counts.refused;
        constexpr std::string_view kBusy = "{\"error\":\"another control system is connected\"}\n";
        static_cast<void>(::send(newcomer, kBusy.data(), kBusy.size(), MSG_NOSIGNAL));
        close(newcomer);
        continue;
      }
      ++counts.connected;
      setsockopt(newcomer, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
      peer_ = newcomer;
      is_new = true;
    }
    return is_new;
  }

  void flush() {
    while (peer_ >= 0 && !waiting_.empty()) {
      const ssize_t n = ::send(peer_, waiting_.data(), waiting_.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n < 0) {
        drop();
        return;
      }
      waiting_.erase(0, static_cast<std::size_t>(n));
    }
  }

  void drop() noexcept {
    if (peer_ >= 0) close(peer_);
    peer_ = -1;
    lines_.clear();
    waiting_.clear();
  }

  int listener_;
  int peer_ = -1;
  std::string path_;
  LineBuffer lines_;
  std::string waiting_;  // to be sent
};

}  // namespace

Result<std::unique_ptr<LineTransport>> open_unix_lines(const std::string& path, LocalAccess access) {
  if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) {
    return Error{"the path of a Unix socket has " + std::to_string(path.size()) + " bytes, but must have 1 to " +
                 std::to_string(sizeof(sockaddr_un::sun_path) - 1)};
  }
  if (auto room = make_room(path); !room) return room.error();
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return failure(path, std::string("cannot be opened: ") + std::strerror(errno));
  const sockaddr_un address = address_of(path);
  if (bind(listener, any(address), sizeof address) != 0) {
    const std::string why = std::strerror(errno);
    close(listener);
    return failure(path, "cannot be made: " + why);
  }
  // nobody can connect before it listens, so there is no moment in which others may
  const mode_t mode = S_IRUSR | S_IWUSR | (access == LocalAccess::group ? S_IRGRP | S_IWGRP : 0);
  if (chmod(path.c_str(), mode) != 0 || listen(listener, 4) != 0) {
    const std::string why = std::strerror(errno);
    close(listener);
    unlink(path.c_str());
    return failure(path, "cannot be listened at: " + why);
  }
  return std::unique_ptr<LineTransport>(std::make_unique<UnixLines>(listener, path));
}

}  // namespace forerun::net
