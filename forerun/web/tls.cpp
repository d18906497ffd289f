#include <boost/asio/ssl.hpp>
#include <boost/beast/ssl.hpp>

#include "forerun/web/guest.hpp"

namespace forerun::web {

void serve_tls(ServerState& house, boost::asio::ip::tcp::socket socket) {
  using Stream = boost::beast::ssl_stream<boost::beast::tcp_stream>;
  auto guest =
      std::make_shared<HttpGuest<Stream>>(house, Stream(boost::beast::tcp_stream(std::move(socket)), *house.tls));
  guest->limit_time();
  Stream& stream = guest->stream();
  stream.async_handshake(boost::asio::ssl::stream_base::server,
                         [guest = std::move(guest)](boost::system::error_code error) {
                           if (!error) guest->read();
                         });
}

}  // namespace forerun::web
