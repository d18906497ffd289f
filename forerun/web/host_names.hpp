// Which pages may talk to us: the checks of the Host and Origin that a browser names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace forerun::web {

// The host of "host", "host:port" or "[v6]:port", in small letters and without brackets; empty where it is none.
[[nodiscard]] std::string host_of(std::string_view authority);

// True for this machine's own names, for addresses in numbers, and for the names given. A page that makes its own name
// lead here (DNS rebinding) has a name that is none of these.
[[nodiscard]] bool is_known_host(std::string_view authority, std::span<const std::string> names);

// True when the page that asks came from the very server that is asked.
[[nodiscard]] bool is_same_origin(std::string_view origin, std::string_view authority);

}  // namespace forerun::web
