// One browser's WebSocket. At most one message is on its way to it; of those that wait, some may be replaced by newer
// ones, and all others keep their order.
#pragma once

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "forerun/net/web_house.hpp"

namespace forerun::net {

[[nodiscard]] inline std::chrono::milliseconds to_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

// So many a second, and as many at once.
class MessageBudget {
 public:
  explicit MessageBudget(double per_s) : per_s_(per_s), left_(per_s), at_(Clock::now()) {}
  [[nodiscard]] bool take() {
    const auto now = Clock::now();
    left_ = std::min(per_s_, left_ + per_s_ * std::chrono::duration<double>(now - at_).count());
    at_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double per_s_;
  double left_;
  Clock::time_point at_;
};

template <class Stream>
class BrowserSocket final : public WebBrowser, public std::enable_shared_from_this<BrowserSocket<Stream>> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;

  BrowserSocket(WebHouse& house, Stream&& stream)
      : house_(house), id_(house.next_id++), socket_(std::move(stream)), budget_(house.setup.limits.messages_per_s) {}

  ~BrowserSocket() override {
    if (!joined_) return;
    house_.browsers.erase(id_);
    --house_.n_browsers;
    house_.events.push({WebEvent::Kind::left, id_, {}});
  }
  BrowserSocket(const BrowserSocket&) = delete;
  BrowserSocket& operator=(const BrowserSocket&) = delete;

  void accept(const Request& request) {
    namespace websocket = boost::beast::websocket;
    const WebLimits& limits = house_.setup.limits;
    boost::beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has timers of its own
    socket_.set_option(
        websocket::stream_base::timeout{to_milliseconds(limits.request_s), to_milliseconds(limits.silence_s), true});
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(boost::beast::http::field::sec_websocket_protocol, kWebProtocol);
    }));
    socket_.read_message_max(limits.message_bytes);
    socket_.auto_fragment(false);
    keep_little_in_the_system();
    socket_.async_accept(request, [self = this->shared_from_this()](boost::system::error_code error) {
      if (!error) self->join();
    });
  }

  void welcome(std::vector<WebMessage> first) override {
    for (WebMessage& message : first) in_order_.push_back(std::move(message));
    welcome_ = true;
    write_next();
  }

  void send(const WebMessage& message) override {
    if (!welcome_) return;
    if (in_order_.size() >= house_.setup.limits.waiting_messages) return cut_off();
    in_order_.push_back(message);
    write_next();
  }

  void publish(std::uint32_t topic, const WebMessage& message) override {
    if (!welcome_) return;
    const auto same = std::find_if(newest_.begin(), newest_.end(), [&](const auto& w) { return w.first == topic; });
    if (same != newest_.end()) {
      same->second = message;
      ++house_.n_replaced;
      return;
    }
    newest_.emplace_back(topic, message);
    write_next();
  }

 private:
  // What the system holds back for a slow browser is old when it arrives.
  void keep_little_in_the_system() {
    const int descriptor = boost::beast::get_lowest_layer(socket_).socket().native_handle();
    const int on = 1;
    const int unsent_bytes = 256;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
  }

  void join() {
    if (!house_.events.push({WebEvent::Kind::joined, id_, {}})) {
      ++house_.n_cut_off;
      return;
    }
    joined_ = true;
    house_.browsers.emplace(id_, this);
    ++house_.n_browsers;
    read();
  }

  void read() {
    socket_.async_read(said_, [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
      if (error) return self->drop();
      self->hear();
    });
  }

  void hear() {
    if (closing_) return;
    const bool welcome_words = house_.setup.limits.messages_wanted && socket_.got_text() && budget_.take();
    if (!welcome_words) return cut_off();
    const auto bytes = said_.cdata();
    std::string text(static_cast<const char*>(bytes.data()), bytes.size());
    said_.consume(said_.size());
    if (!house_.events.push({WebEvent::Kind::said, id_, std::move(text)})) return cut_off();
    read();
  }

  void write_next() {
    if (writing_ || closing_) return;
    if (!in_order_.empty()) {
      under_way_ = std::move(in_order_.front());
      in_order_.pop_front();
    } else if (!newest_.empty()) {
      under_way_ = std::move(newest_.front().second);
      newest_.erase(newest_.begin());
    } else {
      return;
    }
    writing_ = true;
    socket_.text(under_way_.text);
    socket_.async_write(boost::asio::buffer(*under_way_.bytes),
                        [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                          self->writing_ = false;
                          self->under_way_ = {};
                          if (error) return self->drop();
                          ++self->house_.n_sent;
                          self->write_next();
                        });
  }

  // It broke the rules, or does not keep up.
  void cut_off() {
    if (closing_) return;
    closing_ = true;
    ++house_.n_cut_off;
    in_order_.clear();
    newest_.clear();
    if (writing_) return drop();  // it takes nothing, not even a farewell
    // who goes on talking does not keep the connection open
    const auto patience =
        std::make_shared<boost::asio::steady_timer>(house_.context, to_milliseconds(house_.setup.limits.request_s));
    patience->async_wait([patience, weak = this->weak_from_this()](boost::system::error_code) {
      if (const auto self = weak.lock()) self->drop();
    });
    socket_.async_close(boost::beast::websocket::close_code::policy_error,
                        [self = this->shared_from_this()](boost::system::error_code) { self->drop(); });
  }

  // Ends all that is under way, and with the last of it this object.
  void drop() noexcept {
    closing_ = true;
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  WebHouse& house_;
  BrowserId id_;
  boost::beast::websocket::stream<Stream, false> socket_;  // without compression: messages are short
  MessageBudget budget_;
  boost::beast::flat_buffer said_;
  std::deque<WebMessage> in_order_;
  std::vector<std::pair<std::uint32_t, WebMessage>> newest_;  // one a topic, the one that waits longest first
  WebMessage under_way_;
  bool joined_ = false;
  bool welcome_ = false;
  bool writing_ = false;
  bool closing_ = false;
};

}  // namespace forerun::net
