#include "forerun/web/guest.hpp"

namespace forerun::web {

void serve_plain(ServerState& house, boost::asio::ip::tcp::socket socket) {
  using Stream = boost::beast::tcp_stream;
  std::make_shared<HttpGuest<Stream>>(house, Stream(std::move(socket)))->read();
}

}  // namespace forerun::web
