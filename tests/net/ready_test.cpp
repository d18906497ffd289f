#include "forerun/net/ready.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/support/temp_folder.hpp"

namespace forerun::net {
namespace {

// Listens as a service manager does, and gives what it is told.
std::string told_at(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  notify_ready();
  ::unsetenv("NOTIFY_SOCKET");
  char text[64];
  const ssize_t n = ::recv(socket, text, sizeof text, MSG_DONTWAIT);
  ::close(socket);
  return n < 0 ? "" : std::string(text, static_cast<std::size_t>(n));
}

TEST(Ready, IsToldAtAFileAndAtANameThatIsNone) {
  const test::TempFolder folder;
  EXPECT_EQ(told_at(folder.file("notify")), "READY=1");
  EXPECT_EQ(told_at("@forerun-ready-test-" + std::to_string(::getpid())), "READY=1");
}

TEST(Ready, IsToldNobodyWhereNobodyAsks) {
  ::unsetenv("NOTIFY_SOCKET");
  notify_ready();
  for (const std::string& nonsense : {std::string(""), std::string("@"), std::string("relative"),
                                      std::string("/no/such"), "/" + std::string(300, 'x')}) {
    ::setenv("NOTIFY_SOCKET", nonsense.c_str(), 1);
    notify_ready();
  }
  ::unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace forerun::net
