// The answer by which a WebSocket's server shows that it understood the request (RFC 6455, 4.2.2).
#pragma once

#include <string>
#include <string_view>

namespace forerun::web {

// 16 bytes in base64.
[[nodiscard]] bool is_web_socket_key(std::string_view key) noexcept;
[[nodiscard]] std::string web_socket_accept(std::string_view key);

}  // namespace forerun::web
