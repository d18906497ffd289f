// One browser's WebSocket. At most one message is on its way to it; of those that wait, some may be replaced by newer
// ones, and all others keep their order. Messages go out straight from the bytes that all browsers share.
#pragma once

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "forerun/web/budget.hpp"
#include "forerun/web/frames.hpp"
#include "forerun/web/server_state.hpp"

namespace forerun::web {

template <class Stream>
class BrowserSocket final : public WebBrowser, public std::enable_shared_from_this<BrowserSocket<Stream>> {
 public:
  BrowserSocket(ServerState& house, Stream&& stream)
      : house_(house),
        id_(house.next_id++),
        stream_(std::move(stream)),
        budget_(house.setup.limits.messages_per_s),
        reader_(house.setup.limits.message_bytes),
        heard_(WebClock::now()) {}

  ~BrowserSocket() override {
    if (!joined_) return;
    house_.browsers.erase(id_);
    --house_.n_browsers;
    try {
      house_.events.push({WebEvent::Kind::left, id_, {}});
    } catch (const std::exception&) {
      ++house_.n_cut_off;  // without memory for the news; that it says no more is noticed all the same
    }
  }
  BrowserSocket(const BrowserSocket&) = delete;
  BrowserSocket& operator=(const BrowserSocket&) = delete;

  // After the answer to the browser's request; `early` is what it has said behind it.
  void join(const std::string& early) {
    boost::beast::get_lowest_layer(stream_).expires_never();  // the house looks after browsers
    keep_little_in_the_system();
    if (!house_.events.push({WebEvent::Kind::joined, id_, {}})) {
      ++house_.n_cut_off;
      return;
    }
    joined_ = true;
    house_.browsers.emplace(id_, this);
    ++house_.n_browsers;
    hear({reinterpret_cast<const std::uint8_t*>(early.data()), early.size()});
  }

  void welcome(std::vector<WebMessage> first) override {
    in_order_.insert(in_order_.end(), first.begin(), first.end());
    welcome_ = true;
    write_next();
  }

  void send(const WebMessage& message) override {
    if (!welcome_ || closing_) return;
    if (in_order_.size() >= house_.setup.limits.waiting_messages) return cut_off(WebClose::policy);
    in_order_.push_back(message);
    write_next();
  }

  void publish(std::uint32_t topic, const WebMessage& message) override {
    if (!welcome_ || closing_) return;
    const auto same = std::find_if(newest_.begin(), newest_.end(), [&](const auto& w) { return w.first == topic; });
    if (same != newest_.end()) {
      same->second = message;
      ++house_.n_replaced;
      return;
    }
    newest_.emplace_back(topic, message);
    write_next();
  }

  void look(WebClock::time_point now) override {
    const auto silence = now - heard_;
    if (closing_ || silence > to_milliseconds(house_.setup.limits.silence_s)) return drop();
    if (pinged_ || silence < to_milliseconds(house_.setup.limits.silence_s / 2)) return;
    pinged_ = true;
    in_order_.push_back(house_.ping);
    write_next();
  }

  // Ends all that is under way, and with the last of it this object.
  void drop() noexcept override {
    closing_ = true;
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(stream_).socket().close(ignored);
  }

 private:
  static constexpr bool kPlain = std::is_same_v<Stream, boost::beast::tcp_stream>;

  // What the system holds back for a slow browser is old when it arrives.
  void keep_little_in_the_system() {
    auto& socket = boost::beast::get_lowest_layer(stream_).socket();
    const int on = 1;
    const int unsent_bytes = 256;
    setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent_bytes, sizeof unsent_bytes);
    boost::system::error_code ignored;
    socket.non_blocking(true, ignored);
  }

  void read() {
    stream_.async_read_some(boost::asio::buffer(heard_bytes_),
                            [self = this->shared_from_this()](boost::system::error_code error, std::size_t n) {
                              if (error) return self->drop();
                              self->hear({self->heard_bytes_.data(), n});
                            });
  }

  void hear(Bytes bytes) {
    heard_ = WebClock::now();
    pinged_ = false;
    while (!closing_) {
      WebFrameReader::Said said = reader_.take(bytes);
      if (said.kind == WebFrameReader::Kind::nothing) return read();
      answer(said);
    }
  }

  void answer(WebFrameReader::Said& said) {
    using Kind = WebFrameReader::Kind;
    switch (said.kind) {
      case Kind::nothing:
        return;
      case Kind::pong:
        if (!budget_.take()) break;
        return;
      case Kind::broken:
        return cut_off(said.why);
      case Kind::close:
        return say_farewell(WebClose::normal);
      case Kind::ping:
        if (!budget_.take() || in_order_.size() >= house_.setup.limits.waiting_messages) break;
        in_order_.push_back({std::make_shared<const std::string>(frame_bytes(WebOpcode::pong, said.payload))});
        return write_next();
      case Kind::text:
        if (!house_.setup.limits.messages_wanted || !budget_.take()) break;
        if (!house_.events.push({WebEvent::Kind::said, id_, std::move(said.payload)})) break;
        return;
      case Kind::binary:
        break;
    }
    cut_off(WebClose::policy);
  }

  // The message that is next; false when none waits.
  bool begin_next() {
    if (!in_order_.empty()) {
      under_way_ = std::move(in_order_.front());
      in_order_.erase(in_order_.begin());
    } else if (!newest_.empty()) {
      under_way_ = std::move(newest_.front().second);
      newest_.erase(newest_.begin());
    } else {
      return false;
    }
    n_written_ = 0;
    return true;
  }

  void write_next() {
    while (!writing_ && !closing_ && begin_next()) {
      writing_ = true;
      write();
    }
  }

  // Goes on with the message under way. A plain connection mostly takes it here and now.
  void write() {
    if constexpr (kPlain) {
      auto& socket = boost::beast::get_lowest_layer(stream_).socket();
      const std::string& bytes = *under_way_.bytes;
      boost::system::error_code error;
      while (n_written_ < bytes.size() && !error) {
        n_written_ +=
            socket.write_some(boost::asio::buffer(bytes.data() + n_written_, bytes.size() - n_written_), error);
      }
      if (!error) return end_write();
      if (error != boost::asio::error::would_block) return drop();
      socket.async_wait(boost::asio::ip::tcp::socket::wait_write,
                        [self = this->shared_from_this()](boost::system::error_code failed) {
                          if (failed || self->closing_) return self->drop();
                          self->write();
                          self->write_next();
                        });
    } else {
      boost::asio::async_write(stream_, boost::asio::buffer(*under_way_.bytes),
                               [self = this->shared_from_this()](boost::system::error_code error, std::size_t) {
                                 if (error || self->closing_) return self->drop();
                                 self->end_write();
                                 self->write_next();
                               });
    }
  }

  void end_write() {
    writing_ = false;
    under_way_ = {};
    ++house_.n_sent;
  }

  // It broke the rules, or does not keep up.
  void cut_off(WebClose why) {
    if (closing_) return;
    ++house_.n_cut_off;
    say_farewell(why);
  }

  // A browser that takes nothing gets no farewell. The server waits for none of them.
  void say_farewell(WebClose why) {
    if (closing_) return;
    closing_ = true;
    in_order_.clear();
    newest_.clear();
    if (writing_) return drop();
    under_way_ = {std::make_shared<const std::string>(close_bytes(why))};
    if constexpr (kPlain) {
      boost::system::error_code ignored;
      auto& socket = stream_.socket();
      socket.write_some(boost::asio::buffer(*under_way_.bytes), ignored);
      socket.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
      // what was said meanwhile is taken off: with it in its way the system would take the farewell back
      for (int i = 0; i < 64 && !ignored; ++i) socket.read_some(boost::asio::buffer(heard_bytes_), ignored);
      drop();
    } else {
      boost::asio::async_write(
          stream_, boost::asio::buffer(*under_way_.bytes),
          [self = this->shared_from_this()](boost::system::error_code, std::size_t) { self->drop(); });
    }
  }

  ServerState& house_;
  BrowserId id_;
  Stream stream_;
  MessageBudget budget_;
  WebFrameReader reader_;
  WebClock::time_point heard_;
  std::array<std::uint8_t, 256> heard_bytes_;
  std::vector<WebMessage> in_order_;
  std::vector<std::pair<std::uint32_t, WebMessage>> newest_;  // one a topic, the one that waits longest first
  WebMessage under_way_;
  std::size_t n_written_ = 0;  // of its bytes
  bool joined_ = false;
  bool welcome_ = false;
  bool writing_ = false;
  bool pinged_ = false;  // since it was heard last
  bool closing_ = false;
};

}  // namespace forerun::web
