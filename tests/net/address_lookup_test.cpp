// Asking the name service beside the work.
#include "forerun/net/address_lookup.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "forerun/net/resolve.hpp"
#include "tests/support/wait_until.hpp"

namespace forerun::net {
namespace {

using test::wait_until;

std::optional<Address> await(AddressLookup& lookup) {
  std::optional<Address> address;
  EXPECT_TRUE(wait_until([&] { return (address = lookup.take()).has_value(); }));
  return address;
}

// A name service that answers when it is told to.
struct SlowService {
  std::promise<void> open;
  std::shared_future<void> gate = open.get_future().share();
  std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);

  [[nodiscard]] AddressLookup::Resolve resolve() const {
    return [waits = gate, n = asked](const std::string&) -> Result<Address> {
      ++*n;
      waits.wait();
      return Address{.ip = {}, .port = 7};
    };
  }
};

TEST(AddressLookup, ADeadNameServiceKeepsNobodyWaitingAndIsAskedOnce) {
  SlowService service;
  AddressLookup lookup("robot.example:7", service.resolve());
  for (int i = 0; i < 5; ++i) {
    lookup.start();
    EXPECT_EQ(lookup.take(), std::nullopt);
  }
  service.open.set_value();
  EXPECT_EQ(await(lookup), (Address{.ip = {}, .port = 7}));
  EXPECT_EQ(*service.asked, 1);
  EXPECT_EQ(lookup.take(), std::nullopt) << "an answer is given once";
  lookup.start();
  EXPECT_TRUE(await(lookup));
  EXPECT_EQ(*service.asked, 2);
}

TEST(AddressLookup, MayGoWhileTheNameServiceIsStillAsked) {
  SlowService service;
  {
    AddressLookup lookup("robot.example:7", service.resolve());
    lookup.start();
  }
  service.open.set_value();
  EXPECT_TRUE(wait_until([&] { return *service.asked == 1; }));
}

TEST(AddressLookup, DigitsAreNeverAskedFor) {
  for (const char* text : {"127.0.0.1:7", "[::1]:7", "[2001:db8::17]:7", ":7"}) {
    SlowService service;
    service.open.set_value();
    AddressLookup lookup(text, service.resolve());
    lookup.start();
    EXPECT_EQ(service.asked.use_count(), 2) << text << ": a question keeps the service, too";
  }
}

TEST(AddressLookup, AfterAFailureItCanBeAskedAgain) {
  const auto n = std::make_shared<std::atomic<int>>(0);
  AddressLookup lookup("robot.example:7", [n](const std::string&) -> Result<Address> {
    if (++*n == 1) return Error{"no such host"};
    return Address{.ip = {}, .port = 8};
  });
  std::optional<Address> found;
  EXPECT_TRUE(wait_until([&] {
    lookup.start();
    return (found = lookup.take()).has_value();
  }));
  EXPECT_EQ(found, (Address{.ip = {}, .port = 8}));
}

TEST(AddressLookup, AsksTheRealNameService) {
  AddressLookup lookup("localhost:7000");
  lookup.start();
  const auto here = await(lookup);
  ASSERT_TRUE(here);
  EXPECT_TRUE(to_string(*here) == "127.0.0.1:7000" || to_string(*here) == "[::1]:7000") << to_string(*here);
}

}  // namespace
}  // namespace forerun::net
