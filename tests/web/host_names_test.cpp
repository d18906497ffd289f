#include "forerun/web/host_names.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace forerun::web {
namespace {

TEST(WebAddress, HostsAreReadWithAndWithoutPort) {
  EXPECT_EQ(host_of("Robot.Example:8080"), "robot.example");
  EXPECT_EQ(host_of("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(host_of("[::1]:80"), "::1");
  for (const char* wrong : {"", ":80", "[::1", "a b", "a:b", "a:123456", "a/b", "a:80:80", "user@host", "[x]:1"}) {
    EXPECT_EQ(host_of(wrong), "") << wrong;
  }
}

TEST(WebAddress, OnlyThisMachineAndNamesGivenAreKnown) {
  const std::vector<std::string> names{"Watch.example"};
  for (const char* known :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]", "192.168.1.5", "watch.example:443"}) {
    EXPECT_TRUE(is_known_host(known, names)) << known;
  }
  for (const char* foreign : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "watch.example.",
                              "1.2.3", "0x7f000001", "watch"}) {
    EXPECT_FALSE(is_known_host(foreign, names)) << foreign;
  }
}

TEST(WebAddress, ThePageMustComeFromTheVeryServer) {
  EXPECT_TRUE(is_same_origin("http://localhost:8080", "localhost:8080"));
  EXPECT_TRUE(is_same_origin("https://Watch.example", "watch.example"));
  for (const char* foreign : {"", "null", "http://localhost", "http://localhost:80801", "http://evil.example:8080",
                              "file://localhost:8080", "localhost:8080", "http://localhost:8080/", "http://"}) {
    EXPECT_FALSE(is_same_origin(foreign, "localhost:8080")) << foreign;
  }
  EXPECT_FALSE(is_same_origin("http://", ""));
}

}  // namespace
}  // namespace forerun::web
