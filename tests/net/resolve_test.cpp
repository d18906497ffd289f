// Addresses as people write them.
#include "forerun/net/resolve.hpp"

#include <gtest/gtest.h>

#include "forerun/net/socket_address.hpp"

namespace forerun::net {
namespace {

TEST(Resolve, ReadsAddressesAndWritesThemAsTheyWere) {
  for (const char* text :
       {"127.0.0.1:7000", "255.255.255.255:65535", "0.0.0.0:0", "[::1]:7000", "[2001:db8::17]:1", "[::]:5"}) {
    const auto address = resolve(text);
    ASSERT_TRUE(address) << address.error().message;
    EXPECT_EQ(to_string(*address), text);
  }
}

TEST(Resolve, KnowsBothFamilies) {
  const auto four = resolve("10.1.2.3:80");
  ASSERT_TRUE(four);
  EXPECT_TRUE(is_ipv4(*four));
  EXPECT_EQ(four->ip, (std::array<std::uint8_t, 16>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 2, 3}));
  EXPECT_EQ(four->port, 80);
  EXPECT_FALSE(is_ipv4(*resolve("[::1]:80")));
  EXPECT_EQ(to_string(*resolve("[::ffff:10.1.2.3]:80")), "10.1.2.3:80");
}

TEST(Resolve, WithoutAHostItIsAnyAddress) { EXPECT_EQ(*resolve(":7000"), (Address{.ip = {}, .port = 7000})); }

TEST(Resolve, KnowsThisMachine) {
  const auto here = resolve("localhost:7000");
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_TRUE(to_string(*here) == "127.0.0.1:7000" || to_string(*here) == "[::1]:7000") << to_string(*here);
}

TEST(Resolve, NonsenseIsOneSentence) {
  const auto complaint = [](std::string_view text) {
    const auto address = resolve(text);
    EXPECT_FALSE(address) << text;
    return address ? std::string() : address.error().message;
  };
  for (const char* text : {"", "localhost", "::1", "fe80::1:80", "[::1]", "[]:80", "a[::1]:80", "[::1]:", "host:"}) {
    EXPECT_NE(complaint(text).find(std::string("\"") + text + "\""), std::string::npos) << complaint(text);
  }
  for (const char* text : {"localhost:65536", "localhost:-1", "localhost: 80", "localhost:80x", "localhost:http"}) {
    EXPECT_NE(complaint(text).find("0 to 65535"), std::string::npos) << complaint(text);
  }
  EXPECT_NE(complaint("[fe80::1%eth0]:80").find("interface"), std::string::npos);
  EXPECT_NE(complaint("[not-an-address]:80").find("not-an-address"), std::string::npos);
  EXPECT_EQ(complaint("a\nb:x").find('\n'), std::string::npos);
  EXPECT_LT(complaint(std::string(5000, 'x') + ":80").size(), 300u);
}

}  // namespace
}  // namespace forerun::net
