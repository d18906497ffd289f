// Addresses as people write them.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::net {

using sync::Address;

// "host:port", "a.b.c.d:port", "[v6]:port", or ":port" for any address of this machine. May ask the name service.
[[nodiscard]] Result<Address> resolve(std::string_view text);

// "a.b.c.d:port" or "[v6]:port"; resolve() reads it back.
[[nodiscard]] std::string to_string(const Address& address);

}  // namespace forerun::net
