// One HTTP connection: files, and the way to a WebSocket.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <memory>
#include <optional>
#include <string>

#include "forerun/web/browser.hpp"
#include "forerun/web/host_names.hpp"
#include "forerun/web/server_state.hpp"
#include "forerun/web/websocket_key.hpp"

namespace forerun::web {

template <class Stream>
class HttpGuest final : public WebGuest, public std::enable_shared_from_this<HttpGuest<Stream>> {
 public:
  HttpGuest(ServerState& house, Stream&& stream) : house_(house), id_(house.next_id++), stream_(std::move(stream)) {
    house_.guests.emplace(id_, this);
  }
  ~HttpGuest() override { house_.guests.erase(id_); }
  HttpGuest(const HttpGuest&) = delete;
  HttpGuest& operator=(const HttpGuest&) = delete;

  void hang_up() noexcept override {
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(stream_).socket().close(ignored);
  }

  [[nodiscard]] Stream& stream() { return stream_; }
  void limit_time() {
    boost::beast::get_lowest_layer(stream_).expires_after(to_milliseconds(house_.setup.limits.request_s));
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(house_.setup.limits.header_bytes));
    parser_->body_limit(0);
    limit_time();
    boost::beast::http::async_read(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](boost::system::error_code error, std::size_t) { self->on_request(error); });
  }

 private:
  using Status = boost::beast::http::status;
  using Field = boost::beast::http::field;
  using Verb = boost::beast::http::verb;
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  using Body = boost::beast::http::span_body<const char>;

  void on_request(boost::system::error_code error) {
    namespace http = boost::beast::http;
    if (error == http::error::end_of_stream) return end();
    // what took too long, or went away, needs no answer
    const bool malformed = error.category() == http::make_error_code(http::error::end_of_stream).category();
    if (error && !malformed) return;
    head_ = !error && parser_->get().method() == Verb::head;
    if (error) return refuse(Status::bad_request, "this is no request that is understood here");
    answer(parser_->get());
  }

  void answer(const Request& request) {
    const auto host = request[Field::host];
    if (!is_known_host({host.data(), host.size()}, house_.setup.host_names)) {
      return refuse(Status::forbidden,
                    "this name is not one that this program answers to; --host-name NAME makes it known");
    }
    if (request.method() != Verb::get && !head_) return refuse(Status::method_not_allowed, "only GET is allowed");
    const std::string_view path(request.target().data(), request.target().size());
    if (path == "/ws") return upgrade(request);
    const WebFile* file = house_.find(path == "/" ? "/index.html" : path);
    if (file == nullptr) return refuse(Status::not_found, "there is no such file", request.keep_alive());
    send(request, *file);
  }

  void upgrade(const Request& request) {
    if (!boost::beast::websocket::is_upgrade(request)) {
      return refuse(Status::upgrade_required, "this is the address of a WebSocket");
    }
    const auto origin = request[Field::origin];
    const auto host = request[Field::host];
    if (!is_same_origin({origin.data(), origin.size()}, {host.data(), host.size()})) {
      return refuse(Status::forbidden, "only the page of this very server may open this WebSocket");
    }
    boost::beast::http::token_list protocols(request[Field::sec_websocket_protocol]);
    if (!protocols.exists(kWebProtocol)) {
      return refuse(Status::bad_request,
                    std::string("the page is not of this program's version; reload it (protocol ") + kWebProtocol +
                        " is spoken here)");
    }
    const auto key = request[Field::sec_websocket_key];
    if (request[Field::sec_websocket_version] != "13" || !is_web_socket_key({key.data(), key.size()})) {
      return refuse(Status::bad_request, "this is no WebSocket of version 13, which is spoken here");
    }
    begin_web_socket(web_socket_accept({key.data(), key.size()}));
  }

  void begin_web_socket(const std::string& accept) {
    sentence_ = std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n") +
                "Server: forerun\r\nSec-WebSocket-Protocol: " + kWebProtocol + "\r\nSec-WebSocket-Accept: " + accept +
                "\r\n\r\n";
    limit_time();
    boost::asio::async_write(
        stream_, boost::asio::buffer(sentence_),
        [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
          if (error) return;
          const auto early = boost::beast::buffers_to_string(self->buffer_.cdata());
          std::make_shared<BrowserSocket<Stream>>(self->house_, std::move(self->stream_))->join(early);
        });
  }

  void prepare(Status status, const char* content_type, std::string_view bytes, bool keep_alive) {
    response_ = {status, 11, Body::value_type(bytes.data(), bytes.size())};
    response_.set(Field::server, "forerun");
    response_.set(Field::content_type, content_type);
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.keep_alive(keep_alive);
    response_.content_length(bytes.size());
  }

  void refuse(Status status, std::string sentence, bool keep_alive = false) {
    ++house_.n_refused;
    sentence_ = std::move(sentence) + "\n";
    prepare(status, "text/plain; charset=utf-8", sentence_, keep_alive);
    if (status == Status::method_not_allowed) response_.set(Field::allow, "GET, HEAD");
    begin_write();
  }

  // Scripts, workers and WebAssembly of our own and nothing else; in nobody's frame, so that nobody's page can lay its
  // own buttons over ours.
  void set_policy(std::string_view host) {
    const std::string own(host);
    response_.set("Content-Security-Policy",
                  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
                  "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws://" +
                      own + " wss://" + own + "; object-src 'none'; base-uri 'none'; frame-ancestors 'none'");
    response_.set("X-Frame-Options", "DENY");
  }

  void send(const Request& request, const WebFile& file) {
    const bool unchanged = !file.tag.empty() && request[Field::if_none_match] == file.tag;
    owned_ = file.owned;
    const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    prepare(unchanged ? Status::not_modified : Status::ok, file.content_type.c_str(), unchanged ? "" : bytes,
            request.keep_alive());
    if (unchanged) response_.content_length(boost::none);  // a length here would be the file's
    if (file.gzip) response_.set(Field::content_encoding, "gzip");
    response_.set(Field::cache_control, file.fixed ? "public, max-age=31536000, immutable" : "no-cache");
    if (!file.tag.empty()) response_.set(Field::etag, file.tag);
    set_policy({request[Field::host].data(), request[Field::host].size()});
    begin_write();
  }

  void begin_write() {
    serializer_.emplace(response_);
    serializer_->split(head_);
    n_since_limit_ = 0;
    limit_time();
    write();
  }

  // As much as the connection takes. Who takes a piece in time is given time for the next: a large model may take
  // minutes on a slow line, but nobody holds a connection by taking a byte now and then.
  void write() {
    boost::beast::http::async_write_some(
        stream_, *serializer_, [self = this->shared_from_this()](boost::system::error_code error, std::size_t n) {
          if (!error) self->on_written(n);
        });
  }

  void on_written(std::size_t n) {
    n_since_limit_ += n;
    if (n_since_limit_ >= kPiece) {
      n_since_limit_ = 0;
      limit_time();
    }
    const bool done = head_ ? serializer_->is_header_done() : serializer_->is_done();
    if (!done) return write();
    if (!response_.keep_alive()) return end();
    read();
  }

  // The other end reads what was written before it sees the end.
  void end() {
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(stream_).socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }

  static constexpr std::size_t kPiece = 65536;

  ServerState& house_;
  std::uint64_t id_;
  Stream stream_;
  bool head_ = false;              // no body is wanted
  std::size_t n_since_limit_ = 0;  // bytes written since the time limit was set
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
  boost::beast::http::response<Body> response_;
  std::optional<boost::beast::http::response_serializer<Body>> serializer_;
  std::string sentence_;                                    // what the response's bytes may be
  std::shared_ptr<const std::vector<std::uint8_t>> owned_;  // likewise
};

}  // namespace forerun::web
