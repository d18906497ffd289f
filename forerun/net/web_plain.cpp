#include "forerun/net/web_guest.hpp"

namespace forerun::net {

void serve_plain(WebHouse& house, boost::asio::ip::tcp::socket socket) {
  using Stream = boost::beast::tcp_stream;
  std::make_shared<HttpGuest<Stream>>(house, Stream(std::move(socket)))->read();
}

}  // namespace forerun::net
