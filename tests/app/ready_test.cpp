// Service managers are told when the programs listen.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "tests/app/link_programs.hpp"

namespace forerun::test {
namespace {

// What a program that is started now says to the service manager.
std::string first_word(const TempFolder& folder, const std::vector<std::string>& arguments) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder.file("notify");
  std::memcpy(address.sun_path, path.data(), path.size());
  ::unlink(path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  const Background program(forerun_command(arguments));
  ::unsetenv("NOTIFY_SOCKET");
  pollfd waiting{socket, POLLIN, 0};
  std::string said;
  if (::poll(&waiting, 1, 30'000) == 1) {
    char text[64];
    const ssize_t n = ::recv(socket, text, sizeof text, 0);
    said.assign(text, n < 0 ? 0 : static_cast<std::size_t>(n));
  }
  ::close(socket);
  return said;
}

TEST(Ready, ServeAndRelaySayWhenTheyListen) {
  const TempFolder folder;
  const std::string key = run_forerun({"keys", "new", "--keys", folder.file("keys")}).out.substr(0, 44);
  EXPECT_EQ(first_word(folder, {"serve", "--keys", folder.file("keys"), "--listen", "127.0.0.1:0", "--for-s", "30"}),
            "READY=1");
  EXPECT_EQ(first_word(folder, {"relay", key + "@127.0.0.1:9", "--listen", "127.0.0.1:0", "--for-s", "30"}), "READY=1");
}

}  // namespace
}  // namespace forerun::test
